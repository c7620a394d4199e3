//! Instructions that the linker puts a part of an address into.

use super::instruction::{Instruction, Mode};
use super::state::State;
use crate::encoding::bits;
use crate::linking::Link;
use crate::machine::{Fault, Flow, Stop};
use crate::terms::{Term, Terms};

impl State {
    /// Executes an instruction with a part of an address in the place of its immediate.
    pub(super) fn execute_linked(
        &mut self,
        t: &mut Terms,
        word: u32,
        instruction: Instruction,
        link: Link,
    ) -> Result<Flow, Stop> {
        match (&link, instruction) {
            (&Link::Page(page), Instruction::AdrPage { rd, .. }) => self.set(rd, page),
            // ADD (immediate) of 64 bits, without a shift of the immediate.
            (
                &Link::InPage(place, None),
                Instruction::AddImmediate { width: 64, subtract: false, flags: false, rd, rn, .. },
            ) if bits(word, 22, 22) == 0 => {
                let base = self.stack_or(t, rn, 64);
                let sum = t.add(base, place, 64);
                self.set_or_stack(rd, sum);
            }
            // LDR (immediate), with an unsigned offset.
            (
                &Link::InPage(place, Some(bytes)),
                Instruction::LoadStore { load: true, moved, mode: Mode::Offset, rt, rn, .. },
            ) if bits(word, 25, 24) == 1 && bytes == moved.bytes() => {
                let base = self.stack_or(t, rn, 64);
                let address = t.add(base, place, 64);
                let value = self.load(t, rn, address, bytes)?;
                self.loaded(moved, rt, value);
            }
            _ => return Err(link.refuse().into()),
        }
        self.position += 4;
        Ok(Flow::On)
    }

    /// What ADRP makes where the file is linked: the page of the instruction, and so many bytes.
    pub(super) fn page_address(&self, t: &mut Terms, offset: i64) -> Result<Term, Fault> {
        let address = self.code.address().ok_or_else(|| Fault::Unlinked("the page of the code".to_owned()))?;
        let in_page = (address.wrapping_add(self.position) & 0xfff) as i64;
        Ok(self.code_address(t, offset - in_page))
    }
}
