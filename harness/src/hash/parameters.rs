//! Keys, output lengths, salts and personalisations: every pair of key and output length, the self-test of RFC 7693 over
//! some of them, and what is beyond the limits.

use rand::{Rng, RngExt};
use vambrace_reference::oracles::{HashLimits, HashOracle, HashParameters};
use vambrace_vectors::blake2::{self, SelfTest};

use super::{HashCheck, Trial};
use crate::subject::RunningHash;
use crate::trial::{Wrong, same, shown};
use crate::{Context, Outcome, subject::HashSubject};

/// The check.
pub const CHECK: HashCheck = HashCheck {
    name: "parameters",
    looks_for: "digests that are wrong for some key, output length, salt or personalisation, or for the next message under \
                the same ones; lengths beyond the limits that are accepted",
    seen_in: "RFC 7693 appendix E (all lengths in one digest); key blocks lost on reset",
    run,
};

/// Where the case of the self-test is; below, a case is `bytes of the key * 100 + bytes of the digest`.
const SELF_TEST: u64 = 100_000;

/// Where the cases of refusals begin.
const REFUSALS: u64 = 200_000;

fn run(subject: &dyn HashSubject, oracle: &dyn HashOracle, context: &Context) -> Outcome {
    let trial = Trial::new(CHECK.name, subject, oracle, context);
    let missing = "the subject takes no parameters";
    let Some(limits) = oracle.limits().filter(|limits| {
        let parameters = HashParameters { output_bytes: limits.output_bytes, key: &[], salt: &[], personal: &[] };
        subject.start_with(&parameters).is_some()
    }) else {
        return trial.judge([], missing, |_| Ok(0));
    };
    let pairs = (0..=limits.key_bytes as u64)
        .flat_map(|key| (1..=limits.output_bytes as u64).map(move |output| key * 100 + output))
        .filter(|case| trial.selects(*case));
    let cases = pairs.chain(trial.cases(SELF_TEST, 1, 1)).chain(trial.cases(REFUSALS, 2, 50));
    trial.judge(cases, missing, |case| match case {
        REFUSALS.. => refusals(&trial, case, limits),
        SELF_TEST => match blake2::self_test(oracle.algorithm()) {
            Some(test) => self_test(&trial, &test),
            None => Ok(0),
        },
        _ => pair(&trial, case, limits, (case / 100) as usize, (case % 100) as usize),
    })
}

fn start(trial: &Trial<'_>, parameters: &HashParameters<'_>) -> Result<Box<dyn RunningHash>, Wrong> {
    match trial.subject.start_with(parameters) {
        Some(Ok(running)) => Ok(running),
        Some(Err(error)) => Err(Wrong::new(format!("parameters within the limits are refused: {error}"))),
        None => Err(Wrong::new("parameters are taken only sometimes")),
    }
}

/// A key and an output length, with salt and personalisation or without, at a message length around those where something
/// happens; then another message under the same.
fn pair(trial: &Trial<'_>, case: u64, limits: HashLimits, key_bytes: usize, output_bytes: usize) -> Result<u64, Wrong> {
    let mut rng = trial.rng(case);
    let block = trial.oracle.block_bytes();
    let bytes = trial.bytes(!case, key_bytes + 2 * limits.salt_bytes);
    let (key, rest) = bytes.split_at(key_bytes);
    let (salt, personal) = rest.split_at(limits.salt_bytes);
    let salt = if rng.random() { salt } else { &[] };
    let personal = if rng.random() { personal } else { &[] };
    let parameters = HashParameters { output_bytes, key, salt, personal };
    let lengths = [0, 1, block - 1, block, block + 1, 2 * block - 1, 2 * block, 2 * block + 1];
    let length = lengths[(rng.next_u32() % 8) as usize];
    let mut message = vec![0; length];
    rng.fill_bytes(&mut message);
    let input = format!(
        "key {}, salt {}, personalisation {}, {output_bytes} bytes of digest, message {}",
        shown(key),
        shown(salt),
        shown(personal),
        shown(&message)
    );
    let expected = |message: &[u8]| match trial.oracle.digest_with(&parameters, message) {
        Some(digest) => Ok(digest),
        None => Err(Wrong::new("the oracle refuses parameters within its own limits")),
    };

    let mut running = start(trial, &parameters)?;
    let cut = rng.random_range(0..=length);
    running.update(&message[..cut]);
    running.update(&message[cut..]);
    same(|| "the digest is wrong".to_owned(), &expected(&message)?, &running.finalize_reset())
        .map_err(|wrong| wrong.input(&input))?;
    running.update(&message[cut..]);
    same(
        || "the digest of the next message under the same parameters is wrong".to_owned(),
        &expected(&message[cut..])?,
        &running.boxed_clone().finalize(),
    )
    .map_err(|wrong| wrong.input(&input))?;
    running.reset();
    same(|| "the digest of nothing after a reset is wrong".to_owned(), &expected(&[])?, &running.finalize())
        .map_err(|wrong| wrong.input(&input))?;
    Ok(3)
}

/// The digest over the digests of all lengths that RFC 7693 names.
fn self_test(trial: &Trial<'_>, test: &SelfTest) -> Result<u64, Wrong> {
    let hash = |output_bytes: usize, key: &[u8], message: &[u8]| -> Result<Vec<u8>, Wrong> {
        let mut running = start(trial, &HashParameters { output_bytes, key, salt: &[], personal: &[] })?;
        running.update(message);
        Ok(running.finalize())
    };
    let mut digests = Vec::new();
    for output in test.output_lengths {
        for input in test.input_lengths {
            let message = blake2::self_test_sequence(input, input as u32);
            digests.extend(hash(output, &[], &message)?);
            let key = blake2::self_test_sequence(output, output as u32);
            digests.extend(hash(output, &key, &message)?);
        }
    }
    same(|| "the self-test of RFC 7693, appendix E, fails".to_owned(), &test.digest, &hash(32, &[], &digests)?)?;
    Ok((2 * test.output_lengths.len() * test.input_lengths.len()) as u64)
}

fn refusals(trial: &Trial<'_>, case: u64, limits: HashLimits) -> Result<u64, Wrong> {
    let HashLimits { output_bytes, key_bytes, salt_bytes } = limits;
    let bytes = trial.bytes(case, 1000);
    let more = trial.rng(!case).random_range(2..300);
    let good = HashParameters { output_bytes, key: &bytes[..key_bytes], salt: &[], personal: &[] };
    let mut wrong = vec![
        HashParameters { output_bytes: 0, ..good },
        HashParameters { output_bytes: output_bytes + 1, ..good },
        HashParameters { output_bytes: output_bytes + more, ..good },
        HashParameters { output_bytes: usize::MAX, ..good },
        // What is left of this in a byte would be allowed.
        HashParameters { output_bytes: 256 + output_bytes, ..good },
        HashParameters { key: &bytes[..key_bytes + 1], ..good },
        HashParameters { key: &bytes[..key_bytes + more], ..good },
        HashParameters { key: &bytes[..256 + key_bytes], ..good },
    ];
    if salt_bytes != 0 {
        for length in [1, salt_bytes - 1, salt_bytes + 1, 2 * salt_bytes, salt_bytes + more, 256 + salt_bytes] {
            wrong.push(HashParameters { salt: &bytes[..length], ..good });
            wrong.push(HashParameters { personal: &bytes[..length], ..good });
        }
    }
    let tried = wrong.len() as u64;
    for HashParameters { output_bytes, key, salt, personal } in wrong {
        let what = format!(
            "a digest of {output_bytes} bytes under a key of {}, a salt of {} and a personalisation of {}",
            key.len(),
            salt.len(),
            personal.len()
        );
        match trial.subject.start_with(&HashParameters { output_bytes, key, salt, personal }) {
            Some(Err(error)) if error.is_empty() => {
                return Err(Wrong::new(format!("the error for {what} says nothing")));
            }
            Some(Err(_)) => {}
            Some(Ok(_)) => return Err(Wrong::new(format!("{what} is accepted"))),
            None => return Err(Wrong::new(format!("{what} is not answered, where the subject answers others"))),
        }
    }
    Ok(tried)
}
