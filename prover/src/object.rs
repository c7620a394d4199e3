//! A function of anybody's object file, with all that it refers to.
//!
//! The function may branch to any other code of its section, as one that chooses between several does, so its code is the
//! whole section. What the linker will put into instructions and literals is followed where it is an address inside of the
//! object, of constants, or that of a variable whose value the contract tells. An instruction that has anything else put
//! into it cannot be executed.

use std::ops::Range;

use object::{
    Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionFlags, SectionIndex, SectionKind,
    SymbolKind, elf,
};
use vambrace_contract::Architecture;

use crate::code::{Code, CodeError, Content, ElfFile, Form, Reference, Table};

impl ElfFile<'_> {
    /// The code of a function, where the variables of the program have these values.
    ///
    /// # Errors
    /// If it is not there, or a variable is not referred to by the object.
    pub fn object(&self, function: &str, variables: &[Table]) -> Result<Code, CodeError> {
        let symbol = self.symbol(function)?;
        let no_section = || CodeError::NoSection(function.to_owned());
        let section = symbol.section_index().and_then(|index| self.file.section_by_index(index).ok());
        let section = section.ok_or_else(no_section)?;
        let bytes = section.data().map_err(|_| no_section())?.to_vec();
        let entry = (symbol.address() & !1) - section.address();
        let thumb = self.architecture == Architecture::Arm && symbol.address() & 1 == 1;
        let mut code = Code { bytes, entry, thumb, ..Code::default() };
        self.divide(section.index(), section.address(), &mut code);
        if self.file.kind() == object::ObjectKind::Relocatable {
            self.refer(&section, variables, &mut code);
        } else {
            code.address = Some(section.address());
        }
        match variables.iter().find(|variable| !code.tables.contains(variable)) {
            Some(Table { name, .. }) => Err(CodeError::Variable(format!(
                "the contract has a variable {name}, to which no relocation of the function's section refers"
            ))),
            None => Ok(code),
        }
    }

    /// Whether a function is defined in the file.
    pub fn defines(&self, function: &str) -> bool {
        self.symbol(function).is_ok()
    }

    fn symbol(&self, function: &str) -> Result<object::Symbol<'_, '_>, CodeError> {
        let in_code =
            |index| self.file.section_by_index(index).is_ok_and(|section| section.kind() == SectionKind::Text);
        let defined = || self.file.symbols().filter(|symbol| symbol.section_index().is_some_and(in_code));
        let found = defined().find(|symbol| symbol.name() == Ok(function));
        found.ok_or_else(|| {
            let mut names: Vec<&str> =
                defined().filter(|symbol| symbol.is_global()).filter_map(|symbol| symbol.name().ok()).collect();
            names.sort_unstable();
            let (shown, more) = (names.len().min(8), names.len().saturating_sub(8));
            let there = match (names.is_empty(), more) {
                (true, _) => "there is none at all".to_owned(),
                (false, 0) => format!("there are {}", names.join(", ")),
                (false, more) => format!("there are {} and {more} more", names[..shown].join(", ")),
            };
            CodeError::NoFunction { wanted: function.to_owned(), there }
        })
    }

    /// Tells instructions from literals, by the mapping symbols (ELF for the Arm Architecture, section 5.5.5).
    fn divide(&self, section: SectionIndex, address: u64, code: &mut Code) {
        let mapping = self.mapping(section);
        let end = code.bytes.len();
        let begins = |index: usize| mapping.get(index).map_or(end, |&(at, _)| ((at - address) as usize).min(end));
        if begins(0) > 0 {
            code.foreign.push(0..begins(0));
        }
        for (index, &(_, content)) in mapping.iter().enumerate() {
            let range = begins(index)..begins(index + 1);
            match content {
                _ if range.is_empty() => {}
                Content::Literals => code.literals.push(range),
                Content::Thumb if code.thumb => {}
                Content::Words if !code.thumb => {}
                Content::Words | Content::Thumb => code.foreign.push(range),
            }
        }
    }

    fn refer(&self, section: &object::Section<'_, '_>, variables: &[Table], code: &mut Code) {
        for (at, relocation) in section.relocations() {
            let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
            let form = form(self.architecture, r_type);
            let in_place = relocation.has_implicit_addend().then(|| word_at(&code.bytes, at)).flatten();
            let addend = relocation.addend().wrapping_add(in_place.map_or(0, |word| i64::from(word as i32)));
            let target = form.ok_or_else(|| "of a kind that is not followed".to_owned()).and_then(|form| {
                let (table, addend) =
                    self.target(section.index(), relocation.target(), (form, addend), variables, code)?;
                Ok(Reference { form, table, addend })
            });
            let against = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    self.file.symbol_by_index(index).ok().and_then(|symbol| self.name_of(&symbol))
                }
                _ => None,
            };
            let against = against.unwrap_or_else(|| "nothing with a name".to_owned());
            let reference = target
                .map_err(|why| format!("relocation {} against {against}: {why}", kind_name(self.architecture, r_type)));
            code.references.insert(at, reference);
        }
    }

    /// A section's symbol has no name of its own.
    fn name_of(&self, symbol: &object::Symbol<'_, '_>) -> Option<String> {
        let own = symbol.name().ok().filter(|name| !name.is_empty());
        let section = || self.file.section_by_index(symbol.section_index()?).ok()?.name().ok().map(str::to_owned);
        own.map(str::to_owned).or_else(section)
    }

    /// Which table, or the code itself, and how far from its beginning.
    fn target(
        &self,
        own: SectionIndex,
        target: RelocationTarget,
        (form, addend): (Form, i64),
        variables: &[Table],
        code: &mut Code,
    ) -> Result<(Option<usize>, i64), String> {
        let RelocationTarget::Symbol(index) = target else { return Err("it is against no symbol".to_owned()) };
        let symbol = self.file.symbol_by_index(index).map_err(|error| error.to_string())?;
        let name = symbol.name().unwrap_or_default();
        if let Some(variable) = variables.iter().find(|variable| variable.name == name) {
            return Ok((Some(entered(code, variable.clone())), addend));
        }
        if symbol.is_weak() {
            return Err("it is weak, so that another may take its place".to_owned());
        }
        let Some(section) = symbol.section_index() else {
            return Err("it is neither in the object nor a variable of the contract".to_owned());
        };
        let offset = addend.wrapping_add(symbol.address() as i64);
        if section == own {
            return Ok((None, offset));
        }
        let section = self.file.section_by_index(section).map_err(|error| error.to_string())?;
        // A symbol with a size is what is meant, however far the addend leads from it.
        let is_meant = symbol.size() > 0 && symbol.kind() != SymbolKind::Section;
        let covered = self.constants(&section, if is_meant { symbol.address() as i64 } else { offset })?;
        if form == Form::Distance && !is_meant && covered != (0..section.size()) {
            return Err(
                "by a distance from somewhere, it does not tell which symbol of the section is meant".to_owned()
            );
        }
        if section.relocations().any(|(at, _)| (covered.start..covered.end).contains(&at)) {
            return Err("what it refers to has relocations of its own".to_owned());
        }
        let data = section.data_range(covered.start, covered.end - covered.start).ok().flatten();
        let bytes = data.ok_or_else(|| "what it refers to has no bytes".to_owned())?.to_vec();
        let named = self.file.symbols().find(|symbol| {
            symbol.section_index() == Some(section.index()) && symbol.address() == covered.start && symbol.size() > 0
        });
        let name = named.and_then(|symbol| symbol.name().ok()).or_else(|| section.name().ok()).unwrap_or_default();
        let table = Table { name: name.to_owned(), bytes, variable: false };
        Ok((Some(entered(code, table)), offset - covered.start as i64))
    }

    /// The symbol that covers an offset of a section of constants; where none does, what lies between those around.
    fn constants(&self, section: &object::Section<'_, '_>, offset: i64) -> Result<Range<u64>, String> {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
            return Err("its section has no flags".to_owned());
        };
        if sh_flags.contains(elf::SHF_WRITE) {
            return Err("it can be written, and is no variable of the contract".to_owned());
        }
        if sh_flags.contains(elf::SHF_MERGE) {
            return Err("the linker may merge its section with others".to_owned());
        }
        let offset = u64::try_from(offset).ok().filter(|&offset| offset < section.size());
        let offset = offset.ok_or_else(|| "it refers to what lies beside its section".to_owned())?;
        let mut around = 0..section.size();
        for symbol in self.file.symbols().filter(|symbol| symbol.section_index() == Some(section.index())) {
            let (start, end) = (symbol.address(), symbol.address().saturating_add(symbol.size()));
            if symbol.size() == 0 {
                continue;
            }
            if (start..end).contains(&offset) {
                return Ok(start..end);
            }
            if end <= offset {
                around.start = around.start.max(end);
            } else {
                around.end = around.end.min(start);
            }
        }
        Ok(around)
    }
}

fn entered(code: &mut Code, table: Table) -> usize {
    let known = code.tables.iter().position(|known| *known == table);
    known.unwrap_or_else(|| {
        code.tables.push(table);
        code.tables.len() - 1
    })
}

fn word_at(bytes: &[u8], at: u64) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(usize::try_from(at).ok()?..)?.first_chunk()?))
}

/// What the linker does (ELF for the Arm 64-bit Architecture, section 5.7; ELF for the Arm Architecture, section 5.6).
fn form(architecture: Architecture, kind: elf::RelocationType) -> Option<Form> {
    Some(match architecture {
        Architecture::Aarch64 => match kind {
            elf::R_AARCH64_ADR_PREL_PG_HI21 | elf::R_AARCH64_ADR_PREL_PG_HI21_NC => Form::Page,
            elf::R_AARCH64_ADD_ABS_LO12_NC => Form::InPage(None),
            elf::R_AARCH64_LDST8_ABS_LO12_NC => Form::InPage(Some(1)),
            elf::R_AARCH64_LDST16_ABS_LO12_NC => Form::InPage(Some(2)),
            elf::R_AARCH64_LDST32_ABS_LO12_NC => Form::InPage(Some(4)),
            elf::R_AARCH64_LDST64_ABS_LO12_NC => Form::InPage(Some(8)),
            elf::R_AARCH64_LDST128_ABS_LO12_NC => Form::InPage(Some(16)),
            _ => return None,
        },
        Architecture::Arm => match kind {
            elf::R_ARM_ABS32 => Form::Word,
            elf::R_ARM_REL32 => Form::Distance,
            _ => return None,
        },
    })
}

fn kind_name(architecture: Architecture, kind: elf::RelocationType) -> String {
    let machine = match architecture {
        Architecture::Aarch64 => elf::EM_AARCH64,
        Architecture::Arm => elf::EM_ARM,
    };
    elf::machine_names(machine).r.name(kind).map_or_else(|| format!("number {}", kind.0), str::to_owned)
}
