//! How much to do, and where randomness comes from.

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
}

impl Context {
    /// A context for a run on its own, as in an example or a test.
    pub fn new(budget: Budget, seed: u64) -> Context {
        Context { budget, seed, only_case: None, replay_command: String::new(), place: String::new() }
    }

    /// The numbers of the cases to run: `quick` of them in a quick run, `full` in a full one, or the one to be replayed.
    pub fn cases(&self, quick: u64, full: u64) -> std::ops::Range<u64> {
        match (self.only_case, self.budget) {
            (Some(case), _) => case..case + 1,
            (None, Budget::Quick) => 0..quick,
            (None, Budget::Full | Budget::Soak) => 0..full,
        }
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
