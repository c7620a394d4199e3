//! Every class of T32 instructions that the prover decodes, in blocks of IT and outside, against QEMU.

use vambrace_prover::a32;
use vambrace_prover::a32::instruction::{Alu, Operand, Operation, Shift};
use vambrace_prover::t32::decode::{Decoded, Place, TABLE, decode, from_a32};

use super::arm::{
    CASES, CODE, COMPILER, RESERVED, STATE_BYTES, access, compare_all, put_addresses, source, state_and_pool,
    thumb_bytes, word_at,
};
use super::guest::{Random, run};
use super::model::{Case, MIDDLE, POOL, POOL_BYTES};

/// Of the classes that stand for many instructions.
const MANY_CASES: usize = 300;

/// A class, and its words by random bits.
struct Class {
    name: &'static str,
    word: Box<dyn Fn(u32) -> Option<u32>>,
}

/// The classes of the table, and those that are A32's but for the first bits.
fn classes() -> Vec<Class> {
    let own = TABLE.iter().map(|row| {
        let one_halfword = row.word(0) < 0x1_0000;
        // The pattern of one halfword has nothing but zeros above.
        let word = move |fields| Some(row.word(if one_halfword { fields & 0xffff } else { fields }));
        Class { name: row.class, word: Box::new(word) }
    });
    let shared = a32::decode::TABLE.iter().filter(|row| is_vector(row.class)).map(|row| {
        // With "always" for a condition.
        let word = move |fields: u32| from_a32(row.word(fields & 0x0fff_ffff | 0xe000_0000));
        Class { name: row.class, word: Box::new(word) }
    });
    own.chain(shared).collect()
}

fn is_vector(class: &str) -> bool {
    ["V", "SHA", "AES"].iter().any(|letters| class.starts_with(letters))
}

/// Whether a field may be the register that no case uses.
fn uses_reserved(word: u32, operation: Operation) -> bool {
    let listed = match operation {
        Operation::Multiple { list, .. } => list >> RESERVED & 1 == 1,
        _ => false,
    };
    let high_register = word < 0x1_0000
        && word >> 8 >= 0x44
        && word >> 8 <= 0x47
        && (word >> 3 & 15 == RESERVED || word >> 4 & 8 | word & 7 == RESERVED);
    let field = word > 0xffff && [0, 8, 12, 16].iter().any(|&low| word >> low & 15 == RESERVED);
    listed || high_register || field
}

/// The word with an offset to a place that there is.
fn aimed(word: u32, operation: Operation, random: &mut Random) -> u32 {
    let backward = random.below(2) == 0;
    // From the address of the instruction and 4, in halfwords.
    let offset: u32 = if backward { -12i32 as u32 } else { (POOL + POOL_BYTES) as u32 - 4 } >> 1;
    let sign = if backward { u32::MAX } else { 0 };
    let mut literal = |unit: u32| (POOL as u32 - 4) / unit + random_below(random, (POOL_BYTES as u32 - 8) / unit);
    match (operation, word) {
        (Operation::BranchZero { .. }, _) => word & !0x02f8 | 22 << 3,
        (Operation::Branch { .. }, 0xe000..=0xe7ff) => word & !0x7ff | offset & 0x7ff,
        (Operation::Branch { .. }, ..=0xffff) => word & !0xff | offset & 0xff,
        // J1, J2 and the sign are alike in a short branch of a condition; of the other both are one.
        (Operation::Branch { .. }, _) if word >> 12 & 1 == 0 => {
            word & 0xfbc0_d000 | sign & 0x043f_2800 | offset & 0x7ff
        }
        (Operation::Branch { .. }, _) => word & 0xf800_d000 | 0x2800 | sign & 0x07ff_0000 | offset & 0x7ff,
        (Operation::LoadStore { rn: 15, .. }, ..=0xffff) => word & !0xff | literal(4),
        (Operation::LoadStore { rn: 15, .. }, _) => word & !0xfff | 1 << 23 | literal(1),
        (Operation::LoadStorePair { rn: 15, .. }, _) => word & !0xff | 1 << 23 | literal(4),
        (Operation::VectorMemory { rn: 15, .. }, _) => word & !0xff | 1 << 23 | literal(4),
        _ => word,
    }
}

/// A word whose lowest byte is an amount to shift by: most often a small one, or one where the results change.
fn shift_amount(random: &mut Random) -> u64 {
    let amount = match random.below(3) {
        0 => [0, 31, 32, 33, 64, 96, 224, 255][random.below(8) as usize],
        1 => random.below(32),
        _ => random.below(256),
    };
    random.below(1 << 24) << 8 | amount
}

fn random_below(random: &mut Random, limit: u32) -> u32 {
    random.below(limit.into()) as u32
}

/// A block of IT with other instructions of one halfword.
fn block(word: u32, random: &mut Random) -> Vec<u8> {
    let count = 4 - (word & 15).trailing_zeros();
    let mut bytes = thumb_bytes(word);
    for _ in 0..count {
        // MOV, CMP, ADD, SUB of an immediate, and of registers.
        let words = [0x2000 | random_below(random, 0x2000), 0x1800 | random_below(random, 0x800)];
        bytes.extend(thumb_bytes(words[random.below(2) as usize]));
    }
    bytes
}

fn case(class: &Class, random: &mut Random) -> Option<Case> {
    let mut word = (class.word)(random.next() as u32)?;
    let (decoded, name) = decode(word)?;
    if name != class.name {
        return None;
    }
    let (operation, place) = match decoded {
        Decoded::Instruction(instruction) => {
            word = aimed(word, instruction.operation, random);
            let (Decoded::Instruction(aimed), _) = decode(word)? else { return None };
            (aimed.operation, aimed.place)
        }
        Decoded::IfThen(_) => (Operation::Nop, Place::Outside),
    };
    if uses_reserved(word, operation) {
        return None;
    }
    let is_block = matches!(decoded, Decoded::IfThen(_));
    let condition = (place != Place::Outside && random.below(3) == 0).then(|| random.below(14) as u32);
    let executed = match condition {
        _ if is_block => block(word, random),
        Some(condition) => [thumb_bytes(0xbf08 | condition << 4), thumb_bytes(word)].concat(),
        None => thumb_bytes(word),
    };
    // What is behind IT is two bytes further.
    if condition.is_some() && matches!(operation, Operation::Branch { .. }) {
        return None;
    }
    let (state, pool) = state_and_pool(random);
    let base = access(operation).filter(|(rn, _)| *rn != 15).map(|(rn, distance)| {
        let anywhere = matches!(operation, Operation::LoadStore { .. } | Operation::LoadStoreIndexed { .. });
        let further = random.below(64) as i64 - 32;
        (rn, MIDDLE - distance + if anywhere { further } else { further & !31 })
    });
    let target = match operation {
        Operation::Exchange { rm: 15 } => return None,
        Operation::Exchange { rm } => Some(rm),
        _ => None,
    };
    // The address of a return is what is read last.
    let target_in_memory = match (operation, base) {
        (Operation::Multiple { list, start, .. }, Some((_, at))) if list >> 15 == 1 => {
            Some(at + start + 4 * (i64::from(list.count_ones()) - 1))
        }
        _ => None,
    };
    let index = match operation {
        Operation::LoadStoreIndexed { rn, rm, .. } if rn == rm || rn == 13 => return None,
        Operation::LoadStoreIndexed { rm, .. } => Some((rm, random.below(64))),
        Operation::ShiftBy { rm, .. } => Some((rm, shift_amount(random))),
        Operation::Multiply { rm, .. } | Operation::MultiplyAdd { rm, .. } => Some((rm, random.below(1 << 32))),
        _ => None,
    };
    let takes_carry = matches!(
        operation,
        Operation::Alu { alu: Alu::AddCarry | Alu::SubCarry, .. }
            | Operation::Alu { operand: Operand::Shifted(_, Shift::Extend), .. }
    );
    let is_conditional =
        is_block || condition.is_some() || matches!(decoded, Decoded::Instruction(it) if it.condition < 14);
    let before = ((is_conditional || takes_carry) && random.below(4) > 0).then(|| {
        let taken = |register| [base.map(|(rn, _)| rn), index.map(|(rm, _)| rm), target].contains(&Some(register));
        let [d, n, m] = std::array::from_fn(|_| random_below(random, 9))
            .map(|n| [n, 10, 11].into_iter().find(|&n| !taken(n)).unwrap_or(12));
        // ADDS, ADCS, and MOVS with LSR; SUBS and ANDS, whose carry is a question of its own.
        let sets = [0xeb10_0000, 0xeb50_0000, 0xea5f_1050, 0xebb0_0000, 0xea10_0000];
        let set = sets[random.below(if takes_carry { 3 } else { 5 }) as usize];
        let n = if set == 0xea5f_1050 { 0 } else { n };
        set | n << 16 | d << 8 | m
    });
    Some(Case {
        class: class.name,
        before,
        word,
        state,
        pool,
        base,
        target,
        target_in_memory,
        index,
        thumb: Some(executed),
    })
}

fn cases(classes: &[Class]) -> Vec<Case> {
    let mut random = Random(6);
    let mut cases = Vec::new();
    for class in classes {
        let wanted = if class.name.starts_with("data") || class.name == "IT" { MANY_CASES } else { CASES };
        let (mut found, mut tried) = (0, 0);
        while found < wanted {
            tried += 1;
            assert!(tried < 2_000_000, "only {found} words of {} were found", class.name);
            if let Some(case) = case(class, &mut random) {
                cases.push(case);
                found += 1;
            }
        }
    }
    cases
}

/// Where the code of each case is: the guest tells, when the cases do nothing.
fn positions(cases: &[Case]) -> Vec<u64> {
    let idle: Vec<Case> = cases
        .iter()
        .map(|case| Case {
            before: None,
            word: 0xbf00,
            thumb: Some(thumb_bytes(0xbf00)),
            state: case.state.clone(),
            ..*case
        })
        .collect();
    let states: Vec<u8> = idle.iter().flat_map(|case| case.state.clone()).collect();
    let found = run("t32-probe", COMPILER, &["-mthumb"], "qemu-arm", &source(&idle), &states);
    found.chunks(STATE_BYTES).map(|state| word_at(state, CODE).into()).collect()
}

#[test]
fn every_class_does_what_qemu_does() {
    let classes = classes();
    let mut cases = cases(&classes);
    let positions = positions(&cases);
    put_addresses(&mut cases, &positions);
    let with_variables = compare_all("t32", "-mthumb", &cases, &positions);
    println!("{} cases of {} classes", cases.len(), classes.len());
    for class in &classes {
        let some = with_variables.get(class.name).is_some_and(|&cases| cases > CASES / 10);
        assert!(some || ["VTBL", "IT", "CBZ, CBNZ"].contains(&class.name), "{} was not tried on variables", class.name);
    }
}
