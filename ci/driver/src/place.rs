//! Where kernels are run: architectures, CPU models, masks.

use std::fmt;
use std::str::FromStr;

use vambrace::cpu::Features;
use vambrace::kernels::{Architecture, Feature};
use vambrace_verify::dispatch::{format_features, parse_features};

use crate::plan;

/// A CPU to run on, written `ARCHITECTURE@CPU`, as `arm@cortex-a9,neon=off` or `aarch64@max,mask=neon`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The instruction set.
    pub architecture: Architecture,
    /// What executes it.
    pub cpu: Cpu,
    /// Detection is made to see only these features.
    pub mask: Option<Features>,
}

/// What executes instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cpu {
    /// This machine.
    Native,
    /// QEMU, with this model.
    Model(String),
}

/// How much of the check list is run at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Every check.
    Everything,
    /// What another CPU model or a mask can change.
    Light,
}

/// The CPU models of QEMU that every kernel is run on, and the features that each has by its manual.
const MODELS: &[(Architecture, &str, &[Feature])] = {
    use Architecture::{Aarch64, Arm};
    use Feature::{Aes, Neon, Pmull, Sha2, Sha3, Sha512};
    &[
        (Aarch64, "max", &[Neon, Aes, Pmull, Sha2, Sha512, Sha3]),
        (Aarch64, "cortex-a53", &[Neon, Aes, Pmull, Sha2]),
        (Aarch64, "cortex-a72", &[Neon, Aes, Pmull, Sha2]),
        (Aarch64, "neoverse-n1", &[Neon, Aes, Pmull, Sha2]),
        (Arm, "max", &[Neon, Aes, Pmull, Sha2]),
        (Arm, "cortex-a7", &[Neon]),
        (Arm, "cortex-a8", &[Neon]),
        (Arm, "cortex-a9", &[Neon]),
        (Arm, "cortex-a9,neon=off", &[]),
        (Arm, "cortex-a15", &[Neon]),
    ]
};

/// The masks that are tried on aarch64, where every model of QEMU has AES and SHA-2.
const MASKS: &[&[Feature]] = &[&[], &[Feature::Neon]];

/// Every place that this machine can serve, and how much is run there. The first of an architecture has most features.
pub fn places(thorough: bool) -> Vec<(Place, Depth)> {
    let mut places = Vec::new();
    if cfg!(target_arch = "aarch64") {
        places.push((Place { architecture: Architecture::Aarch64, cpu: Cpu::Native, mask: None }, Depth::Everything));
    }
    for &(architecture, model, _) in MODELS {
        let place = |mask| Place { architecture, cpu: Cpu::Model(model.to_owned()), mask };
        let depth = if thorough || model == "max" { Depth::Everything } else { Depth::Light };
        places.push((place(None), depth));
        if architecture == Architecture::Aarch64 && model == "max" {
            places.extend(MASKS.iter().map(|mask| (place(Some(set(mask))), Depth::Light)));
        }
    }
    places
}

fn set(features: &[Feature]) -> Features {
    features.iter().fold(Features::NONE, |set, &feature| set.with(feature))
}

impl Place {
    /// What detection must report here. `None` where only detection itself knows.
    pub fn features(&self) -> Option<Features> {
        let Cpu::Model(model) = &self.cpu else { return None };
        let known = MODELS.iter().find(|(architecture, name, _)| *architecture == self.architecture && name == model);
        let features = set(known?.2);
        Some(self.mask.map_or(features, |mask| features.intersection(mask)))
    }

    /// Whether there is such a CPU model.
    ///
    /// # Errors
    /// If not: what there is.
    pub fn is_known(&self) -> Result<(), String> {
        let of_architecture = MODELS.iter().filter(|(architecture, ..)| *architecture == self.architecture);
        let models: Vec<&str> = of_architecture.map(|(_, model, _)| *model).collect();
        match &self.cpu {
            Cpu::Model(model) if !models.contains(&model.as_str()) => Err(format!(
                "unknown CPU model {model:?} for {}; the models are {}",
                self.architecture,
                models.join("; ")
            )),
            _ => Ok(()),
        }
    }

    /// Whether QEMU is needed.
    pub fn emulated(&self) -> bool {
        matches!(self.cpu, Cpu::Model(_))
    }

    /// The part after the `@`.
    pub fn cpu_name(&self) -> String {
        let mut name = match &self.cpu {
            Cpu::Native => "native".to_owned(),
            Cpu::Model(model) => model.clone(),
        };
        if let Some(mask) = self.mask {
            name.push_str(",mask=");
            name.push_str(&format_features(mask));
        }
        name
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.architecture, self.cpu_name())
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        let (architecture, cpu) = text
            .split_once('@')
            .ok_or_else(|| format!("{text:?} names no place; a place is ARCHITECTURE@CPU, as aarch64@max"))?;
        let architecture = architecture_named(architecture)?;
        let (mut mask, mut model) = (None, Vec::new());
        for part in cpu.split(',') {
            match part.strip_prefix("mask=") {
                Some(features) => mask = Some(parse_features(features)?),
                None => model.push(part),
            }
        }
        let cpu = match model.join(",").as_str() {
            "" => return Err(format!("{text:?} names no CPU; a place is ARCHITECTURE@CPU, as aarch64@max")),
            "native" => Cpu::Native,
            model => Cpu::Model(model.to_owned()),
        };
        Ok(Place { architecture, cpu, mask })
    }
}

fn architecture_named(name: &str) -> Result<Architecture, String> {
    Architecture::ALL
        .into_iter()
        .find(|architecture| architecture.name() == name)
        .ok_or_else(|| format!("unknown architecture {name:?}; the architectures are aarch64 and arm"))
}

/// One case, or all cases of a check with one seed: `PLACE:SUBJECT:CHECK:SEED[:CASE]`, as a failure prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Where.
    pub place: Place,
    /// What, as `sha224_neon`.
    pub subject: String,
    /// Which check.
    pub check: String,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the case; none for all, as after a crash.
    pub case: Option<u64>,
}

impl Replay {
    /// Whether there are such a check and such a CPU model, before anything is built.
    ///
    /// # Errors
    /// If not: what there is.
    pub fn is_known(&self) -> Result<(), String> {
        let checks: Vec<&str> = plan::checks().iter().map(|check| check.name).collect();
        if !checks.contains(&self.check.as_str()) {
            return Err(format!("unknown check {:?}; the checks are {}", self.check, checks.join(", ")));
        }
        self.place.is_known()
    }
}

impl FromStr for Replay {
    type Err = String;

    fn from_str(text: &str) -> Result<Replay, String> {
        let fields: Vec<&str> = text.split(':').collect();
        let (place, subject, check, seed, case) = match fields[..] {
            [place, subject, check, seed] => (place, subject, check, seed, None),
            [place, subject, check, seed, case] => (place, subject, check, seed, Some(case)),
            _ => {
                return Err(format!(
                    "{text:?} has {} fields; a case is ARCHITECTURE@CPU:SUBJECT:CHECK:SEED[:CASE], \
                     as aarch64@max:sha256_neon:splits:7:3",
                    fields.len()
                ));
            }
        };
        let number = |name, digits: &str| {
            digits.parse().map_err(|_| format!("{name} {digits:?} is no number from 0 to 2^64 - 1"))
        };
        for (name, value) in [("subject", subject), ("check", check)] {
            if value.is_empty() {
                return Err(format!("{text:?} names no {name}"));
            }
        }
        Ok(Replay {
            place: place.parse()?,
            subject: subject.to_owned(),
            check: check.to_owned(),
            seed: number("seed", seed)?,
            case: case.map(|case| number("case", case)).transpose()?,
        })
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:{}", self.place, self.subject, self.check, self.seed)?;
        self.case.map_or(Ok(()), |case| write!(f, ":{case}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vambrace_harness::{Budget, Context, Failure};

    #[test]
    fn places_read_back() {
        for (place, _) in places(true) {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in ["aarch64@native", "arm@cortex-a9,neon=off", "aarch64@max,mask=none", "arm@max,mask=neon+sha2"] {
            assert_eq!(text.parse::<Place>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_replay_of_what_there_is_not_is_answered_with_what_there_is() {
        let known = |text: &str| text.parse::<Replay>().unwrap().is_known();
        assert_eq!(known("aarch64@max:sha256_neon:splits:7:3"), Ok(()));
        assert_eq!(known("arm@cortex-a9,neon=off:sha256_scalar:dispatch:7"), Ok(()));
        assert_eq!(known("aarch64@max,mask=none:sha256_scalar:dispatch:7"), Ok(()));
        let error = known("aarch64@max:sha256_neon:nope:7:3").unwrap_err();
        assert!(error.contains("\"nope\"") && error.contains("splits"), "{error}");
        let error = known("arm@cortex-a53:sha256_neon:kat:7").unwrap_err();
        assert!(error.contains("\"cortex-a53\" for arm") && error.contains("cortex-a8"), "{error}");
    }

    #[test]
    fn a_malformed_place_is_answered_with_what_is_wrong() {
        let error = |text: &str| text.parse::<Place>().unwrap_err();
        assert!(error("max").contains("ARCHITECTURE@CPU"));
        assert!(error("x86_64@max").contains("\"x86_64\""));
        assert!(error("arm@").contains("names no CPU"));
        assert!(error("arm@max,mask=mmx").contains("\"mmx\""));
    }

    #[test]
    fn a_mask_takes_features_away() {
        let features = |text: &str| text.parse::<Place>().unwrap().features().map(format_features);
        assert_eq!(features("aarch64@max,mask=neon").as_deref(), Some("neon"));
        assert_eq!(features("arm@cortex-a7,mask=sha2").as_deref(), Some("none"));
        assert_eq!(features("arm@cortex-a9,neon=off").as_deref(), Some("none"));
        assert_eq!(features("arm@cortex-a9").as_deref(), Some("neon"));
        assert_eq!(features("aarch64@native"), None);
        assert_eq!(features("aarch64@cortex-x9"), None);
    }

    #[test]
    fn the_replay_line_of_a_failure_reads_back() {
        let mut context = Context::new(Budget::Quick, u64::MAX);
        context.replay_command = "ci/verify --replay".into();
        context.place = "arm@cortex-a9,neon=off".into();
        let line = Failure::new(&context, "sha224_scalar", "splits", 12, "wrong").replay;
        let case = line.strip_prefix("ci/verify --replay ").unwrap();
        let replay: Replay = case.parse().unwrap();
        assert_eq!((replay.subject.as_str(), replay.check.as_str()), ("sha224_scalar", "splits"));
        assert_eq!((replay.seed, replay.case), (u64::MAX, Some(12)));
        assert_eq!(replay.to_string(), case);
    }

    #[test]
    fn a_replay_without_a_case_is_all_of_the_check() {
        let replay: Replay = "aarch64@max:sha256_ce:abi:5".parse().unwrap();
        assert_eq!(replay.case, None);
        assert_eq!(replay.to_string(), "aarch64@max:sha256_ce:abi:5");
    }

    #[test]
    fn a_malformed_replay_is_answered_with_what_is_wrong() {
        let error = |text: &str| text.parse::<Replay>().unwrap_err();
        assert!(error("sha256_neon").contains("1 fields"));
        assert!(error("aarch64@max:sha256_neon:abi:seven:1").contains("seed \"seven\""));
        assert!(error("aarch64@max:sha256_neon:abi:1:-1").contains("case \"-1\""));
        assert!(error("aarch64@max::abi:1:1").contains("no subject"));
        assert!(error("mips@max:sha256_neon:abi:1:1").contains("\"mips\""));
    }
}
