//! Data units of every length in both directions, with ciphertext stealing; there and back; one after the other under one
//! key, with tweaks that come again; and runs of sectors.
//!
//! Data units of different lengths are prefixes of one random message under one tweak.

use vambrace_reference::oracles::ciphers::XtsOracle;

use super::setup::{DIRECTIONS, Keys, Prefixes, crypted, direction, judges, sector_tweak};
use super::{Trial, XtsCheck, steps};
use crate::subject::{KeyedXts, XtsSubject};
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: XtsCheck = XtsCheck {
    name: "xts",
    looks_for: "data units of wrong result by their length, in one direction, with stealing, or by what came before; wrong sectors",
    seen_in: "CVE-2023-1255 (decryption, blocks = 4 mod 5), BearSSL 4N+3 blocks, isa-l_crypto#130, mbedtls#4302",
    run,
};

/// Up to here every length is tried.
const EVERY_LENGTH: usize = 1024;
/// Around multiples of this, which the unrolling divides, more are tried.
const UNROLLED: usize = 128;
/// Up to here.
const LONGEST: usize = 8192;
/// Of which a quick run has these.
const QUICK: [usize; 2] = [2048, 4096];

/// Data units up to so many blocks go back too.
const THERE_AND_BACK: usize = 12;

/// Where the cases of sequences begin. Below, a case is twice the length, and one more to decrypt.
const SEQUENCES: u64 = 1_000_000;
/// Where the cases of sectors begin.
const SECTORS: u64 = 2_000_000;

/// Bytes of a sector, and how many.
const SIZES: [(usize, usize); 9] =
    [(16, 9), (17, 5), (31, 4), (33, 3), (100, 3), (512, 3), (520, 2), (1000, 2), (4096, 2)];
/// The first sector.
const FIRST: [u128; 4] = [0, 1, 0xfffe, 0x1234_5678_9abc];

fn run(subject: &dyn XtsSubject, oracle: &dyn XtsOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let block = oracle.block_bytes();
    let around = (EVERY_LENGTH..=LONGEST)
        .step_by(UNROLLED)
        .filter(|length| trial.includes(QUICK.contains(length)))
        .flat_map(|length| length - 15..=length + 15)
        .filter(|length| *length > EVERY_LENGTH);
    let lengths = (block..=EVERY_LENGTH).chain(around).flat_map(|length| [2 * length as u64, 2 * length as u64 + 1]);
    let lengths: Vec<u64> = lengths.filter(|case| trial.selects(*case) && judges(&trial, *case)).collect();
    let longest = lengths.iter().max().map_or(0, |case| (case / 2) as usize);
    let sectors = (SIZES.len() * FIRST.len() * 2) as u64;
    let cases = lengths.into_iter().chain(trial.cases(SEQUENCES, 60, 4000));
    let cases = cases.chain(trial.cases(SECTORS, sectors, sectors).filter(|case| {
        // A few of the sectors are left out of quick runs: by turns, so that each size and each first one is there.
        let index = (case - SECTORS) as usize / 2;
        trial.includes(index / FIRST.len() % FIRST.len() == index % FIRST.len())
    }));

    let keys = Keys::of_case(&trial, u64::MAX);
    let tweak = trial.bytes(u64::MAX, block);
    let message = trial.bytes(u64::MAX - 1, longest);
    let mut fixture: Option<(Box<dyn KeyedXts>, [Prefixes<'_>; 2])> = None;
    trial.judge(cases, "", |case| match case {
        0..SEQUENCES => {
            let (keyed, prefixes) = match fixture.take() {
                Some(fixture) => fixture,
                None => {
                    let t = keys.encrypted(&trial, &tweak);
                    let prefixes = DIRECTIONS.map(|direction| Prefixes::new(&trial, &keys, direction, &t, &message));
                    (keys.keyed(&trial)?, prefixes)
                }
            };
            let data = &message[..(case / 2) as usize];
            let describe = |wrong: Wrong| {
                let done = direction(case).done();
                wrong.input(format!("{}, {done}; tweak {}; {keys}", shown(data), hex::encode(&tweak)))
            };
            let expected = prefixes[(case % 2) as usize].expected(&trial, data.len());
            let result = of_length(&trial, &*keyed, case, &tweak, data, &expected).map_err(describe);
            fixture = Some((keyed, prefixes));
            result
        }
        SEQUENCES..SECTORS => steps::property(&trial, case, steps::units(block)),
        _ => run_of_sectors(&trial, case),
    })
}

fn of_length(
    trial: &Trial<'_>,
    keyed: &dyn KeyedXts,
    case: u64,
    tweak: &[u8],
    data: &[u8],
    expected: &[u8],
) -> Result<u64, Wrong> {
    let direction = direction(case);
    let block = trial.oracle.block_bytes();
    let (length, blocks, rest) = (data.len(), data.len() / block, data.len() % block);
    let actual = crypted(keyed, direction, tweak, data)?;
    let what = || format!("a data unit of {length} bytes ({blocks} blocks and {rest}) is wrongly {}", direction.done());
    same(what, expected, &actual)?;
    if blocks > THERE_AND_BACK || !trial.subject.directions().contains(&direction.reverse()) {
        return Ok(1);
    }
    let back = crypted(keyed, direction.reverse(), tweak, &actual)?;
    same(|| format!("a data unit of {length} bytes does not come back"), data, &back)?;
    Ok(2)
}

/// A run of sectors, each of which is a data unit.
fn run_of_sectors(trial: &Trial<'_>, case: u64) -> Result<u64, Wrong> {
    if !judges(trial, case) {
        return Ok(0);
    }
    let direction = direction(case);
    let index = (case - SECTORS) as usize / 2;
    let (bytes, count) = SIZES[index / FIRST.len()];
    let first = FIRST[index % FIRST.len()];
    let keys = Keys::of_case(trial, case);
    let keyed = keys.keyed(trial)?;
    let data = trial.bytes(case, bytes * count);
    let describe = |wrong: Wrong| {
        let done = direction.done();
        wrong.input(format!("{}, {done} as sectors of {bytes} bytes from {first} on; {keys}", shown(&data)))
    };
    let mut actual = data.clone();
    match keyed.crypt_sectors(direction, first, bytes, &mut actual) {
        None => return Ok(0),
        Some(Ok(())) => {}
        Some(Err(error)) => return Err(describe(Wrong::new(format!("whole sectors are refused: {error}")))),
    }
    for (number, (data, actual)) in (first..).zip(data.chunks(bytes).zip(actual.chunks(bytes))) {
        let expected = keys.expected(trial, direction, &sector_tweak(trial.oracle, number), data);
        same(|| format!("sector {number} is wrongly {}", direction.done()), &expected, actual).map_err(describe)?;
    }
    Ok(count as u64)
}
