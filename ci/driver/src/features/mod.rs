//! Which CPU features a kernel's instructions need, read from the ELF file that the guests ran.
//!
//! QEMU cannot show this: its aarch64 models all have AES and SHA-2, so an instruction that a contract forgot runs there.
//! Every instruction word is therefore looked up in a table of what each feature has; a word that no row knows fails.

mod a32;
mod a64;
mod encoding;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;

use object::{Object, ObjectSection, ObjectSymbol};
use vambrace::kernels::{Architecture, Feature};

use crate::plan::{Check, Scope};
use encoding::{Encoding, Needs};

/// The check's name.
pub const NAME: &str = "features";

/// The check.
pub fn check() -> Check {
    Check {
        name: NAME,
        scope: Scope::Elf,
        looks_for: "instruction words, between the kernel's symbol and its end and outside of literals, that belong neither to \
            the base architecture nor to a feature that the contract declares; words that are in no table"
            .to_owned(),
        seen_in: "wolfSSL 11123 (SHA-3 instructions behind a NEON name), libgcrypt 1e72c50f (NEON symbol in a build without NEON)"
            .to_owned(),
    }
}

/// What the instructions of a kernel are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Instruction words.
    pub instructions: u64,
    /// Bytes of literals among them.
    pub literal_bytes: u64,
    /// The features that they need, in the order of [`Feature::ALL`].
    pub needed: Vec<Feature>,
    /// The first instruction of each feature or extension that is beyond the base architecture.
    uses: Vec<Use>,
    /// Words that are no instruction, or none that a kernel may consist of.
    unknown: Vec<(u64, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Use {
    needs: Needs,
    name: &'static str,
    offset: u64,
    word: u32,
}

impl Finding {
    /// What contradicts a contract that declares these features.
    pub fn complaint(&self, declared: &[&str]) -> Option<String> {
        let undeclared = self.uses.iter().filter(|used| match used.needs {
            Needs::Base => false,
            Needs::Feature(feature) => !declared.contains(&feature.name()),
            Needs::Extension(_) => true,
        });
        let undeclared = undeclared.map(|used| {
            let Use { needs, name, offset, word } = used;
            format!("{word:#010x} at offset {offset:#x} ({name}) needs {needs}, which the contract does not declare")
        });
        let shown = self.unknown.iter().take(4);
        let unknown =
            shown.map(|(offset, word)| format!("{word:#010x} at offset {offset:#x} is in no table of instructions"));
        let mut complaints: Vec<String> = undeclared.chain(unknown).collect();
        if self.unknown.len() > 4 {
            complaints.push(format!("{} more words are in none", self.unknown.len() - 4));
        }
        if self.instructions == 0 {
            complaints.push("the kernel has no instructions".to_owned());
        }
        (!complaints.is_empty()).then(|| complaints.join("; "))
    }
}

/// An ELF file that guests ran.
#[derive(Debug)]
pub struct Elf {
    name: String,
    architecture: Architecture,
    functions: Vec<Function>,
    /// Where code and literals begin, by address.
    mapping: Vec<(u64, Content)>,
    sections: Vec<(u64, Vec<u8>)>,
}

#[derive(Debug)]
struct Function {
    address: u64,
    size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    // First, so that code counts where two mapping symbols share an address: code taken for a literal would go unseen.
    Data,
    A32,
    Thumb,
    A64,
}

impl Elf {
    /// Reads a file.
    ///
    /// # Errors
    /// What cannot be read, with the file's name.
    pub fn read(path: &Path, architecture: Architecture) -> Result<Elf, String> {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        Elf::parse(name, &bytes, architecture)
    }

    fn parse(name: String, bytes: &[u8], architecture: Architecture) -> Result<Elf, String> {
        let file = object::File::parse(bytes).map_err(|error| format!("{name}: {error}"))?;
        let machine = match file.architecture() {
            object::Architecture::Aarch64 => Some(Architecture::Aarch64),
            object::Architecture::Arm => Some(Architecture::Arm),
            _ => None,
        };
        if machine != Some(architecture) || !file.is_little_endian() {
            return Err(format!("{name} is no little-endian {architecture} file, but {:?}", file.architecture()));
        }
        let (mut functions, mut mapping) = (Vec::new(), Vec::new());
        for symbol in file.symbols() {
            let symbol_name = symbol.name().unwrap_or_default();
            let content = match symbol_name.split('.').next() {
                Some("$a") => Some(Content::A32),
                Some("$t") => Some(Content::Thumb),
                Some("$x") => Some(Content::A64),
                Some("$d") => Some(Content::Data),
                _ => None,
            };
            match content {
                Some(content) => mapping.push((symbol.address(), content)),
                None if symbol.kind() == object::SymbolKind::Text && symbol.size() > 0 => {
                    functions.push(Function { address: symbol.address(), size: symbol.size() });
                }
                None => {}
            }
        }
        mapping.sort_unstable();
        let code = file.sections().filter(|section| section.kind() == object::SectionKind::Text);
        let sections = code.map(|section| {
            let data = section.data().map_err(|error| format!("{name}: {error}"))?;
            Ok((section.address(), data.to_vec()))
        });
        let sections = sections.collect::<Result<_, String>>()?;
        Ok(Elf { name, architecture, functions, mapping, sections })
    }

    /// Looks up every instruction of the kernel at an address.
    ///
    /// # Errors
    /// If its extent, or what is code in it, cannot be told.
    pub fn inspect(&self, address: u64) -> Result<Finding, String> {
        let function = self.functions.iter().find(|function| function.address == address).ok_or_else(|| {
            format!("{} has no function symbol with a size at the kernel's address {address:#x}", self.name)
        })?;
        let code = self.bytes(address, function.size)?;
        let table = match self.architecture {
            Architecture::Aarch64 => a64::TABLE,
            Architecture::Arm => a32::TABLE,
        };
        let mut finding =
            Finding { instructions: 0, literal_bytes: 0, needed: Vec::new(), uses: Vec::new(), unknown: Vec::new() };
        let mut offset = 0;
        while offset < function.size {
            let here = address + offset;
            let content = self.content(here)?;
            match content {
                Content::Data => {
                    finding.literal_bytes += 1;
                    offset += 1;
                    continue;
                }
                Content::Thumb => return Err(format!("{}: there is Thumb code at {here:#x}", self.name)),
                Content::A32 | Content::A64 => {}
            }
            let word =
                code.get(offset as usize..).and_then(|rest| rest.first_chunk()).filter(|_| here.is_multiple_of(4));
            let word = u32::from_le_bytes(
                *word.ok_or_else(|| format!("{}: there is a piece of an instruction at {here:#x}", self.name))?,
            );
            finding.note(table, offset, word);
            offset += 4;
        }
        let needs = |feature: &Feature| finding.uses.iter().any(|used| used.needs == Needs::Feature(*feature));
        finding.needed = Feature::ALL.into_iter().filter(needs).collect();
        Ok(finding)
    }

    fn bytes(&self, address: u64, size: u64) -> Result<&[u8], String> {
        let found = self.sections.iter().find_map(|(start, data)| {
            let begin = usize::try_from(address.checked_sub(*start)?).ok()?;
            data.get(begin..begin.checked_add(usize::try_from(size).ok()?)?)
        });
        found.ok_or_else(|| format!("{}: the {size} bytes at {address:#x} are in no section of code", self.name))
    }

    fn content(&self, address: u64) -> Result<Content, String> {
        let next = self.mapping.partition_point(|(start, _)| *start <= address);
        let before = next.checked_sub(1).map(|index| self.mapping[index].1);
        before.ok_or_else(|| format!("{}: no mapping symbol tells whether {address:#x} is code", self.name))
    }
}

impl Finding {
    fn note(&mut self, table: &[Encoding], offset: u64, word: u32) {
        self.instructions += 1;
        match table.iter().find(|row| row.matches(word)) {
            None => self.unknown.push((offset, word)),
            Some(row) if row.needs == Needs::Base || self.uses.iter().any(|used| used.needs == row.needs) => {}
            Some(row) => self.uses.push(Use { needs: row.needs, name: row.name, offset, word }),
        }
    }
}

#[cfg(test)]
impl Finding {
    /// What a kernel of one instruction for each of these features would give.
    pub(crate) fn for_test(needed: &[Feature]) -> Finding {
        let used = |&feature| Use { needs: Needs::Feature(feature), name: "an instruction", offset: 0, word: 0 };
        Finding {
            instructions: 1 + needed.len() as u64,
            literal_bytes: 0,
            needed: needed.to_vec(),
            uses: needed.iter().map(used).collect(),
            unknown: Vec::new(),
        }
    }
}
