//! `ci verify --code-hashes`: the hash of every kernel's code in a file, so that what is shipped can be compared with what was
//! verified.
//!
//! What is hashed are the bytes from a kernel's symbol to its end, literals included, as they stand in the file. Kernels have no
//! relocations, so these are the same bytes in an object, an archive and a program, wherever it is loaded. A relocation among
//! them would change that, and is refused. Where a program has no symbols any more, kernels are found by their bytes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use object::read::archive::ArchiveFile;
use object::{FileKind, Object, ObjectSection, SectionKind};
use vambrace::kernels::{ALL, Architecture, Kernel};
use vambrace_prover::code::{CodeError, ElfFile};
use vambrace_verify::selection::Selection;

use crate::build;
use crate::code::{Codes, sha256};
use crate::compare::{KernelReport, Report};
use crate::verify::Ending;

/// A kernel in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The kernel.
    pub kernel: &'static str,
    /// Its architecture.
    pub architecture: Architecture,
    /// The member of the archive, if it is one.
    pub member: Option<String>,
    /// Bytes of code and literals, and their SHA-256; or why there is none.
    pub code: Result<(usize, String), String>,
}

/// Why a file has no kernels to tell of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum FileError {
    #[error("it is neither an ELF file nor an archive: {0}")]
    Format(String),
    #[error("the archive is damaged: {0}")]
    Archive(String),
    #[error("the archive is a thin one, which has only the names of its members")]
    Thin,
    #[error("it is for {0}, and the kernels are for little-endian AArch64 and ARMv7")]
    Machine(String),
    #[error(
        "its objects hold LLVM bitcode and no machine code yet, as for link-time optimisation; give the program that is linked"
    )]
    Bitcode,
}

/// The kernels that a file has, by the names of their symbols.
///
/// # Errors
/// If it is not a file that can have any.
pub fn kernels(data: &[u8]) -> Result<Vec<Found>, FileError> {
    match FileKind::parse(data) {
        Ok(FileKind::Archive) => of_archive(data),
        Ok(FileKind::Elf32 | FileKind::Elf64) => of_elf(data, None),
        Ok(kind) => Err(FileError::Format(format!("it is {kind:?}"))),
        Err(error) => Err(FileError::Format(error.to_string())),
    }
}

fn of_archive(data: &[u8]) -> Result<Vec<Found>, FileError> {
    let damaged = |error: object::read::Error| FileError::Archive(error.to_string());
    let archive = ArchiveFile::parse(data).map_err(damaged)?;
    if archive.is_thin() {
        return Err(FileError::Thin);
    }
    let (mut found, mut machines, mut bitcode, mut objects) = (Vec::new(), Vec::new(), 0, 0);
    for member in archive.members() {
        let member = member.map_err(damaged)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let data = member.data(data).map_err(damaged)?;
        // An rlib has its metadata in such a file too.
        if name.ends_with(".rmeta") {
            continue;
        }
        if data.starts_with(b"BC\xc0\xde") {
            bitcode += 1;
            continue;
        }
        match FileKind::parse(data) {
            Ok(FileKind::Elf32 | FileKind::Elf64) => {}
            _ => continue,
        }
        objects += 1;
        match of_elf(data, Some(&name)) {
            Ok(some) => found.extend(some),
            Err(FileError::Machine(machine)) => machines.push(machine),
            Err(other) => return Err(other),
        }
    }
    match (objects, bitcode, machines.len()) {
        (0, 1.., _) => Err(FileError::Bitcode),
        (0, 0, _) => Err(FileError::Format("the archive has no ELF object".to_owned())),
        (all, _, others) if all == others => Err(FileError::Machine(machines.swap_remove(0))),
        _ => Ok(found),
    }
}

/// The architecture of an ELF file.
fn architecture(file: &object::File<'_>) -> Result<Architecture, FileError> {
    match file.architecture() {
        object::Architecture::Aarch64 if file.is_little_endian() => Ok(Architecture::Aarch64),
        object::Architecture::Arm if file.is_little_endian() => Ok(Architecture::Arm),
        other => {
            let order = if file.is_little_endian() { "little" } else { "big" };
            Err(FileError::Machine(format!("{order}-endian {other:?}")))
        }
    }
}

fn of_elf(data: &[u8], member: Option<&str>) -> Result<Vec<Found>, FileError> {
    let format = |error: String| FileError::Format(error);
    let architecture = architecture(&object::File::parse(data).map_err(|error| format(error.to_string()))?)?;
    let file = ElfFile::parse(data, architecture).map_err(|error| format(error.to_string()))?;
    let of = |kernel: &'static Kernel| {
        let code = match file.kernel(kernel) {
            Err(CodeError::Missing(_)) => return None,
            Err(error) => Err(error.to_string()),
            Ok(code) => Ok((code.bytes().len(), sha256(code.bytes()))),
        };
        Some(Found { kernel: kernel.name, architecture, member: member.map(str::to_owned), code })
    };
    Ok(kernels_of(architecture).filter_map(of).collect())
}

fn kernels_of(architecture: Architecture) -> impl Iterator<Item = &'static Kernel> {
    ALL.iter().copied().flatten().filter(move |kernel| kernel.architecture == architecture)
}

/// The kernels whose bytes, as the guests have them, stand in the code of an ELF file.
fn by_contents(data: &[u8], codes: &Codes) -> Result<Vec<Found>, FileError> {
    let file = object::File::parse(data).map_err(|error| FileError::Format(error.to_string()))?;
    let architecture = architecture(&file)?;
    let sections = file.sections().filter(|section| section.kind() == SectionKind::Text);
    let sections: Vec<&[u8]> = sections.filter_map(|section| section.data().ok()).collect();
    let of = |kernel: &'static Kernel| {
        let code = codes.of(kernel).ok()?.bytes();
        let is_there = sections.iter().any(|section| memchr::memmem::find(section, code).is_some());
        let code = Ok((code.len(), sha256(code)));
        is_there.then_some(Found { kernel: kernel.name, architecture, member: None, code })
    };
    Ok(kernels_of(architecture).filter_map(of).collect())
}

/// Prints the hashes, and, beside those of a report, whether they are the same.
///
/// # Errors
/// If the file cannot be read, has no kernels, or the guests cannot be built.
pub fn run(file: Option<&Path>, selection: &Selection, verified: Option<&Report>) -> Result<Ending, String> {
    let mut found = match file {
        Some(file) => of_file(file)?,
        None => {
            let guests = build::guests(&build::workspace_root()?, &Architecture::ALL)?;
            let files = guests.iter().map(|(_, program)| of_file(program)).collect::<Result<Vec<_>, String>>()?;
            files.concat()
        }
    };
    // Cargo tells of programs in the order in which they are finished.
    found.sort_by_key(|one| Architecture::ALL.iter().position(|of| *of == one.architecture));
    found.retain(|one| selection.contains(one.kernel, "code-hashes"));
    if found.is_empty() {
        let patterns: Vec<&str> = selection.patterns().collect();
        return Err(format!("--only {} matches no kernel that is there", patterns.join(" --only ")));
    }
    let (text, good) = lines(&found, verified);
    print!("{text}");
    Ok(if good { Ending::Good } else { Ending::Bad })
}

fn of_file(file: &Path) -> Result<Vec<Found>, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let data = fs::read(file).map_err(|error| named(&error))?;
    let found = kernels(&data).map_err(|error| named(&error))?;
    if !found.is_empty() {
        return Ok(found);
    }
    if FileKind::parse(&*data).is_ok_and(|kind| kind == FileKind::Archive) {
        return Err(named(&"no symbol in it is a kernel of this library"));
    }
    eprintln!(
        "{}",
        named(&"no symbol in it is a kernel of this library; looking for the bytes of those that are built here")
    );
    let guests = build::guests(&build::workspace_root()?, &Architecture::ALL)?;
    let found = by_contents(&data, &Codes::read(&guests)?).map_err(|error| named(&error))?;
    match found.is_empty() {
        true => Err(named(&"it has no kernel of this library, neither by a symbol nor by its bytes")),
        false => Ok(found),
    }
}

/// A line for each kernel, and whether all is as it should be.
fn lines(found: &[Found], verified: Option<&Report>) -> (String, bool) {
    let (mut text, mut good, mut copies) = (String::new(), true, BTreeMap::new());
    for Found { kernel, architecture, member, code } in found {
        let place = member.as_ref().map(|member| format!("  in {member}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = match code {
            Ok((bytes, hash)) => {
                *copies.entry((*architecture as usize, *kernel)).or_insert(0) += 1;
                let (said, is_it) =
                    verified.map_or((String::new(), true), |report| judge(report, *architecture, kernel, hash));
                good &= is_it;
                writeln!(text, "{hash}  {architecture}/{kernel}  {bytes} bytes{place}{said}")
            }
            Err(error) => {
                good = false;
                writeln!(text, "{:<64}  {architecture}/{kernel}{place}: {error}", "not hashed")
            }
        };
    }
    let of = |architecture: Architecture| {
        let there = copies.keys().filter(|(of, _)| *of == architecture as usize).count();
        (there > 0).then(|| format!("{there} of {} kernels of {architecture}", kernels_of(architecture).count()))
    };
    let counts: Vec<String> = Architecture::ALL.into_iter().filter_map(of).collect();
    let _ = writeln!(text, "{}", counts.join(", "));
    if let Some(report) = verified {
        let verdict = if good { "all as verified" } else { "NOT all as verified" };
        let _ = writeln!(text, "{verdict} in the run of {} on commit {}", report.date(), report.commit());
    }
    (text, good)
}

/// Whether a report is about code of this hash, and what it says of it.
fn judge(report: &Report, architecture: Architecture, kernel: &str, hash: &str) -> (String, bool) {
    match report.kernel(architecture.name(), kernel) {
        None => ("  NOT in the report".to_owned(), false),
        Some(KernelReport { code_sha256: None, .. }) => ("  the report has no hash of it".to_owned(), false),
        Some(KernelReport { code_sha256: Some(other), .. }) if other != hash => {
            (format!("  DIFFERS from the verified {other}"), false)
        }
        Some(of) if of.has("fail") => ("  the same bytes FAILED there".to_owned(), false),
        Some(of) if !of.has("pass") => ("  the same bytes, which were NOT checked there".to_owned(), false),
        Some(of) => (format!("  as verified{}", of.proof_in_words()), true),
    }
}

#[cfg(test)]
mod tests {
    use object::write::{self, StandardSection, Symbol, SymbolSection};
    use object::{
        BinaryFormat, Endianness, RelocationEncoding, RelocationFlags, RelocationKind, SymbolFlags, SymbolKind,
        SymbolScope,
    };

    use super::*;

    const NAME: &str = "_ZN8vambrace6sha2567kernels12aarch64_neon5entry17h0123456789abcdefE";

    /// An object file with one kernel of these bytes, and a relocation in it if that is wanted.
    fn elf(architecture: object::Architecture, code: &[u8], relocated: bool) -> Vec<u8> {
        let mut file = write::Object::new(BinaryFormat::Elf, architecture, Endianness::Little);
        let section = file.section_id(StandardSection::Text);
        let offset = file.append_section_data(section, code, 4);
        let symbol = |name: &str, kind, size| Symbol {
            name: name.as_bytes().to_vec(),
            value: offset,
            size,
            kind,
            scope: SymbolScope::Compilation,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        };
        let kernel = file.add_symbol(symbol(NAME, SymbolKind::Text, code.len() as u64));
        file.add_symbol(symbol("$x", SymbolKind::Label, 0));
        if relocated {
            let flags = RelocationFlags::Generic {
                kind: RelocationKind::Absolute,
                encoding: RelocationEncoding::Generic,
                size: 32,
            };
            file.add_relocation(section, write::Relocation { offset: offset + 4, symbol: kernel, addend: 0, flags })
                .unwrap();
        }
        file.write().unwrap()
    }

    const CODE: [u8; 8] = [0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6];

    /// An archive in the format that ar writes.
    fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut data = b"!<arch>\n".to_vec();
        for (name, contents) in members {
            data.extend(
                format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", format!("{name}/"), 0, 0, 0, 644, contents.len())
                    .bytes(),
            );
            data.extend(*contents);
            data.resize(data.len().next_multiple_of(2), b'\n');
        }
        data
    }

    #[test]
    fn a_kernel_is_hashed_from_its_symbol_to_its_end_in_an_object_and_in_an_archive() {
        let object = elf(object::Architecture::Aarch64, &CODE, false);
        let found = |member: Option<&str>| {
            let code = Ok((8, sha256(&CODE)));
            vec![Found {
                kernel: "sha256_neon",
                architecture: Architecture::Aarch64,
                member: member.map(str::to_owned),
                code,
            }]
        };
        assert_eq!(kernels(&object).unwrap(), found(None));
        let rlib = archive(&[("lib.rmeta", b"metadata"), ("a.o", &object), ("note.txt", b"no object")]);
        assert_eq!(kernels(&rlib).unwrap(), found(Some("a.o")));
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_relocation_in_a_kernel_is_told_and_not_hashed() {
        let found = kernels(&elf(object::Architecture::Aarch64, &CODE, true)).unwrap();
        let error = found[0].code.as_ref().unwrap_err();
        assert!(error.contains("relocation at offset 0x4"), "{error}");
        let (text, good) = lines(&found, None);
        assert!(!good && text.contains("not hashed") && text.contains("aarch64/sha256_neon"), "{text}");
    }

    #[test]
    fn a_file_of_another_kind_is_an_error_that_says_what_is_wanted() {
        let error = |data: &[u8]| kernels(data).unwrap_err().to_string();
        for data in
            [&b""[..], b"#!/bin/sh\necho no program at all\n", b"\xcf\xfa\xed\xfe\x0c\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0"]
        {
            assert!(error(data).contains("neither an ELF file nor an archive"), "{}", error(data));
        }
        let half = elf(object::Architecture::Aarch64, &CODE, false);
        assert!(kernels(&half[..40]).is_err());
        let other = elf(object::Architecture::X86_64, &CODE, false);
        assert!(error(&other).contains("it is for little-endian X86_64"), "{}", error(&other));
        assert!(error(&archive(&[("a.o", &other)])).contains("it is for little-endian X86_64"));
        assert!(error(&archive(&[("a.txt", b"text")])).contains("no ELF object"));
        assert!(error(&archive(&[("a.o", b"BC\xc0\xde\0\0\0\0")])).contains("LLVM bitcode"));
        let mut damaged = archive(&[("a.o", &half)]);
        damaged.truncate(90);
        assert!(error(&damaged).contains("archive is damaged"), "{}", error(&damaged));
        let thin = [&b"!<thin>\n"[..], &archive(&[("a.o", b"")])[8..]].concat();
        assert!(error(&thin).contains("thin"), "{}", error(&thin));
    }

    #[test]
    fn a_kernel_is_told_to_be_what_was_verified_or_not() {
        let hash = sha256(&CODE);
        let found = kernels(&elf(object::Architecture::Aarch64, &CODE, false)).unwrap();
        let told = |hash: &str, status: &str, name: &str| {
            let report = crate::compare::tests::report_of(name, hash, status);
            lines(&found, Some(&report))
        };
        let (text, good) = told(&hash, "pass", "sha256_neon");
        assert!(good && text.contains("as verified") && text.contains("all as verified"), "{text}");
        let (text, good) = told("ab12", "pass", "sha256_neon");
        assert!(
            !good && text.contains("DIFFERS from the verified ab12") && text.contains("NOT all as verified"),
            "{text}"
        );
        let (text, good) = told(&hash, "fail", "sha256_neon");
        assert!(!good && text.contains("FAILED"), "{text}");
        let (text, good) = told(&hash, "none", "sha256_neon");
        assert!(!good && text.contains("NOT checked"), "{text}");
        let (text, good) = told(&hash, "pass", "sha256_ce");
        assert!(!good && text.contains("NOT in the report"), "{text}");
    }
}
