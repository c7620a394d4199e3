//! How much to do, and where randomness comes from.

use std::fmt;
use std::str::FromStr;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// How much a check may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Seconds for a subject: the run before every commit.
    Quick,
    /// Minutes: the run before a release.
    Full,
    /// As [`Full`](Budget::Full), again and again with new seeds until the time is over.
    Soak,
}

/// What a check is given beside its subject.
#[derive(Clone, Debug)]
pub struct Context {
    /// How much to do.
    pub budget: Budget,
    /// Where all randomness comes from.
    pub seed: u64,
    /// Run this case alone.
    pub only_case: Option<u64>,
    /// Prefix of the command that replays a failure, as `ci/verify --replay`.
    pub replay_command: String,
    /// Appended to a replayed case's name so that it finds its way back, as the architecture and CPU model.
    pub place: String,
    /// Which of the published vectors are taken.
    pub vectors: Share,
}

/// Every so many-th of many cases, from one of the first on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of the first.
    pub first: u64,
    /// From each to the next; not 0.
    pub step: u64,
}

impl Share {
    /// All of them.
    pub const ALL: Share = Share { first: 0, step: 1 };
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.step)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let numbers = text.split_once('/').and_then(|(first, step)| Some((first.parse().ok()?, step.parse().ok()?)));
        match numbers {
            Some((first, step)) if first < step => Ok(Share { first, step }),
            _ => Err(format!("{text:?} is no share; one is K/N with K below N, as 3/4")),
        }
    }
}

impl Context {
    /// A context for a run on its own, as in an example or a test.
    pub fn new(budget: Budget, seed: u64) -> Context {
        Context {
            budget,
            seed,
            only_case: None,
            replay_command: String::new(),
            place: String::new(),
            vectors: Share::ALL,
        }
    }

    /// The numbers of the cases to run: `quick` of them in a quick run, `full` in a full one, or the one to be replayed.
    pub fn cases(&self, quick: u64, full: u64) -> std::ops::Range<u64> {
        match (self.only_case, self.budget) {
            (Some(case), _) => case..case + 1,
            (None, Budget::Quick) => 0..quick,
            (None, Budget::Full | Budget::Soak) => 0..full,
        }
    }

    /// Whether a published vector is taken: it belongs to the share, or is the one to be replayed.
    pub fn takes(&self, vector: u64) -> bool {
        self.only_case.is_some() || vector % self.vectors.step == self.vectors.first % self.vectors.step
    }

    /// The random numbers of a case: they depend on the seed, the subject, the check and the case alone, so that a case
    /// can be replayed without those before it.
    pub fn rng(&self, subject: &str, check: &str, case: u64) -> ChaCha8Rng {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&fnv(subject).to_le_bytes());
        seed[16..24].copy_from_slice(&fnv(check).to_le_bytes());
        seed[24..].copy_from_slice(&case.to_le_bytes());
        ChaCha8Rng::from_seed(seed)
    }
}

/// FNV-1a, to tell names apart.
fn fnv(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_takes_every_so_many_th_vector_and_the_one_to_be_replayed() {
        let mut context = Context::new(Budget::Quick, 1);
        context.vectors = "3/4".parse().unwrap();
        assert_eq!((0..12).filter(|&vector| context.takes(vector)).collect::<Vec<_>>(), [3, 7, 11]);
        context.only_case = Some(2);
        assert!(context.takes(2));
    }

    #[test]
    fn what_is_no_share_is_an_error_that_says_what_one_is() {
        for text in ["", "1", "4/4", "1/0", "-1/4", "x/y", "1/2/3"] {
            let error = text.parse::<Share>().unwrap_err();
            assert!(error.contains(&format!("{text:?}")) && error.contains("K/N"), "{error}");
        }
    }
}
