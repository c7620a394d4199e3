//! Bugs in the Rust around the kernels: a copy of the workspace with all of them in it, built once. Each stands beside what it
//! takes the place of, and a number in memory, which a guest's child writes, says which of them is in force.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSymbol};
use vambrace::kernels::Architecture;
use vambrace_verify::mutation::Change;

use super::bug::{Edit, Sibling};
use super::source;
use crate::mutants::Sites;

/// Where the copy is, from the root of the workspace on.
const FOLDER: &str = "target/planted";

/// What the copy consists of: the crates that a guest is made of.
const CRATES: [&str; 5] = ["impls", "reference", "vectors", "harness", "ci/guest"];

/// Files that belong to the workspace and not to a crate.
const FILES: [&str; 2] = ["Cargo.lock", "README.md"];

/// What is changed before anything is planted: the number cannot be asked in a constant.
const BEFORE: [(&str, &str, &str); 1] =
    [("impls/src/cpu.rs", "pub const fn from_arm_hwcap(", "pub fn from_arm_hwcap(")];

/// The crate that holds the number, since all others depend on it.
const HOLDER: &str = "reference/src/lib.rs";

/// The number's name.
const NUMBER: &str = "VAMBRACE_PLANTED";

/// The number, alone in its page: the page is made executable, as one of code would be, when it is written.
const DECLARATION: &str = "
/// Which planted bug is in force.
#[repr(C, align(4096))]
#[allow(missing_docs)]
pub struct PlantedNumber(pub [core::sync::atomic::AtomicU32; 1024]);
#[allow(missing_docs)]
#[used]
pub static VAMBRACE_PLANTED: PlantedNumber = PlantedNumber([const { core::sync::atomic::AtomicU32::new(0) }; 1024]);
#[allow(missing_docs)]
#[inline(never)]
pub fn planted() -> u32 {
    VAMBRACE_PLANTED.0[0].load(core::sync::atomic::Ordering::Relaxed)
}
";

/// The library with bugs in it.
pub struct Library {
    /// The guests that have it.
    pub sites: Sites,
    /// Where the number is in each guest.
    numbers: Vec<(Architecture, u64)>,
    /// The edits of each bug, in the order of their numbers, from 1 on.
    known: Vec<Vec<Edit>>,
}

impl Library {
    /// Plants bugs in a copy of the workspace, and builds it for some architectures.
    ///
    /// # Errors
    /// If an edit does not apply, or what comes of it cannot be built.
    pub fn build<'a>(
        root: &Path,
        architectures: &[Architecture],
        siblings: impl Iterator<Item = &'a Sibling>,
    ) -> Result<Library, String> {
        let mut known: Vec<Vec<Edit>> = Vec::new();
        for sibling in siblings {
            if !known.contains(&sibling.edits) {
                known.push(sibling.edits.clone());
            }
        }
        let copy = root.join(FOLDER);
        write_copy(root, &copy, &known)?;
        let sites = Sites::prepare(&copy, architectures)
            .map_err(|error| format!("the library with planted bugs, in {}: {error}", copy.display()))?;
        let numbers = architectures.iter().map(|one| {
            let (site, _) = sites.of(*one)?;
            Ok((*one, address_of_number(&site.program)?))
        });
        let numbers = numbers.collect::<Result<_, String>>()?;
        Ok(Library { sites, numbers, known })
    }

    /// What has to be written to put a sibling in force, for a guest whose kernel is at an address.
    ///
    /// # Errors
    /// If the sibling is none of those that were planted.
    pub fn chosen(&self, sibling: &Sibling, kernel: u64) -> Result<Vec<Change>, String> {
        let of = |(architecture, _): &&(Architecture, u64)| *architecture == sibling.architecture;
        let place = self.numbers.iter().find(of).map(|(_, address)| address.wrapping_sub(kernel) as u32);
        let number = self.known.iter().position(|edits| *edits == sibling.edits);
        match (place, number) {
            (Some(offset), Some(number)) => Ok(vec![Change { offset, word: 1 + number as u32 }]),
            _ => Err(format!("{} was not planted", sibling.what)),
        }
    }
}

fn address_of_number(program: &Path) -> Result<u64, String> {
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", program.display());
    let bytes = fs::read(program).map_err(|error| fail(&error))?;
    let file = object::File::parse(bytes.as_slice()).map_err(|error| fail(&error))?;
    let number = file.symbols().find(|symbol| symbol.name().is_ok_and(|name| name.contains(NUMBER)));
    number.map(|symbol| symbol.address()).ok_or_else(|| fail(&"it has no number that says which bug is in force"))
}

/// Writes the copy; files that are as they should be are left alone, so that only what has changed is built.
fn write_copy(root: &Path, copy: &Path, known: &[Vec<Edit>]) -> Result<(), String> {
    let mut edits: BTreeMap<&str, Vec<(u32, &Edit)>> = BTreeMap::new();
    for (number, of_one) in (1..).zip(known) {
        for edit in of_one {
            edits.entry(&edit.file).or_default().push((number, edit));
        }
    }
    for folder in CRATES {
        copy_folder(root, copy, Path::new(folder), &edits)?;
    }
    for file in FILES {
        write(&copy.join(file), &read(&root.join(file))?)?;
    }
    let manifest = String::from_utf8(read(&root.join("Cargo.toml"))?).map_err(|error| error.to_string())?;
    write(&copy.join("Cargo.toml"), of_guests(&manifest).as_bytes())
}

/// The manifest of the workspace without what no guest needs.
fn of_guests(manifest: &str) -> String {
    // Members stand on lines of their own.
    let member = |line: &str| line.trim().strip_prefix('"')?.strip_suffix("\",").map(str::to_owned);
    let is_needed = |path: String| CRATES.iter().any(|folder| Path::new(&path).starts_with(folder));
    let is_kept = |line: &&str| member(line).is_none_or(is_needed);
    let kept: Vec<&str> = manifest.lines().filter(is_kept).collect();
    // What stands beside a bug is put in more parentheses than it needs.
    let lints = "[workspace.lints.rust]\n";
    let allowed = format!("{lints}unused = {{ level = \"allow\", priority = -1 }}\n");
    kept.join("\n").replace("[profile.dev.package.ci]\nopt-level = 0\n", "").replace(lints, &allowed) + "\n"
}

fn copy_folder(
    root: &Path,
    copy: &Path,
    folder: &Path,
    edits: &BTreeMap<&str, Vec<(u32, &Edit)>>,
) -> Result<(), String> {
    let listed = fs::read_dir(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names = Vec::new();
    for item in listed {
        let item = item.map_err(|error| format!("{}: {error}", folder.display()))?;
        let path = folder.join(item.file_name());
        if item.path().is_dir() {
            copy_folder(root, copy, &path, edits)?;
        } else {
            let mut contents = read(&item.path())?;
            let name = path.to_string_lossy().into_owned();
            if let Some(edits) = edits.get(name.as_str()) {
                contents = with_bugs(&name, contents, edits)?;
            }
            if name == HOLDER {
                contents.extend_from_slice(DECLARATION.as_bytes());
            }
            write(&copy.join(&path), &contents)?;
        }
        names.push(item.file_name());
    }
    remove_others(&copy.join(folder), &names)
}

/// What is no longer in the workspace must not be in its copy.
fn remove_others(folder: &Path, names: &[std::ffi::OsString]) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    for item in fs::read_dir(folder).map_err(fail)? {
        let item = item.map_err(fail)?;
        if !names.contains(&item.file_name()) {
            let path: PathBuf = item.path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.map_err(fail)?;
        }
    }
    Ok(())
}

/// A source file with bugs beside what they take the place of.
fn with_bugs(file: &str, contents: Vec<u8>, edits: &[(u32, &Edit)]) -> Result<Vec<u8>, String> {
    let text = String::from_utf8(contents).map_err(|error| format!("{file}: {error}"))?;
    let mut places: BTreeMap<(usize, usize), Vec<(u32, &str)>> = BTreeMap::new();
    for (number, edit) in edits {
        let range = source::find(&text, edit)?;
        places.entry((range.start, range.end)).or_default().push((*number, &edit.replace));
    }
    let number = if file == HOLDER || file.starts_with("reference/") { "crate" } else { "::vambrace_reference" };
    for (name, before, _) in BEFORE.iter().filter(|(name, ..)| *name == file) {
        if text.matches(before).count() != 1 {
            return Err(format!("{name} has no {before}"));
        }
    }
    let mut written = text.clone();
    let mut last = text.len();
    for ((start, end), bugs) in places.into_iter().rev() {
        if end > last {
            return Err(format!("{file}: edits of overlapping pieces: {:?}", &text[start..end]));
        }
        last = start;
        let arms: String = bugs.iter().map(|(number, bug)| format!("{number} => {{ {bug} }} ")).collect();
        let choice = format!("match {number}::planted() {{ {arms}_ => {{ {} }} }}", &text[start..end]);
        // In parentheses, an expression stays one whatever stands around it.
        let choice = if text[start..end].trim_end().ends_with(';') { choice } else { format!("({choice})") };
        written.replace_range(start..end, &choice);
    }
    let written = BEFORE
        .iter()
        .filter(|(name, ..)| *name == file)
        .fold(written, |text, (_, before, after)| text.replace(before, after));
    Ok(written.into_bytes())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, contents: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|there| there == contents) {
        return Ok(());
    }
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    fs::write(path, contents).map_err(fail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bugs_stand_beside_what_they_replace() {
        let edit = |find: &str, replace: &str| Edit {
            file: "impls/src/a.rs".into(),
            find: find.into(),
            replace: replace.into(),
        };
        let text = "fn f(a: u32) -> u32 {\n    let b = a + 1;\n    g(b);\n    b\n}\n";
        let (one, other, third) =
            (edit("let b = «a + 1»;", "a + 2"), edit("let b = «a + 1»;", "a"), edit("g(b);", "()"));
        let written = with_bugs("impls/src/a.rs", text.into(), &[(1, &one), (2, &other), (3, &third)]).unwrap();
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "fn f(a: u32) -> u32 {\n    let b = (match ::vambrace_reference::planted() { 1 => { a + 2 } 2 => { a } \
             _ => { a + 1 } });\n    match ::vambrace_reference::planted() { 3 => { () } _ => { g(b); } }\n    b\n}\n"
        );
        let across = edit("a + 1;\n g(b)", "0");
        let error = with_bugs("impls/src/a.rs", text.into(), &[(1, &one), (2, &across)]).unwrap_err();
        assert!(error.contains("overlapping"), "{error}");
    }

    #[test]
    fn the_copy_has_what_guests_need() {
        let manifest = "members = [\n    \"impls\",\n    \"harness/trace\",\n    \"ci/driver\",\n    \"ci/new\",\n]\n";
        assert_eq!(of_guests(manifest), "members = [\n    \"impls\",\n    \"harness/trace\",\n]\n");
    }
}
