//! What the caller does with its buffers, and where they lie, must not matter: each part is overwritten once `update`
//! has returned, and begins at every alignment.

use rand::RngExt;
use vambrace_reference::oracles::HashOracle;

use super::{HashCheck, Trial};
use crate::message::Length;
use crate::place::{ALIGNMENTS, Place};
use crate::subject::HashSubject;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "aliasing",
    looks_for: "digests that change when the input is overwritten after update, or with the alignment of the input",
    seen_in: "testmgr and BoringSSL (aliasing); libgcrypt 1111d311, wolfSSL#5323, mirage-crypto#291 (alignment)",
    run,
};

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    trial.judge(trial.cases(0, 2 * ALIGNMENTS, 40 * ALIGNMENTS), "", |case| {
        let alignment = (case % ALIGNMENTS) as usize;
        Ok(at_once(&trial, case, alignment)? + in_parts(&trial, case, alignment)? + together(&trial, case, alignment)?)
    })
}

/// Three parts, each at its own place: one that is buffered, one of several blocks, one that ends inside a block.
fn in_parts(trial: &Trial<'_>, case: u64, alignment: usize) -> Result<u64, Wrong> {
    let block = trial.oracle.block_bytes();
    let lengths = (Length(0..block), Length(2 * block..9 * block), Length(0..block));
    trial.property(case, &lengths, |&(first, second, third)| {
        let lengths = [first, second, third];
        let message = trial.bytes(!case, lengths.iter().sum());
        let expected = trial.oracle.digest(&message);
        let input = format!("updates {lengths:?}, each at {alignment} modulo {ALIGNMENTS}: {}", shown(&message));
        let digest = hash_from_places(trial, &message, lengths, alignment, Place::keep);
        same(|| "the digest of parts at these addresses is wrong".to_owned(), &expected, &digest)
            .map_err(|wrong| wrong.input(&input))?;
        let digest = hash_from_places(trial, &message, lengths, alignment, Place::overwrite);
        same(|| "the digest is wrong when each part is overwritten after its update".to_owned(), &expected, &digest)
            .map_err(|wrong| wrong.input(&input))?;
        Ok(2)
    })
}

/// The digest of three parts, where something happens to each once it was taken.
fn hash_from_places(
    trial: &Trial<'_>,
    message: &[u8],
    lengths: [usize; 3],
    alignment: usize,
    after: fn(&mut Place),
) -> Vec<u8> {
    let mut running = trial.subject.start();
    let mut rest = message;
    let places = lengths.map(|length| {
        let (part, others) = rest.split_at(length);
        rest = others;
        let mut place = Place::new(alignment, part);
        running.update(place.bytes());
        after(&mut place);
        place
    });
    let digest = running.finalize();
    // Until here, what was overwritten stays where the subject saw the message.
    drop(places);
    digest
}

/// One update from an alignment.
fn at_once(trial: &Trial<'_>, case: u64, alignment: usize) -> Result<u64, Wrong> {
    let longest = 6 * trial.oracle.block_bytes();
    trial.property(case, &Length(1..=longest), |length| {
        let message = trial.bytes(!case, *length);
        let place = Place::new(alignment, &message);
        let mut running = trial.subject.start();
        running.update(place.bytes());
        let what = || format!("the digest is wrong at an address of {alignment} modulo {ALIGNMENTS}");
        same(what, &trial.oracle.digest(&message), &running.finalize())
            .map_err(|wrong| wrong.input(shown(&message)))?;
        Ok(1)
    })
}

/// Several messages at once, each at an alignment of its own.
fn together(trial: &Trial<'_>, case: u64, alignment: usize) -> Result<u64, Wrong> {
    let Trial { subject, oracle, .. } = *trial;
    let mut rng = trial.rng(case ^ 1 << 33);
    let bytes = trial.bytes(!case, 4 * oracle.block_bytes());
    let places: Vec<Place> = (0..5)
        .map(|index| {
            let alignment = if index == 0 { alignment } else { rng.random_range(0..ALIGNMENTS as usize) };
            Place::new(alignment, &bytes[..rng.random_range(0..=bytes.len())])
        })
        .collect();
    let messages: Vec<&[u8]> = places.iter().map(Place::bytes).collect();
    let mut digests = vec![vec![0; oracle.output_bytes()]; messages.len()];
    match subject.digest_many(&messages, &mut digests) {
        None => return Ok(0),
        Some(Ok(())) => {}
        Some(Err(error)) => return Err(Wrong::new(format!("as many outputs as messages are refused: {error}"))),
    }
    for (message, digest) in messages.iter().zip(&digests) {
        let address = message.as_ptr().addr() % ALIGNMENTS as usize;
        let what = || format!("among several messages, the digest of one at {address} modulo {ALIGNMENTS} is wrong");
        same(what, &oracle.digest(message), digest).map_err(|wrong| wrong.input(shown(message)))?;
    }
    Ok(1)
}
