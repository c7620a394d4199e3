//! The tables against an assembler's tables, and the check against kernels with defects.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use object::write::{Object as ElfWriter, Symbol, SymbolSection};
use object::{BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope};

use super::*;

const ADDRESS: u64 = 0;

fn mapping_name(architecture: Architecture) -> &'static [u8] {
    match architecture {
        Architecture::Aarch64 => b"$x",
        Architecture::Arm => b"$a",
    }
}

/// An ELF object whose one function is `code`, with mapping symbols at these offsets.
fn elf(architecture: Architecture, code: &[u8], mapping: &[(u64, &[u8])]) -> Vec<u8> {
    let machine = match architecture {
        Architecture::Aarch64 => object::Architecture::Aarch64,
        Architecture::Arm => object::Architecture::Arm,
    };
    let mut writer = ElfWriter::new(BinaryFormat::Elf, machine, Endianness::Little);
    let section = writer.add_section(Vec::new(), b".text".to_vec(), SectionKind::Text);
    writer.append_section_data(section, code, 4);
    let mut symbol = |name: &[u8], value, size, kind| {
        writer.add_symbol(Symbol {
            name: name.to_vec(),
            value,
            size,
            kind,
            scope: SymbolScope::Compilation,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        });
    };
    symbol(b"kernel", ADDRESS, code.len() as u64, SymbolKind::Text);
    for (offset, name) in mapping {
        symbol(name, *offset, 0, SymbolKind::Label);
    }
    // What every file with debug information has: mapping symbols of sections that are nowhere in memory.
    let debug = writer.add_section(Vec::new(), b".debug_info".to_vec(), SectionKind::Debug);
    writer.append_section_data(debug, &[0; 16], 1);
    writer.add_symbol(Symbol {
        name: b"$d.9".to_vec(),
        value: 1,
        size: 0,
        kind: SymbolKind::Label,
        scope: SymbolScope::Compilation,
        weak: false,
        section: SymbolSection::Section(debug),
        flags: SymbolFlags::None,
    });
    writer.write().unwrap()
}

#[test]
fn mapping_symbols_of_other_sections_do_not_hide_code() {
    let code = [RET, RET, RET];
    let finding = inspect(Architecture::Aarch64, &code);
    assert_eq!((finding.instructions, finding.literal_bytes), (3, 0));
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// What is found in code that begins with a landing pad, where it begins with a return.
fn inspect(architecture: Architecture, code: &[u32]) -> Finding {
    let mut code = code.to_vec();
    if code.first() == Some(&RET) {
        code[0] = LANDING_PAD;
    }
    inspect_as_it_is(architecture, &code)
}

fn inspect_as_it_is(architecture: Architecture, code: &[u32]) -> Finding {
    let file = elf(architecture, &words(code), &[(0, mapping_name(architecture))]);
    Elf::parse("test".to_owned(), &file, architecture).unwrap().inspect(ADDRESS).unwrap()
}

const RET: u32 = 0xd65f_03c0;
const BX_LR: u32 = 0xe12f_ff1e;

#[test]
fn a_kernel_begins_with_a_landing_pad_for_calls() {
    assert_eq!(inspect_as_it_is(Architecture::Aarch64, &[LANDING_PAD, RET]).complaint(&[]), None);
    // bti j; nop; bti; and none.
    for word in [0xd503_249f, 0xd503_201f, 0xd503_241f, RET] {
        let complaint = inspect_as_it_is(Architecture::Aarch64, &[word, RET]).complaint(&[]);
        assert!(complaint.is_some_and(|complaint| complaint.contains("landing pad")), "{word:#x}");
    }
    assert_eq!(inspect_as_it_is(Architecture::Arm, &[BX_LR]).complaint(&[]), None);
}

#[test]
fn an_undeclared_feature_is_flagged_with_word_and_place() {
    // ret; eor3 v0.16b, v1.16b, v2.16b, v3.16b; sha256h q0, q1, v2.4s; eor v0.16b, v0.16b, v1.16b; crc32x w0, w0, x1
    for (code, needed, extension) in [
        (0xce02_0c20, "sha3", false),
        (0x5e02_4020, "sha2", false),
        (0xce61_8440, "sha512", false),
        (0xce61_8c40, "sha3", false),
        (0x4e28_4820, "aes", false),
        (0x0ee2_e020, "pmull", false),
        (0x6e21_1c00, "neon", false),
        (0x9ac1_4c00, "FEAT_CRC32", true),
        (0x5e02_0020, "FEAT_SHA1", true),
        (0xf820_0041, "FEAT_LSE", true),
        (0x4e82_9420, "FEAT_DotProd", true),
        (0xce63_c041, "FEAT_SM3", true),
        (0xcec0_8420, "FEAT_SM4", true),
    ] {
        let finding = inspect(Architecture::Aarch64, &[RET, code]);
        let complaint = finding.complaint(&[]).unwrap_or_else(|| panic!("{code:#x} needs {needed}"));
        assert!(complaint.contains(needed) && complaint.contains("offset 0x4"), "{complaint}");
        assert_eq!(finding.complaint(&[needed]).is_some(), extension, "{needed}");
        let minimal: Vec<&str> = finding.needed.iter().map(|feature| feature.name()).collect();
        assert_eq!(minimal, if extension { vec![] } else { vec![needed] });
    }
    for (code, needed, extension) in [
        // veor q0, q0, q1; sha256h.32 q0, q1, q2; aese.8 q0, q1; vmull.p64 q0, d1, d2; vpush {d8-d15}; sdiv r0, r0, r1
        (0xf300_0152, "neon", false),
        (0xf302_0c44, "sha2", false),
        (0xf3b0_0302, "aes", false),
        (0xf2a1_0e02, "pmull", false),
        (0xed2d_8b10, "neon", false),
        (0xe710_f110, "integer division", true),
        (0xe141_0042, "FEAT_CRC32", true),
    ] {
        let finding = inspect(Architecture::Arm, &[BX_LR, code]);
        let complaint = finding.complaint(&[]).unwrap_or_else(|| panic!("{code:#x} needs {needed}"));
        assert!(complaint.contains(needed) && complaint.contains("offset 0x4"), "{complaint}");
        assert_eq!(finding.complaint(&[needed]).is_some(), extension, "{needed}");
    }
}

#[test]
fn integer_code_needs_nothing() {
    // add x0, x0, x1; ror w2, w3, #6; ldp x0, x1, [x2], #16; cbz x2, .; ret
    let code = [LANDING_PAD, 0x8b01_0000, 0x1383_1862, 0xa8c1_0440, 0xb400_0002, RET];
    let finding = inspect(Architecture::Aarch64, &code);
    assert_eq!((finding.complaint(&[]), finding.needed.len(), finding.instructions), (None, 0, 6));
    // add r0, r0, r1, ror #6; rev r2, r3; ldr r0, [r1], #4; push {r4-r11, lr}; bx lr
    let finding = inspect(Architecture::Arm, &[0xe080_0361, 0xe6bf_2f33, 0xe491_0004, 0xe92d_4ff0, BX_LR]);
    assert_eq!((finding.complaint(&[]), finding.needed.len(), finding.instructions), (None, 0, 5));
}

#[test]
fn a_word_that_is_no_instruction_fails() {
    for (architecture, undefined) in [
        (Architecture::Aarch64, 0x0000_0000), // udf
        (Architecture::Aarch64, 0x428a_2f98), // a constant of SHA-256
        (Architecture::Aarch64, 0x1e62_2820), // fadd d0, d1, d2
        (Architecture::Aarch64, 0xd53b_e040), // mrs x0, cntvct_el0
        (Architecture::Arm, 0xe7f0_00f0),     // udf
        (Architecture::Arm, 0xee1d_0f70),     // mrc p15, 0, r0, c13, c0, 3
        (Architecture::Arm, 0xee31_1b02),     // vadd.f64 d1, d1, d2
    ] {
        let complaint = inspect(architecture, &[undefined]).complaint(&["neon", "sha2", "sha3"]);
        let complaint = complaint.unwrap_or_else(|| panic!("{undefined:#x} is taken for an instruction"));
        assert!(complaint.contains("in no table") && complaint.contains("offset 0x0"), "{complaint}");
    }
}

#[test]
fn literals_are_left_out_and_code_after_them_is_not() {
    let code = words(&[RET, 0, 0, 0xce02_0c20]);
    let mapping: [(u64, &[u8]); 3] = [(0, b"$x"), (4, b"$d.1"), (12, b"$x.2")];
    let file = elf(Architecture::Aarch64, &code, &mapping);
    let finding = Elf::parse("test".into(), &file, Architecture::Aarch64).unwrap().inspect(ADDRESS).unwrap();
    assert_eq!((finding.instructions, finding.literal_bytes), (2, 8));
    assert!(finding.complaint(&[]).unwrap().contains("offset 0xc"));
}

#[test]
fn where_code_and_literals_are_marked_at_once_it_is_code() {
    let mapping: [(u64, &[u8]); 2] = [(0, b"$x"), (0, b"$d")];
    let file = elf(Architecture::Aarch64, &words(&[0]), &mapping);
    let finding = Elf::parse("test".into(), &file, Architecture::Aarch64).unwrap().inspect(ADDRESS).unwrap();
    assert!(finding.complaint(&[]).is_some());
}

#[test]
fn a_kernel_of_nothing_but_literals_fails() {
    let file = elf(Architecture::Arm, &words(&[BX_LR]), &[(0, b"$d")]);
    let finding = Elf::parse("test".into(), &file, Architecture::Arm).unwrap().inspect(ADDRESS).unwrap();
    assert!(finding.complaint(&[]).unwrap().contains("no instructions"));
}

#[test]
fn files_that_cannot_be_judged_are_refused() {
    let refused = |file: &[u8], architecture, address| match Elf::parse("name".into(), file, architecture) {
        Ok(elf) => elf.inspect(address).unwrap_err(),
        Err(error) => error,
    };
    let good = elf(Architecture::Arm, &words(&[BX_LR]), &[(0, b"$a")]);
    assert!(refused(&good, Architecture::Arm, 4).contains("no function symbol"));
    assert!(refused(&good, Architecture::Aarch64, 0).contains("no little-endian aarch64 file"));
    assert!(refused(b"#!/bin/sh", Architecture::Arm, 0).starts_with("name: "));
    let thumb = elf(Architecture::Arm, &words(&[BX_LR]), &[(0, b"$t")]);
    assert!(refused(&thumb, Architecture::Arm, 0).contains("Thumb"));
    let unmapped = elf(Architecture::Arm, &words(&[BX_LR]), &[]);
    assert!(refused(&unmapped, Architecture::Arm, 0).contains("no mapping symbol"));
    let odd = elf(Architecture::Arm, &[1, 2, 3, 4, 5, 6], &[(0, b"$a")]);
    assert!(refused(&odd, Architecture::Arm, 0).contains("piece of an instruction"));
    assert!(Elf::read(Path::new("/nowhere/verify"), Architecture::Arm).unwrap_err().starts_with("/nowhere/verify: "));
}

/// What LLVM makes of words, with these features on top of the base architecture: the mnemonic, or none where it knows
/// no such instruction.
fn disassemble(architecture: Architecture, features: &str, code: &[u32]) -> Vec<Option<String>> {
    let file = elf(architecture, &words(code), &[(0, mapping_name(architecture))]);
    let mut object = tempfile::NamedTempFile::new().unwrap();
    object.write_all(&file).unwrap();
    let (triple, base) = match architecture {
        Architecture::Aarch64 => ("aarch64-unknown-linux-gnu", "-fp-armv8,-neon"),
        Architecture::Arm => ("armv7-unknown-linux-gnueabihf", "-fpregs"),
    };
    let output = Command::new(llvm_objdump())
        .args(["--disassemble", "--no-show-raw-insn", "--no-leading-addr", "--disassemble-zeroes"])
        .args([format!("--triple={triple}"), format!("--mattr={base}{features}")])
        .arg(object.path())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().skip_while(|line| !line.contains("<kernel>:")).skip(1);
    let mnemonic = |line: &str| {
        let mnemonic = line.split_whitespace().next()?;
        (mnemonic != "<unknown>").then(|| mnemonic.to_owned())
    };
    let mnemonics: Vec<_> = lines.filter(|line| !line.trim().is_empty()).map(mnemonic).collect();
    assert_eq!(mnemonics.len(), code.len());
    mnemonics
}

/// The disassembler of the pinned toolchain: rust-toolchain.toml asks for the component llvm-tools.
fn llvm_objdump() -> std::path::PathBuf {
    let say = |arguments: &[&str]| {
        let output = Command::new("rustc").args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let sysroot = say(&["--print", "sysroot"]);
    let version = say(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin/llvm-objdump")
}

/// Numbers that look random, the same in every run (SplitMix64).
fn numbers(mut state: u64) -> impl Iterator<Item = u32> {
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) as u32
    })
}

/// What LLVM calls a feature or extension, and those that it implies.
fn llvm_features(architecture: Architecture, needs: Needs) -> &'static str {
    let aarch64 = architecture == Architecture::Aarch64;
    match needs {
        Needs::Base => "",
        Needs::Feature(Feature::Neon) => ",+neon",
        Needs::Feature(Feature::Aes | Feature::Pmull) if aarch64 => ",+aes",
        Needs::Feature(Feature::Aes | Feature::Pmull) => ",+v8,+aes",
        Needs::Feature(Feature::Sha2) | Needs::Extension("FEAT_SHA1") if aarch64 => ",+sha2",
        Needs::Feature(Feature::Sha2) | Needs::Extension("FEAT_SHA1") => ",+v8,+sha2",
        Needs::Feature(Feature::Sha512 | Feature::Sha3) => ",+sha3",
        Needs::Extension("FEAT_SM3" | "FEAT_SM4") => ",+sm4",
        Needs::Extension("FEAT_CRC32") if aarch64 => ",+crc",
        Needs::Extension("FEAT_CRC32") => ",+v8,+crc",
        Needs::Extension("FEAT_LSE") => ",+lse",
        Needs::Extension("FEAT_DotProd") => ",+dotprod",
        Needs::Extension("FEAT_I8MM") => ",+i8mm",
        Needs::Extension("FEAT_RDM") if aarch64 => ",+rdm",
        Needs::Extension("FEAT_RDM") => ",+v8.1a,+neon",
        Needs::Extension("integer division") => ",+hwdiv-arm",
        Needs::Extension(name) => panic!("LLVM's name of {name} is not known"),
    }
}

fn table(architecture: Architecture) -> &'static [Encoding] {
    match architecture {
        Architecture::Aarch64 => a64::TABLE,
        Architecture::Arm => a32::TABLE,
    }
}

/// The row that counts for a word.
fn row(architecture: Architecture, word: u32) -> Option<&'static Encoding> {
    table(architecture).iter().find(|row| row.matches(word))
}

#[test]
fn every_word_that_a_table_takes_is_an_instruction_of_that_feature_for_llvm_too() {
    for architecture in Architecture::ALL {
        let mut by_features: BTreeMap<&str, Vec<(u32, &Encoding)>> = BTreeMap::new();
        for (seed, encoding) in table(architecture).iter().enumerate() {
            let fitting = numbers(seed as u64).take(3000).map(|bits| encoding.fill(bits));
            let fitting = fitting.filter(|&word| row(architecture, word).is_some_and(|row| row.name == encoding.name));
            let fitting: Vec<u32> = fitting.take(60).collect();
            assert!(!fitting.is_empty(), "{architecture}: no word is taken for {}", encoding.name);
            let features = llvm_features(architecture, encoding.needs);
            by_features.entry(features).or_default().extend(fitting.iter().map(|&word| (word, encoding)));
        }
        let mut wrong = Vec::new();
        for (features, samples) in by_features {
            let code: Vec<u32> = samples.iter().map(|(word, _)| *word).collect();
            for ((word, encoding), mnemonic) in samples.iter().zip(disassemble(architecture, features, &code)) {
                if mnemonic.is_none() && wrong.iter().filter(|line: &&String| line.contains(encoding.name)).count() < 4
                {
                    wrong.push(format!("{word:#010x} {} ({})", encoding.name, encoding.needs));
                }
            }
            if features.is_empty() {
                continue;
            }
            // Without the features, LLVM must not know them: else the table asks for too much, or the comparison is void.
            for ((word, encoding), mnemonic) in samples.iter().zip(disassemble(architecture, "", &code)) {
                // ARMv7 has room for coprocessors where later extensions are.
                let coprocessor =
                    |name: &&String| ["stc2", "ldc2", "cdp2", "mcr2", "mrc2"].iter().any(|one| name.starts_with(one));
                if let Some(mnemonic) = mnemonic.filter(|name| !coprocessor(&name)) {
                    wrong.push(format!("{word:#010x} {} is {mnemonic} without {}", encoding.name, encoding.needs));
                }
            }
        }
        assert!(wrong.is_empty(), "{architecture}: {} words:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn no_random_word_is_base_code_for_a_table_and_more_for_llvm() {
    for architecture in Architecture::ALL {
        let code: Vec<u32> = numbers(0xa64).take(60_000).collect();
        let known = disassemble(architecture, "", &code);
        let with_neon = disassemble(architecture, ",+neon", &code);
        for ((word, base), neon) in code.iter().zip(known).zip(with_neon) {
            match row(architecture, *word).map(|row| row.needs) {
                Some(Needs::Base) => assert!(base.is_some(), "{architecture}: {word:#010x} is no base instruction"),
                Some(Needs::Feature(Feature::Neon)) => {
                    assert!(neon.is_some(), "{architecture}: {word:#010x} is no NEON instruction");
                }
                _ => {}
            }
        }
    }
}
