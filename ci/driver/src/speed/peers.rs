//! The fastest implementations that others publish, predicted in the same way.

use std::collections::BTreeMap;

use serde::Deserialize;
use vambrace::kernels::{Architecture, Tier};

use super::cores::Core;

/// The best figure of a class of implementations on a core.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// Predicted cycles for each byte.
    pub estimate: f64,
    /// Their lower bound.
    pub bound: f64,
    /// Whose implementation it is; versions are in `docs/speed.md`.
    pub peer: String,
}

type By<T> = BTreeMap<String, T>;

/// By algorithm, architecture, class (a tier, or `compiled` for what a compiler made of portable code) and core.
#[derive(Debug, Deserialize)]
pub struct Peers(By<By<By<By<Peer>>>>);

/// What an assembly kernel has to beat where nobody wrote assembly.
const COMPILED: &str = "compiled";

impl Peers {
    /// The figures in `peers.json`.
    pub fn published() -> Peers {
        serde_json::from_str(include_str!("peers.json")).expect("peers.json, which a test reads, is well formed")
    }

    /// The best implementation of a tier; for integer code, if there is none, the best that a compiler made.
    pub fn best(&self, algorithm: &str, architecture: Architecture, tier: Tier, core: &Core) -> Option<&Peer> {
        let classes = self.0.get(algorithm)?.get(architecture.name())?;
        let class = match classes.get(tier.name()) {
            None if tier == Tier::Scalar => classes.get(COMPILED),
            class => class,
        };
        class?.get(core.name)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cores::CORES;
    use super::*;

    #[test]
    fn every_figure_belongs_to_a_core_and_a_class() {
        let mut figures = 0;
        for (algorithm, architectures) in Peers::published().0 {
            for (architecture, classes) in architectures {
                for (class, cores) in classes {
                    let place = format!("{algorithm} {architecture} {class}");
                    assert!(class == COMPILED || class.parse::<Tier>().is_ok(), "{place}");
                    for (name, peer) in cores {
                        let core =
                            CORES.iter().find(|core| core.name == name && core.architecture.name() == architecture);
                        assert!(core.is_some(), "{place} {name}");
                        assert!(0.0 < peer.bound && peer.bound <= 1.02 * peer.estimate, "{place} {name}");
                        figures += 1;
                    }
                }
            }
        }
        assert!(figures > 100, "{figures}");
    }

    #[test]
    fn compiled_code_is_the_peer_where_nobody_wrote_assembly() {
        let peers = Peers::published();
        let a53 = Core::of(Architecture::Aarch64).next().unwrap();
        let best = |algorithm, tier| peers.best(algorithm, Architecture::Aarch64, tier, a53).map(|peer| &*peer.peer);
        assert_eq!(best("sha256", Tier::Scalar), Some("OpenSSL"));
        assert_eq!(best("blake2s", Tier::Scalar), Some("blake2"));
        assert_eq!(best("blake2s", Tier::Neon), None);
    }
}
