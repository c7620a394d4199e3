//! What the reports hold, on a run without guests.

use std::time::Duration;

use serde_json::Value;

use super::*;
use crate::place::places;
use crate::verdict::tests::{inspected, plan, run};

/// The three documents of a run, good or not.
fn documents(good: bool) -> [String; 3] {
    let plan = plan(&[]);
    let done = run(&plan, |job, report| {
        if !good && job.place.to_string() == "arm@max" && job.name == "sha256_neon" {
            report.results.clear();
            report.problems.push("the guest <died>".to_owned());
        }
    });
    let places = places(false);
    let verdict = Verdict::new(&plan, &done, &inspected(&plan), &[], 7);
    let run = Run {
        effort: Effort::Quick,
        seed: 7,
        building: Duration::from_secs(3),
        checking: Duration::from_secs(60),
        planted: 8,
        places: &places,
        plan: &plan,
        verdict: &verdict,
        tools: Tools {
            versions: vec![Tool { name: "qemu-arm".into(), version: "7.2.22".into() }],
            commit: Some("0123456789ab".into()),
            date: "2026-01-01T00:00:00Z".into(),
            host: "Linux".into(),
        },
    };
    let soundness = "# Soundness\n\n| check | shows |\n|---|---|\n| kat | vectors |\n";
    [html::page(&run, Some(soundness), None), json::document(&run).unwrap(), junit::document(&run).unwrap()]
}

#[test]
fn report_json_has_an_object_per_kernel_with_every_check() {
    let [_, json, _] = documents(true);
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["schema"], 1);
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
fn the_page_stands_alone() {
    let [html, ..] = documents(true);
    for outside in ["src=", "href=\"http", "url(", "@import", "<script", "<link"] {
        assert!(!html.contains(outside), "{outside}");
    }
    for part in
        ["width=device-width", "prefers-color-scheme: dark", "0123456789ab", "7.2.22", "cortex-a9,neon=off", "Silicon"]
    {
        assert!(html.contains(part), "{part}");
    }
    for check in crate::plan::checks() {
        assert!(html.contains(&format!("id=\"check-{}\"", check.name)), "{}", check.name);
    }
    assert!(html.contains("<td>vectors</td>"), "SOUNDNESS.md is part of the page");
}

#[test]
fn junit_counts_what_failed_and_what_was_left_out() {
    let [_, _, junit] = documents(true);
    assert!(junit.contains("name=\"aarch64.sha256_neon\"") && junit.contains("<skipped"));
    assert!(junit.contains("failures=\"0\"") && !junit.contains("<failure"));
}

#[test]
fn the_versions_of_the_tools_are_found() {
    let tools = tools(Path::new(env!("CARGO_MANIFEST_DIR")), &[]);
    let rustc = tools.versions.iter().find(|tool| tool.name == "rustc").unwrap();
    assert!(rustc.version.starts_with("rustc 1."), "{}", rustc.version);
    assert!(tools.date.ends_with('Z'));
}
