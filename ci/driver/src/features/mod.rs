//! Which CPU features a kernel's instructions need, read from the ELF file that the guests ran.
//!
//! QEMU cannot show this: its aarch64 models all have AES and SHA-2, so an instruction that a contract forgot runs there.
//! Every instruction word is therefore looked up in a table of what each feature has; a word that no row knows fails.

mod a32;
mod a64;
pub mod encoding;
#[cfg(test)]
mod tests;

use vambrace::kernels::{Architecture, Feature};

use crate::elf::{Content, Elf};
use crate::plan::{Check, Scope};
use encoding::{Encoding, Needs};

/// The check's name.
pub const NAME: &str = "features";

/// `hint #34`: where branches to unmarked code are refused (FEAT_BTI), a kernel can be called by a pointer.
const LANDING_PAD: u32 = 0xd503_245f;

/// The check.
pub fn check() -> Check {
    Check {
        name: NAME,
        scope: Scope::Elf,
        looks_for: "instruction words, between the kernel's symbol and its end and outside of literals, that belong neither to \
            the base architecture nor to a feature that the contract declares; words that are in no table; on AArch64, a missing \
            landing pad"
            .to_owned(),
        seen_in: "wolfSSL 11123 (SHA-3 instructions behind a NEON name), libgcrypt 1e72c50f (NEON symbol in a build without NEON)"
            .to_owned(),
    }
}

fn table(architecture: Architecture) -> &'static [Encoding] {
    match architecture {
        Architecture::Aarch64 => a64::TABLE,
        Architecture::Arm => a32::TABLE,
    }
}

/// The row of an instruction; none for a word that a kernel may not consist of.
pub fn encoding(architecture: Architecture, word: u32) -> Option<&'static Encoding> {
    table(architecture).iter().find(|row| row.matches(word))
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
    /// The first word of AArch64 code that lacks the landing pad for calls.
    no_landing_pad: Option<u32>,
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
        if let Some(word) = self.no_landing_pad {
            complaints.push(format!(
                "the kernel begins with {word:#010x}, not with a landing pad for calls (BTI C, hint #34)"
            ));
        }
        if self.instructions == 0 {
            complaints.push("the kernel has no instructions".to_owned());
        }
        (!complaints.is_empty()).then(|| complaints.join("; "))
    }
}

impl Elf {
    /// Looks up every instruction of the kernel at an address.
    ///
    /// # Errors
    /// If its extent, or what is code in it, cannot be told.
    pub fn inspect(&self, address: u64) -> Result<Finding, String> {
        let function = self.function_at(address)?;
        let code = self.bytes(address, function.size)?;
        let table = table(self.architecture());
        let mut finding = Finding {
            instructions: 0,
            literal_bytes: 0,
            needed: Vec::new(),
            uses: Vec::new(),
            unknown: Vec::new(),
            no_landing_pad: None,
        };
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
                Content::Thumb => return Err(format!("{}: there is Thumb code at {here:#x}", self.name())),
                Content::A32 | Content::A64 => {}
            }
            let word =
                code.get(offset as usize..).and_then(|rest| rest.first_chunk()).filter(|_| here.is_multiple_of(4));
            let word = u32::from_le_bytes(
                *word.ok_or_else(|| format!("{}: there is a piece of an instruction at {here:#x}", self.name()))?,
            );
            finding.note(table, offset, word);
            if offset == 0 && content == Content::A64 && word != LANDING_PAD {
                finding.no_landing_pad = Some(word);
            }
            offset += 4;
        }
        let needs = |feature: &Feature| finding.uses.iter().any(|used| used.needs == Needs::Feature(*feature));
        finding.needed = Feature::ALL.into_iter().filter(needs).collect();
        Ok(finding)
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
            no_landing_pad: None,
        }
    }
}
