//! Links an object by itself, to addresses at which a guest has nothing, so that one guest serves all objects.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectKind, ObjectSegment, ObjectSymbol, SegmentFlags, elf};
use vambrace::kernels::Architecture;
use vambrace_contract::file::Variable;
use vambrace_verify::object::{BASE, Image, Segment};

use super::Given;

/// The compiler by which `.cargo/config.toml` has guests linked.
fn compiler(architecture: Architecture) -> &'static str {
    match architecture {
        Architecture::Aarch64 => "aarch64-linux-gnu-gcc",
        Architecture::Arm => "arm-linux-gnueabihf-gcc",
    }
}

/// Why an object cannot be put beside a guest.
pub(super) struct Unlinked(pub(super) String);

/// The function that is given, with these values of its variables and all that it refers to, as an image of this name; or why
/// there can be none.
///
/// # Errors
/// If the linker cannot be run, or leaves nothing that can be read.
pub(super) fn image(given: &Given, values: &[(&Variable, u64)], name: &str) -> Result<Result<Image, Unlinked>, String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    if object::File::parse(&*given.member).map_err(|error| text(&error))?.kind() != ObjectKind::Relocatable {
        let why = "it is linked already, and only what is not can be put beside a guest";
        return Ok(Err(Unlinked(why.to_owned())));
    }
    let folder = tempfile::tempdir().map_err(|error| text(&error))?;
    let write = |name: &str, data: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, data).map(|()| path).map_err(|error| text(&error))
    };
    let mut files = vec![write("variables.s", variables(values).as_bytes())?, write("object.o", &given.member)?];
    // Its other members may have what the function refers to.
    files.extend(given.is_archive.then(|| given.object.clone()));
    let linked = match link(given.contract.kernel.architecture, folder.path(), &files)? {
        Ok(linked) => linked,
        Err(unlinked) => return Ok(Err(unlinked)),
    };
    let data = fs::read(&linked).map_err(|error| text(&error))?;
    let file = object::File::parse(&*data).map_err(|error| text(&error))?;
    Ok(Ok(Image {
        name: name.to_owned(),
        contract: given.text.clone(),
        entry: address_of(&file, given.contract.kernel.name)?,
        segments: segments(&file)?,
    }))
}

/// The variables of the program, in the language of the assembler.
fn variables(values: &[(&Variable, u64)]) -> String {
    let mut text = ".section .note.GNU-stack, \"\", %progbits\n.data\n".to_owned();
    for (Variable { symbol, bytes, .. }, value) in values {
        let value: Vec<String> = value.to_le_bytes()[..*bytes].iter().map(u8::to_string).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            ".balign 8\n.global \"{symbol}\"\n.type \"{symbol}\", %object\n\"{symbol}\": .byte {}\n.size \"{symbol}\", {bytes}",
            value.join(", ")
        );
    }
    text
}

fn link(architecture: Architecture, folder: &Path, files: &[PathBuf]) -> Result<Result<PathBuf, Unlinked>, String> {
    let linked = folder.join("linked");
    let mut command = Command::new(compiler(architecture));
    command.env("LC_ALL", "C").args(["-static", "-no-pie", "-nostdlib", "-Wl,--entry=0,--build-id=none"]);
    command.arg(format!("-Wl,-Ttext-segment={BASE:#x},-z,max-page-size=0x10000"));
    // A variable that the object has itself gets the contract's value: the first definition counts. And it does not matter in which
    // registers the object would pass floating-point numbers: no contract has any.
    command.args(["-Wl,-z,noexecstack,-z,muldefs,--no-warn-mismatch", "-o"]).arg(&linked).args(files).arg("-lgcc");
    let output = command.output().map_err(|error| format!("{} cannot be run: {error}", compiler(architecture)))?;
    if output.status.success() {
        return Ok(Ok(linked));
    }
    let said = complaints(&String::from_utf8_lossy(&output.stderr), folder);
    Ok(Err(Unlinked(format!("the linker refuses it: {said}"))))
}

/// What a linker says, without the names of files that nobody knows, and not without end.
fn complaints(said: &str, folder: &Path) -> String {
    const MOST: usize = 5;
    let folder = format!("{}/", folder.display());
    let lines = said.lines().map(|line| line.replace(&folder, ""));
    let lines: Vec<String> =
        lines.filter(|line| !line.contains("collect2") && !line.contains(": in function `")).collect();
    let mut text = lines.iter().take(MOST).map(|line| line.trim()).collect::<Vec<_>>().join("; ");
    if lines.len() > MOST {
        let _ = write!(text, "; and {} more", lines.len() - MOST);
    }
    text
}

/// The address of a function, with bit 0 set for T32.
fn address_of(file: &object::File<'_>, function: &str) -> Result<u64, String> {
    let found = file.symbols().filter(|symbol| symbol.is_definition() && symbol.name() == Ok(function));
    let mut addresses: Vec<u64> = found.map(|symbol| symbol.address()).collect();
    addresses.dedup();
    match *addresses {
        [address] => Ok(address),
        [] => Err(format!("after linking there is no {function}")),
        _ => Err(format!("after linking there are {} symbols {function}", addresses.len())),
    }
}

fn segments(file: &object::File<'_>) -> Result<Vec<Segment>, String> {
    let segments = file.segments().map(|segment| {
        let SegmentFlags::Elf { p_flags, .. } = segment.flags() else {
            return Err("a segment has no flags".to_owned());
        };
        Ok(Segment {
            address: segment.address(),
            bytes: hex::encode(segment.data().map_err(|error| error.to_string())?),
            size: segment.size(),
            writable: p_flags.contains(elf::PF_W),
            executable: p_flags.contains(elf::PF_X),
        })
    });
    segments.collect()
}
