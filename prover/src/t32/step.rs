//! One step: an instruction, or IT with those that depend on it.

use super::decode::{Decoded, Instruction, Place, decode, length};
use crate::a32::State;
use crate::a32::instruction::Operation;
use crate::machine::{Fault, Flow, Stop};
use crate::terms::Terms;

impl State {
    /// Executes one instruction, or IT and the one to four instructions behind it, so that no step ends within a block.
    pub(crate) fn step_thumb(&mut self, terms: &mut Terms) -> Result<Flow, Stop> {
        let block = match self.decode_thumb()? {
            (Decoded::IfThen(block), _) => block,
            (Decoded::Instruction(instruction), class) => {
                return self.execute_thumb(terms, instruction, instruction.condition, class);
            }
        };
        let before = self.clone();
        self.position += self.length;
        let mut conditions = block.conditions().peekable();
        while let Some(condition) = conditions.next() {
            let done = self.decode_thumb().and_then(|(decoded, class)| {
                let instruction = in_block(decoded, conditions.peek().is_none(), class)?;
                // Of the block as a whole the offset would be that of IT.
                if terms.executed().is_some() {
                    terms.set_executed(Some(self.position));
                }
                self.execute_thumb(terms, instruction, condition, class)
            });
            match done {
                Ok(Flow::On) => {}
                Ok(Flow::Returned) => return Ok(Flow::Returned),
                Err(stop) => {
                    // It is begun anew for each part of the count.
                    if !matches!(stop, Stop::Fault(_)) {
                        *self = before;
                    }
                    return Err(stop);
                }
            }
        }
        Ok(Flow::On)
    }

    fn decode_thumb(&mut self) -> Result<(Decoded, &'static str), Stop> {
        let word = self.code.fetch(self.position).ok_or(Fault::OutsideCode)?;
        self.length = if word > 0xffff { 4 } else { length(word as u16) };
        if let Some(link) = self.links.at(self.position, self.length) {
            return Err(link.refuse().into());
        }
        // BLX of a register; BX is known.
        let indirect = word & 0xffff_ff87 == 0x4780;
        decode(word).ok_or_else(|| if indirect { Fault::IndirectBranch(word) } else { Fault::Unknown(word) }.into())
    }

    fn execute_thumb(
        &mut self,
        terms: &mut Terms,
        instruction: Instruction,
        condition: u32,
        class: &'static str,
    ) -> Result<Flow, Stop> {
        if condition < 14 && !self.condition_holds(terms, condition)? {
            self.position += self.length;
            return Ok(Flow::On);
        }
        self.execute(terms, instruction.operation, class)
    }
}

/// What an instruction is in a block of IT.
fn in_block(decoded: Decoded, last: bool, class: &'static str) -> Result<Instruction, Stop> {
    let refused = || Fault::Operand(class, "it may not be there in a block of IT".to_owned());
    let Decoded::Instruction(mut instruction) = decoded else { return Err(refused().into()) };
    match (instruction.place, &mut instruction.operation) {
        (Place::Outside, _) => return Err(refused().into()),
        (Place::Last, _) if !last => return Err(refused().into()),
        (
            Place::FlagsOutside,
            Operation::Alu { flags, .. } | Operation::ShiftBy { flags, .. } | Operation::Multiply { flags, .. },
        ) => *flags = false,
        _ => {}
    }
    Ok(instruction)
}
