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

/// Integer code that no one wrote by hand.
const COMPILED: &str = "compiled";

impl Peers {
    /// The figures in `peers.json`.
    pub fn published() -> Peers {
        serde_json::from_str(include_str!("peers.json")).expect("peers.json, which a test reads, is well formed")
    }

    /// The fastest implementation of a tier on a core, and its class. Compiled code is one of integer instructions. Where the
    /// tier has none, the fastest of all lower ones.
    pub fn best(&self, algorithm: &str, architecture: Architecture, tier: Tier, core: &Core) -> Option<(&str, &Peer)> {
        // Nobody else has Speck64 in XTS mode; the bare cipher, which does less, stands in.
        let algorithm = match algorithm {
            "speck64/128-xts-enc" => "speck64/128-ecb-enc",
            "speck64/128-xts-dec" => "speck64/128-ecb-dec",
            other => other,
        };
        let classes = self.0.get(algorithm)?.get(architecture.name())?;
        let fastest = |names: &[&str]| {
            names
                .iter()
                .filter_map(|name| classes.get_key_value(*name))
                .filter_map(|(name, cores)| Some((name.as_str(), cores.get(core.name)?)))
                .min_by(|a, b| a.1.estimate.total_cmp(&b.1.estimate))
        };
        let (own, lower): (&[&str], &[&str]) = match tier {
            Tier::Ce => (&["ce"], &["neon", "scalar", COMPILED]),
            Tier::Neon => (&["neon"], &["scalar", COMPILED]),
            Tier::Scalar | Tier::Generic => (&["scalar", COMPILED], &[]),
        };
        fastest(own).or_else(|| fastest(lower))
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

    fn best<'a>(peers: &'a Peers, algorithm: &str, tier: Tier, core: &str) -> Option<(&'a str, &'a str)> {
        let core = Core::of(Architecture::Aarch64).find(|of| of.name == core).unwrap();
        peers.best(algorithm, Architecture::Aarch64, tier, core).map(|(class, peer)| (class, &*peer.peer))
    }

    #[test]
    fn the_peer_is_the_fastest_of_the_tier() {
        let peers = Peers::published();
        assert_eq!(best(&peers, "sha256", Tier::Ce, "neoverse-n1"), Some(("ce", "OpenSSL")));
        assert_eq!(best(&peers, "sha256", Tier::Neon, "neoverse-n1"), Some(("neon", "OpenSSL")));
    }

    #[test]
    fn compiled_code_is_a_peer_of_integer_code() {
        let peers = Peers::published();
        assert_eq!(best(&peers, "sha256", Tier::Scalar, "neoverse-n1"), Some(("compiled", "libgcrypt")));
        assert_eq!(best(&peers, "sha256", Tier::Scalar, "neoverse-n2"), Some(("scalar", "OpenSSL")));
        assert_eq!(best(&peers, "blake2s", Tier::Scalar, "cortex-a53"), Some(("compiled", "blake2")));
    }

    #[test]
    fn where_nobody_wrote_for_the_tier_the_fastest_of_the_lower_ones_is_the_peer() {
        let peers = Peers::published();
        assert_eq!(best(&peers, "sha512", Tier::Neon, "neoverse-n1"), Some(("scalar", "OpenSSL")));
        assert_eq!(best(&peers, "blake2b", Tier::Ce, "neoverse-v2"), Some(("compiled", "libgcrypt")));
        assert_eq!(best(&peers, "md5", Tier::Ce, "neoverse-v2"), None);
    }
}
