//! Does each check fire on its own kind of defect, and on nothing else?

mod blake2_model;
mod defect;
mod model;
#[path = "../support/planted.rs"]
mod planted;
#[path = "../support/surroundings.rs"]
mod surroundings;

use std::fmt::Debug;

use model::{Defect, Model};
use planted::{SEEDS, context, fires};
use vambrace_harness::hash::{self, HashCheck};
use vambrace_harness::subject::HashSubject;
use vambrace_harness::{Context, Outcome};
use vambrace_reference::oracles;

fn run(check: &HashCheck, subject: &dyn HashSubject, algorithm: &str, context: &Context) -> Outcome {
    (check.run)(subject, oracles::hash(algorithm).unwrap(), context)
}

/// A defect of some model.
trait Planted: Copy + Debug {
    /// The model of an algorithm, with a defect or correct.
    fn model(algorithm: &'static str, defect: Option<Self>) -> Box<dyn HashSubject>;
}

impl Planted for Defect {
    fn model(algorithm: &'static str, defect: Option<Defect>) -> Box<dyn HashSubject> {
        Box::new(Model::new(algorithm, defect))
    }
}

impl Planted for blake2_model::Defect {
    fn model(algorithm: &'static str, defect: Option<blake2_model::Defect>) -> Box<dyn HashSubject> {
        blake2_model::model(algorithm, defect)
    }
}

/// The check fires on each defect, with every seed, says what it must, and fires again when its case is replayed.
#[track_caller]
fn fires_on<D: Planted>(check: &str, algorithm: &'static str, defects: &[D]) {
    let check = hash::check(check).unwrap();
    for defect in defects {
        let model = || D::model(algorithm, Some(*defect));
        fires(model().name(), check.name, |context| run(check, &*model(), algorithm, context));
    }
}

/// A correct subject passes every check but the one that it offers nothing for.
fn passes_every_check<D: Planted>(algorithm: &'static str, but: &str) {
    let subject = D::model(algorithm, None);
    for &seed in SEEDS {
        for check in hash::CHECKS {
            match run(check, &*subject, algorithm, &context(seed)) {
                Outcome::None { .. } if check.name == but => {}
                Outcome::Pass { cases, .. } if check.name != but => {
                    assert!(cases > 0, "{} passes without a case", check.name);
                }
                other => panic!("{} with seed {seed}: {other:?}", check.name),
            }
        }
    }
}

#[test]
fn a_correct_subject_passes_every_check() {
    for algorithm in ["sha224", "sha256"] {
        passes_every_check::<Defect>(algorithm, "parameters");
    }
}

#[test]
fn a_correct_subject_with_parameters_passes_every_check() {
    for algorithm in ["blake2b", "blake2s"] {
        passes_every_check::<blake2_model::Defect>(algorithm, "mixed-tiers");
    }
}

#[test]
fn official_vectors_show_wrong_digests() {
    use Defect::*;
    fires_on(
        "kat",
        "sha256",
        &[EveryBlock, InitialValue, DigestByteOrder, OneInAThousand, From(6000), BlocksPerCall(2)],
    );
    fires_on("kat", "sha224", &[TruncatedAtTheWrongEnd, EveryBlock, Residue(0), From(96)]);
}

#[test]
fn lengths_show_wrong_residues_and_tails() {
    use Defect::*;
    fires_on("lengths", "sha256", &[0, 1, 55, 56, 63].map(Residue));
    fires_on("lengths", "sha256", &[0, 1, 64, 1337, 4095, 4096, 65_535, 65_536, 65_537].map(Length));
    fires_on("lengths", "sha256", &[From(4097), From(16_384), LateExtraBlock, Panic(3000)]);
    fires_on("lengths", "sha256", &[BlocksPerCall(2), BlocksPerCall(200)]);
    fires_on("lengths", "sha256", &[1, 2, 3].map(|tail| StrideTail { stride: 4, tail }));
    fires_on("lengths", "sha256", &[StrideTail { stride: 8, tail: 7 }, StrideTail { stride: 2, tail: 1 }]);
    let long = [1 << 14, 1 << 16, 1 << 20, 1 << 28, 1 << 32].map(|minimum| LongResidue { residue: 55, minimum });
    fires_on("lengths", "sha256", &long);
    fires_on("lengths", "sha224", &[LongResidue { residue: 56, minimum: 1 << 20 }, Residue(57)]);
}

#[test]
fn splits_show_what_is_lost_between_parts() {
    use Defect::*;
    fires_on("splits", "sha256", &[PointerNotAdvanced, CompletedBlockLost, EmptyUpdate, SingleByteLost]);
    fires_on("splits", "sha256", &[ChainingValueOfFirstBlock, BlocksPerCall(2), TryUpdateCountsTwice]);
    fires_on("splits", "sha256", &[CloneForgetsBuffer, CloneSharesBuffer, CloneSharesLength]);
    fires_on("splits", "sha256", &[ResetKeepsBuffer, ResetKeepsLength, ResetKeepsState, FinalizeResetKeepsLength]);
    fires_on("splits", "sha224", &[ExportCutsBuffer, ImportRoundsLength, StrideTail { stride: 4, tail: 3 }]);
}

#[test]
fn differences_show_for_inputs_that_are_rare() {
    use Defect::*;
    fires_on("differential", "sha256", &[NeighboursAllOnes, ZeroBlock, SignBit, SingleBit, RampBlock]);
    fires_on("differential", "sha224", &[ChainingValueAllOnes, EveryBlock, StrideTail { stride: 4, tail: 2 }]);
}

#[test]
fn counters_show_lost_carries() {
    use Defect::*;
    fires_on("counters", "sha256", &[32, 35, 40, 56, 60, 63].map(BitCount));
    fires_on("counters", "sha256", &[16, 31, 32, 38, 60].map(ByteCount));
    fires_on("counters", "sha256", &[SignedBitCount, BulkCarry, SingleBlockCarry, InjectedHighWord, LimitTooLow]);
    fires_on("counters", "sha224", &[BitCount(32), ByteCount(32), HandsBackCount32]);
}

#[test]
fn mixed_tiers_show_states_that_are_not_common() {
    use Defect::*;
    fires_on(
        "mixed-tiers",
        "sha256",
        &[TierLayout, SwitchForgetsBuffer, SwitchFindsOldState, SwitchRefused, WrongTier],
    );
}

#[test]
fn aliasing_shows_dependence_on_the_callers_buffers() {
    use Defect::*;
    fires_on("aliasing", "sha256", &[PointsToInput, LaneAlignment]);
    fires_on("aliasing", "sha256", &[1, 2, 3].map(|residue| Alignment { modulo: 4, residue }));
    fires_on("aliasing", "sha224", &[Alignment { modulo: 16, residue: 8 }, Alignment { modulo: 64, residue: 63 }]);
}

#[test]
fn many_messages_show_mistakes_between_lanes() {
    use Defect::*;
    fires_on("many", "sha256", &[LanesSwapped, OddOneForgotten, EmptyLane, LaneLeaks, EqualLanes]);
    fires_on("many", "sha224", &[FewLanes(4), FewLanes(8), FewLanes(16), StrideTail { stride: 2, tail: 1 }]);
}

#[test]
fn handed_back_shows_wrong_chaining_values() {
    use Defect::*;
    let wrong = [HandsBackOneEarlier, HandsBackByteOrder, HandsBackWholeBlocks, HandsBackCount32];
    fires_on("handed-back", "sha256", &wrong);
    fires_on("handed-back", "sha224", &[ChainingValueOfFirstBlock, ResetKeepsState, TierLayout]);
}

#[test]
fn determinism_shows_dependence_on_the_surroundings() {
    use Defect::*;
    fires_on("determinism", "sha256", &[EveryNth(2), EveryNth(5), EveryNth(13), StackAddress, StackContents]);
    fires_on("determinism", "sha224", &[Thread, UsedObject, Neighbour, Alignment { modulo: 4, residue: 3 }]);
}

#[test]
fn errors_show_what_is_not_refused_and_what_is_changed() {
    use Defect::*;
    fires_on("errors", "sha256", &[NoLimit, LimitOffByOne, RefusalAppends, RefusalEmptiesBuffer, SilentError]);
    fires_on("errors", "sha256", &[AnyVersion, NewerVersion, AnyAlgorithm, ShortState, LongState, DirtyBuffer]);
    fires_on("errors", "sha256", &[ImportPanics, UnknownTier, UnknownTierEmptiesBuffer]);
    fires_on("errors", "sha224", &[UnequalCounts, UnequalCountsWritten, AnyAlgorithm]);
}

#[test]
fn parameters_show_what_does_not_reach_the_digest() {
    use blake2_model::Defect::*;
    fires_on("parameters", "blake2b", &[KeyLengthMissing, OutputLengthMissing, KeyNotFilledUp, KeyBlockNeverLast]);
    fires_on("parameters", "blake2b", &[SaltIgnored, PersonalIgnored, SaltAndPersonalSwapped]);
    fires_on("parameters", "blake2s", &[KeyLengthMissing, OutputLengthMissing, LongestKeyCut, SaltAndPersonalSwapped]);
    fires_on("parameters", "blake2s", &[SaltIgnored, PersonalIgnored, KeyNotFilledUp, KeyBlockNeverLast]);
    fires_on("parameters", "blake2b", &[LongestKeyCut, LastBlockNotHeldBack, LastBlockCountsWhole]);
}

#[test]
fn parameters_show_what_the_next_message_has_lost() {
    use blake2_model::Defect::*;
    let lost = [ResetForgetsKey, FinalizeResetForgetsKey, ResetForgetsParameters];
    fires_on("parameters", "blake2b", &lost);
    fires_on("parameters", "blake2s", &lost);
}

#[test]
fn parameters_show_lengths_that_should_be_refused() {
    use blake2_model::Defect::*;
    fires_on("parameters", "blake2s", &[LongKey, NoOutput, OutputLengthInAByte, ShortSalt, LongPersonal, SilentError]);
    fires_on("parameters", "blake2b", &[LongKey, ShortSalt]);
}

#[test]
fn a_last_block_that_is_not_held_back_shows() {
    use blake2_model::Defect::LastBlockNotHeldBack;
    for check in ["kat", "lengths", "splits", "differential", "counters", "handed-back", "many"] {
        for algorithm in ["blake2b", "blake2s"] {
            fires_on(check, algorithm, &[LastBlockNotHeldBack]);
        }
    }
}

#[test]
fn a_counter_in_bytes_shows_its_lost_carry() {
    use blake2_model::Defect::{CounterCarry, LastBlockCountsWhole};
    for algorithm in ["blake2b", "blake2s"] {
        fires_on("counters", algorithm, &[CounterCarry, LastBlockCountsWhole]);
        fires_on("kat", algorithm, &[CounterCarry, LastBlockCountsWhole]);
    }
    // Of the official messages none is so long: the digests from injected states show it.
    const INJECTED: u64 = 500_000;
    for algorithm in ["blake2b", "blake2s"] {
        let subject = blake2_model::model(algorithm, Some(CounterCarry));
        match run(hash::check("kat").unwrap(), &*subject, algorithm, &context(1)) {
            Outcome::Fail(failure) => assert!(failure.case >= INJECTED, "{failure}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_empty_message_without_its_flag_shows() {
    use blake2_model::Defect::{KeyBlockNeverLast, NoFlagForEmptyMessage};
    for algorithm in ["blake2b", "blake2s"] {
        for check in ["kat", "lengths", "splits", "many", "parameters"] {
            fires_on(check, algorithm, &[NoFlagForEmptyMessage]);
        }
        // Under a key it is the block of the key that must have it.
        fires_on("kat", algorithm, &[KeyBlockNeverLast]);
    }
}

#[test]
fn official_vectors_show_wrong_keys() {
    use blake2_model::Defect::*;
    fires_on("kat", "blake2b", &[KeyLengthMissing, LongestKeyCut, KeyNotFilledUp]);
    fires_on("kat", "blake2s", &[KeyLengthMissing, LongestKeyCut, KeyNotFilledUp]);
}

#[test]
fn a_failure_is_the_same_when_its_case_is_replayed() {
    let check = hash::check("splits").unwrap();
    let run = |only_case| {
        let mut context = context(11);
        context.only_case = only_case;
        match run(check, &Model::new("sha256", Some(Defect::CloneSharesLength)), "sha256", &context) {
            Outcome::Fail(failure) => *failure,
            other => panic!("{other:?}"),
        }
    };
    let first = run(None);
    assert_eq!(run(Some(first.case)), first);
}

#[test]
fn the_smallest_failing_script_is_printed() {
    let check = hash::check("splits").unwrap();
    for (defect, smallest) in [
        (Defect::EmptyUpdate, "update 1, update 0: "),
        (Defect::ResetKeepsLength, "update 1, reset: "),
        (Defect::FinalizeResetKeepsLength, "update 1, finalize_reset: "),
        (Defect::TryUpdateCountsTwice, "try_update 1: "),
    ] {
        let mut context = context(4);
        let mut failure = None;
        // The cuts come first, which show one of these defects too.
        for only_case in std::iter::once(None).chain((1_000_000..1_000_200).map(Some)) {
            context.only_case = only_case;
            if let Outcome::Fail(found) = run(check, &Model::new("sha256", Some(defect)), "sha256", &context) {
                failure = Some(found);
                break;
            }
        }
        let input = failure.unwrap().input;
        let byte = input.strip_prefix(smallest).unwrap_or_else(|| panic!("{defect:?}: {input}"));
        assert_eq!(byte.len(), 2, "{defect:?}: {input}");
    }
}

#[test]
fn a_case_that_does_not_exist_is_not_a_pass() {
    for check in hash::CHECKS {
        let mut context = context(1);
        context.only_case = Some((1 << 61) - 1);
        let outcome = run(check, &Model::new("sha256", None), "sha256", &context);
        assert_eq!(outcome, Outcome::None { reason: format!("the check has no case {}", (1u64 << 61) - 1) });
    }
}

#[test]
fn a_subject_is_not_compared_with_the_oracle_of_another_algorithm() {
    for check in hash::CHECKS {
        let outcome = run(check, &Model::new("sha256", None), "sha224", &context(1));
        assert!(matches!(outcome, Outcome::Fail(_)), "{} compares them: {outcome:?}", check.name);
    }
}
