//! What the linker puts into code, on terms: the address of each table is a variable, of which an instruction has a part.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::code::{Code, Form};
use crate::machine::Fault;
use crate::memory::{Memory, Region};
use crate::terms::{Leaf, Term, Terms, ones};

/// What the linker puts into an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// The page of an address.
    Page(Term),
    /// Where in its page an address is; for an access of so many bytes, or for ADD.
    InPage(Term, Option<u32>),
    /// What is not followed, and why.
    Refused(String),
}

impl Link {
    /// Why an instruction that has it is not executed.
    pub fn refuse(&self) -> Fault {
        match self {
            Link::Refused(why) => Fault::Unlinked(why.clone()),
            Link::Page(_) => Fault::Unlinked("the page of an address, which is for ADRP alone".to_owned()),
            Link::InPage(..) => {
                Fault::Unlinked("the place of an address in its page, for another instruction".to_owned())
            }
        }
    }
}

/// What the linker puts into instructions, by their offset.
#[derive(Clone, Debug, Default)]
pub struct Links(Arc<BTreeMap<u64, Link>>);

impl Links {
    /// Adds the code and its tables to memory.
    pub fn new(terms: &mut Terms, code: &Code, code_base: Leaf, memory: &mut Memory, address_bits: u32) -> Links {
        let tables: Vec<Leaf> = code
            .tables
            .iter()
            .map(|table| {
                let base = terms.variable(format!("the address of {}", table.name), address_bits, false);
                let base = terms.as_leaf(base).expect("a variable is a leaf");
                memory.add(Region::table(terms, base, table));
                base
            })
            .collect();
        let mut region = Region::code(terms, code_base, code);
        let (mut links, mut places) = (BTreeMap::new(), BTreeMap::new());
        for (&at, reference) in &code.references {
            let reference = match reference {
                Ok(reference) => reference,
                Err(why) => {
                    region.remove(terms, at as i64, address_bits / 8);
                    links.insert(at, Link::Refused(why.clone()));
                    continue;
                }
            };
            let base = reference.table.map_or(code_base, |table| tables[table]);
            let base = terms.window(base);
            let address = terms.add_constant(base, reference.addend.into(), address_bits);
            let in_page = *places.entry(address).or_insert_with(|| {
                let name = format!("the place of {} in its page", terms.write(address));
                terms.variable(name, 12, false)
            });
            match reference.form {
                Form::Page => {
                    let page = terms.sub(address, in_page, address_bits);
                    links.insert(at, Link::Page(page));
                }
                Form::InPage(bytes) => {
                    links.insert(at, Link::InPage(in_page, bytes));
                }
                Form::Word | Form::Distance if !code.is_literal(at, 4) => {
                    links.insert(at, Link::Refused("an address in the place of an instruction".to_owned()));
                }
                Form::Word => region.put(terms, at as i64, address, 4),
                Form::Distance => {
                    let code = terms.window(code_base);
                    let distance = terms.sum(&[(address, 1), (code, ones(address_bits))], 0, address_bits);
                    let distance = terms.add_constant(distance, -i128::from(at), address_bits);
                    region.put(terms, at as i64, distance, 4);
                }
            }
        }
        memory.add(region);
        Links(Arc::new(links))
    }

    /// What the linker puts into the instruction of so many bytes at an offset.
    pub fn at(&self, offset: u64, bytes: u64) -> Option<Link> {
        self.0.range(offset..offset + bytes).next().map(|(_, link)| link.clone())
    }
}
