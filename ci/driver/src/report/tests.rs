//! What the reports hold, on a run without guests.

use std::time::Duration;

use serde_json::Value;

use super::*;
use crate::place::places;
use crate::verdict::tests::{judge, plan, run};

/// The pages and the other two documents of a run, good or not.
fn all_documents(good: bool) -> (Vec<(String, String)>, String, String) {
    let plan = plan(&[]);
    let done = run(&plan, |job, report| {
        if !good && job.place.to_string() == "arm@max" && job.name == "sha256_neon" {
            report.results.clear();
            report.problems.push("the guest <died>".to_owned());
        }
    });
    let places = places(false);
    let verdict = judge(&plan, &done);
    let run = Run {
        effort: Effort::Quick,
        seed: 7,
        shard: Shard::WHOLE,
        building: Duration::from_secs(3),
        checking: Duration::from_secs(60),
        proving: Duration::from_secs(9),
        planted: 8,
        places: &places,
        plan: &plan,
        verdict: &verdict,
        codes: &Codes::default(),
        tools: Tools {
            versions: vec![Tool { name: "qemu-arm".into(), version: "7.2.22".into() }],
            commit: Some("0123456789ab".into()),
            date: "2026-01-01T00:00:00Z".into(),
            host: "Linux".into(),
        },
    };
    let soundness = "# Soundness\n\n| check | shows | not |\n|---|---|---|\n| kat | vectors | more |\n";
    let planted = html::planted::tests::planted();
    let others = Others { soundness: Some(soundness), mutated: None, planted: Some(&planted) };
    let pages = html::pages(&run, &others);
    (pages, json::document(&run).unwrap(), junit::document(&run).unwrap())
}

/// The index, and the other two documents.
fn documents(good: bool) -> [String; 3] {
    let (pages, json, junit) = all_documents(good);
    [pages.into_iter().find(|(name, _)| name == "index.html").unwrap().1, json, junit]
}

#[test]
fn report_json_has_an_object_per_kernel_with_every_check() {
    let [_, json, _] = documents(true);
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["schema"], SCHEMA);
    assert_eq!(document["verdict"], "pass");
    assert_eq!(document["seed"], 7);
    let kernels = document["kernels"].as_array().unwrap();
    let names: Vec<_> = kernels.iter().map(|kernel| format!("{}/{}", kernel["architecture"], kernel["name"])).collect();
    for name in ["aarch64\"/\"sha256_ce_x2", "arm\"/\"sha256_generic", "arm\"/\"sha256_neon"] {
        assert!(names.iter().any(|other| other.contains(name)), "{names:?}");
    }
    let checks = document["checks"].as_array().unwrap();
    for kernel in kernels {
        let tier = kernel["tier"].as_str().unwrap();
        assert!(["generic", "scalar", "neon", "ce"].contains(&tier));
        let cells = kernel["checks"].as_object().unwrap();
        assert_eq!(cells.len(), checks.len());
        for check in checks {
            let cell = &cells[check["name"].as_str().unwrap()];
            match cell["status"].as_str().unwrap() {
                "pass" => {
                    assert!(cell["cases"].as_u64().unwrap() > 0 && !cell["cpus"].as_array().unwrap().is_empty());
                    assert_eq!(cell["seed"], 7);
                }
                "none" => assert!(!cell["reason"].as_str().unwrap().is_empty()),
                other => panic!("{other}"),
            }
        }
        let declared = &kernel["declared_features"];
        assert!(tier == "generic" || &kernel["minimal_features"] == declared);
    }
}

/// The schema with every object closed: in a test, a field that is not described is a mistake.
fn closed(schema: &mut Value) {
    if let Value::Object(object) = schema {
        if object.contains_key("properties") && !object.contains_key("additionalProperties") {
            object.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        object.values_mut().for_each(closed);
    }
}

#[test]
fn report_json_is_as_its_schema_says_and_the_schema_describes_all_of_it() {
    let mut schema: Value = serde_json::from_str(include_str!("../../../../docs/report.schema.json")).unwrap();
    assert_eq!(schema["properties"]["schema"]["const"], SCHEMA);
    closed(&mut schema);
    let validator = jsonschema::validator_for(&schema).unwrap();
    for good in [true, false] {
        let [_, json, _] = documents(good);
        let mut document: Value = serde_json::from_str(&json).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert_eq!(errors, [""; 0]);
        // It is no schema that everything satisfies.
        document["kernels"][0]["checks"]["kat"]["cases"] = Value::from(-1);
        assert!(!validator.is_valid(&document));
    }
}

#[test]
fn a_failure_is_in_every_report_with_its_replay_line() {
    let [html, json, junit] = documents(false);
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["verdict"], "fail");
    let kernels = document["kernels"].as_array().unwrap();
    let kernel =
        kernels.iter().find(|kernel| kernel["architecture"] == "arm" && kernel["name"] == "sha256_neon").unwrap();
    let replay = "ci/verify --replay arm@max:sha256_neon:kat:7";
    assert_eq!(kernel["checks"]["kat"]["status"], "fail");
    assert_eq!(kernel["checks"]["kat"]["failures"][0]["replay"], replay);
    assert!(html.contains(replay) && html.contains("Something failed"));
    assert!(html.contains("the guest &lt;died&gt;"), "what guests say is text");
    assert!(junit.contains(replay) && junit.contains("<failure") && junit.contains("&lt;died&gt;"));
}

#[test]
fn the_pages_need_nothing_from_outside() {
    let (pages, ..) = all_documents(true);
    for (name, page) in &pages {
        for outside in ["src=", "href=\"http", "url(", "@import", "<script", "<link"] {
            assert!(!page.contains(outside), "{name}: {outside}");
        }
        for part in ["width=device-width", "prefers-color-scheme: dark"] {
            assert!(page.contains(part), "{name}: {part}");
        }
    }
    let [html, ..] = documents(true);
    for part in ["0123456789ab", "7.2.22", "cortex-a9,neon=off", "Silicon", "<svg"] {
        assert!(html.contains(part), "{part}");
    }
    assert!(html.contains("<td>vectors</td>"), "SOUNDNESS.md is part of the page");
}

#[test]
fn every_link_leads_to_a_page_that_is_written() {
    let (pages, ..) = all_documents(true);
    let mut links = 0;
    for (name, page) in &pages {
        let folder = Path::new(name).parent().unwrap();
        for href in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let (file, fragment) = href.split_once('#').unwrap_or((href, ""));
            let there = match (file, file.strip_prefix("../")) {
                ("", _) => name.clone(),
                (_, Some(above)) => above.to_owned(),
                (file, None) => folder.join(file).to_str().unwrap().to_owned(),
            };
            let target = pages.iter().find(|(other, _)| *other == there);
            let (_, target) = target.unwrap_or_else(|| panic!("{name}: {href}"));
            assert!(fragment.is_empty() || target.contains(&format!("id=\"{fragment}\"")), "{name}: {href}");
            links += 1;
        }
    }
    assert!(links > 1000, "{links}");
}

#[test]
fn a_kernel_has_a_page_with_all_that_is_known_of_it_and_a_check_one_with_what_it_shows() {
    let (pages, ..) = all_documents(true);
    let page = |name: &str| &pages.iter().find(|(other, _)| other == name).unwrap().1;
    let neon = page("kernels/arm-sha256_neon.html");
    for part in [
        "Contract",
        "blocks",
        "cortex-a15",
        "Peak memory",
        "12 MiB",
        "ab12",
        "Coverage",
        "7.2.22",
        "--only sha256_neon",
        "adds becomes add",
    ] {
        assert!(neon.contains(part), "{part}: {neon}");
    }
    let kat = page("checks/kat.html");
    for part in ["What it looks for", "It shows", "vectors", "It does not show", "arm sha256_neon", "cortex-a15"] {
        assert!(kat.contains(part), "{part}: {kat}");
    }
    assert!(page("checks/proved.html").contains("proved ✓"));
}

#[test]
fn junit_counts_what_failed_and_what_was_left_out() {
    let [_, _, junit] = documents(true);
    assert!(junit.contains("name=\"aarch64.sha256_neon\"") && junit.contains("<skipped"));
    assert!(junit.contains("name=\"sha256_proved\"") && junit.contains("name=\"peak_memory_bytes\""));
    assert!(junit.contains("failures=\"0\"") && !junit.contains("<failure"));
}

#[test]
fn the_versions_of_the_tools_are_found() {
    let tools = tools(Path::new(env!("CARGO_MANIFEST_DIR")), &[]);
    let rustc = tools.versions.iter().find(|tool| tool.name == "rustc").unwrap();
    assert!(rustc.version.starts_with("rustc 1."), "{}", rustc.version);
    assert!(tools.date.ends_with('Z'));
}
