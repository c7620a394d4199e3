//! What a proof may cost at most. Running out is a failed proof, never a pass.

use std::fmt;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The limits of one proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions executed, over all runs of the proof.
    pub steps: u64,
    /// Nodes of terms: leaves, products and polynomials.
    pub nodes: usize,
    /// Products in one polynomial.
    pub products: usize,
    /// Time that the thread computes; waiting for a busy machine does not count.
    pub time: Duration,
}

impl Default for Limits {
    /// Some ten times what the costliest kernel takes.
    fn default() -> Limits {
        Limits { steps: 10_000_000, nodes: 8_000_000, products: 4_096, time: Duration::from_secs(60) }
    }
}

/// Which limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// Too many instructions.
    Steps(u64),
    /// Too many nodes.
    Nodes(usize),
    /// A polynomial with too many products.
    Products(usize),
    /// Too much time.
    Time(Duration),
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exhausted::Steps(limit) => write!(f, "more than {limit} instructions were executed"),
            Exhausted::Nodes(limit) => write!(f, "terms have more than {limit} nodes"),
            Exhausted::Products(limit) => write!(f, "a polynomial has more than {limit} products"),
            Exhausted::Time(limit) => write!(f, "the proof took more than {} s", limit.as_secs_f64()),
        }
    }
}

/// How long this thread has computed so far.
pub fn computed() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Instructions of a trial.
const TRIAL_STEPS: u64 = 1_000_000;

/// Summands whose comparison takes long enough to look at the clock before it.
const LONG_SUM: usize = 64;

/// Counts what a proof costs, and remembers the first limit that it reached.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    began: Duration,
    steps: u64,
    exhausted: Option<Exhausted>,
}

impl Budget {
    /// A budget of which nothing is spent, from now on.
    pub fn new(limits: Limits) -> Budget {
        Budget { limits, began: computed(), steps: 0, exhausted: None }
    }

    /// A budget of which time was spent since then, and so many steps.
    pub fn continued(limits: Limits, began: Duration, steps: u64) -> Budget {
        Budget { limits, began, steps, exhausted: None }
    }

    /// A budget for a trial with numbers: fewer steps of its own, and no more time than is left of this one.
    pub fn for_trial(&self) -> Budget {
        Budget::continued(Limits { steps: TRIAL_STEPS.min(self.limits.steps), ..self.limits }, self.began, 0)
    }

    /// The limit that was reached, if one was.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    /// Instructions executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts an instruction.
    ///
    /// # Errors
    /// The limit that was reached now or before.
    pub fn step(&mut self) -> Result<(), Exhausted> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            self.exhaust(Exhausted::Steps(self.limits.steps));
        }
        if self.steps.is_multiple_of(64) {
            self.check_time();
        }
        self.exhausted.map_or(Ok(()), Err)
    }

    /// Notes how many nodes there are.
    pub(crate) fn nodes(&mut self, nodes: usize) {
        if nodes > self.limits.nodes {
            self.exhaust(Exhausted::Nodes(self.limits.nodes));
        }
        if nodes.is_multiple_of(4096) {
            self.check_time();
        }
    }

    /// Whether a polynomial may have so many products.
    pub(crate) fn allows_products(&mut self, products: usize) -> bool {
        if products > self.limits.products {
            self.exhaust(Exhausted::Products(self.limits.products));
        }
        self.exhausted.is_none()
    }

    /// Whether there is time to compare so many summands with each other.
    pub(crate) fn allows_summands(&mut self, summands: usize) -> bool {
        if summands >= LONG_SUM {
            self.check_time();
        }
        self.exhausted.is_none()
    }

    fn check_time(&mut self) {
        if computed().saturating_sub(self.began) > self.limits.time {
            self.exhaust(Exhausted::Time(self.limits.time));
        }
    }

    fn exhaust(&mut self, what: Exhausted) {
        self.exhausted.get_or_insert(what);
    }
}
