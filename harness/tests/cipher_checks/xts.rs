//! Block ciphers in XTS.

use vambrace_harness::subject::{Direction, XtsSubject};
use vambrace_harness::xts::{self, XtsCheck};
use vambrace_harness::{Context, Outcome};
use vambrace_reference::oracles::ciphers;

use crate::xts_model::{Defect, Model};
use crate::{SEEDS, context, fires, passes};

use Direction::{Decrypt, Encrypt};

const AES: &str = "aes128-xts";
const SPECK128: &str = "speck128-128-xts";
const SPECK64: &str = "speck64-128-xts";

fn run(check: &XtsCheck, subject: &Model, algorithm: &str, context: &Context) -> Outcome {
    (check.run)(subject, ciphers::xts(algorithm).unwrap(), context)
}

#[track_caller]
fn fires_on(check: &str, algorithm: &'static str, defects: &[Defect]) {
    let check = xts::check(check).unwrap();
    for defect in defects {
        let name = Model::new(algorithm, Some(*defect)).name().to_owned();
        fires(&name, check.name, |context| run(check, &Model::new(algorithm, Some(*defect)), algorithm, context));
    }
}

#[test]
fn a_correct_subject_passes_every_check() {
    for algorithm in [AES, SPECK128, SPECK64] {
        let subject = Model::new(algorithm, None);
        for &seed in SEEDS {
            for check in xts::CHECKS {
                match run(check, &subject, algorithm, &context(seed)) {
                    Outcome::None { .. } if check.name == "kat" && vambrace_vectors::xts(algorithm).is_err() => {}
                    outcome => passes(check.name, &outcome),
                }
            }
        }
    }
}

#[test]
fn published_vectors_show_wrong_ciphers() {
    use Defect::*;
    fires_on("kat", AES, &[EveryBlock, OneDirection(Encrypt), OneDirection(Decrypt), KeysSwapped, TweakOrder]);
    // Lengths that Wycheproof alone has.
    fires_on("kat", AES, &[17, 31, 33, 102].map(Length));
    fires_on("kat", AES, &[TweakPlain, TweakOnce, WordOrder, Polynomial, BlocksAlone, FromEncryptsAgain]);
    fires_on("kat", SPECK128, &[EveryBlock, OneDirection(Encrypt), OneDirection(Decrypt), WordOrder]);
    fires_on("kat", SPECK64, &[EveryBlock, OneDirection(Encrypt), OneDirection(Decrypt), WordOrder]);
}

#[test]
fn published_vectors_that_are_not_tried_are_counted() {
    let kat = xts::check("kat").unwrap();
    let left_out = |algorithm| match run(kat, &Model::new(algorithm, None), algorithm, &context(1)) {
        Outcome::Pass { left_out, .. } => left_out,
        other => panic!("{other:?}"),
    };
    let all = left_out(AES);
    let of = |words: &str| all.iter().find(|some| some.reason.contains(words)).map(|some| some.cases);
    assert_eq!(of("end within a byte"), Some(400), "{all:?}");
    assert_eq!([of("keys of 24 bytes"), of("keys of 32 bytes")], [Some(41), Some(41)], "{all:?}");
    assert_eq!(left_out(SPECK128), []);
}

#[test]
fn data_units_show_wrong_lengths_and_stealing() {
    use Defect::*;
    fires_on("xts", SPECK128, &[16, 17, 31, 33, 144, 1024, 2047, 4096, 4111].map(Length));
    fires_on("xts", SPECK128, &[SingleBlock(Encrypt), SingleBlock(Decrypt)]);
    // CVE-2023-1255, and others of its kind.
    for direction in [Encrypt, Decrypt] {
        fires_on(
            "xts",
            SPECK128,
            &[(5, 4), (4, 3), (8, 7), (2, 1)].map(|(stride, tail)| StrideTail { stride, tail, direction }),
        );
        fires_on("xts", SPECK128, &[TweaksSwapped(direction), OneDirection(direction), InPlaceStealing(direction)]);
    }
    fires_on("xts", SPECK128, &[StealsTooFew, StealsTooFewOf(1), StealsTooFewOf(15), StealsFromTheEnd]);
    fires_on("xts", SPECK128, &[Rest(1), Rest(8), Rest(15)]);
    fires_on(
        "xts",
        SPECK64,
        &[TweaksSwapped(Encrypt), TweaksSwapped(Decrypt), StealsTooFew, StealsTooFewOf(7), Length(8)],
    );
    fires_on(
        "xts",
        AES,
        &[TweaksSwapped(Encrypt), StrideTail { stride: 5, tail: 4, direction: Decrypt }, StealsTooFewOf(3)],
    );
}

#[test]
fn data_units_show_what_is_carried_over_and_wrong_sectors() {
    use Defect::*;
    fires_on("xts", SPECK128, &[TweakUsedUp, TweakLeft, OutputStealing, InputStealing]);
    fires_on("xts", SPECK128, &[SectorTweakFixed, SectorOrder, SectorRounded, SectorLast, SectorFirst, SectorBits(16)]);
    fires_on("xts", SPECK64, &[SectorTweakFixed, SectorOrder, SectorRounded, GroupLate, TweakUsedUp]);
}

#[test]
fn differences_show_for_inputs_that_are_rare() {
    use Defect::*;
    fires_on(
        "differential",
        SPECK128,
        &[OneInAThousand, ZeroTweak, KeyAllOnes, KeyZero, EveryBlock, OneDirection(Decrypt)],
    );
    fires_on("differential", SPECK64, &[OneInAThousand, ZeroTweak, InPlaceStealing(Decrypt), OutputStealing]);
}

#[test]
fn counters_show_lost_carries() {
    use Defect::*;
    fires_on("counters", SPECK128, &[1, 2, 3, 4, 5, 6, 7, 0].map(NotReduced));
    fires_on("counters", SPECK128, &[1, 2, 3, 4, 5, 6, 7, 0].map(AlwaysReduced));
    fires_on("counters", SPECK128, &[0, 3, 6, 7, 11, 14].map(ByteCarry));
    fires_on("counters", SPECK128, &[(0, 1), (7, 3), (7, 0), (14, 7)].map(|(byte, lane)| LaneByteCarry(byte, lane)));
    fires_on("counters", SPECK128, &[WrongCarry, Polynomial, GroupLate, GroupEarly(0), GroupEarly(8), GroupEarly(100)]);
    fires_on("counters", SPECK128, &[8, 16, 32, 63, 64, 96, 120].map(SectorBits));
    fires_on("counters", SPECK64, &[1, 4, 7, 0].map(NotReduced));
    fires_on("counters", SPECK64, &[AlwaysReduced(5), ByteCarry(3), LaneByteCarry(6, 2), SectorBits(32), WrongCarry]);
    fires_on("counters", AES, &[NotReduced(7), AlwaysReduced(3), FromHalf, FromReversed]);
}

#[test]
fn mixed_tiers_show_keys_that_are_not_common() {
    use Defect::*;
    fires_on("mixed-tiers", SPECK128, &[KeyForm, SwitchEncryption, SwitchDataKey, CloneForgetsTier]);
    fires_on("mixed-tiers", SPECK64, &[SwitchRefused, WrongTier]);
}

#[test]
fn aliasing_shows_dependence_on_the_callers_buffers() {
    use Defect::*;
    fires_on(
        "aliasing",
        SPECK128,
        &[InPlaceStealing(Encrypt), InPlaceStealing(Decrypt), OutputStealing, InputStealing],
    );
    fires_on("aliasing", SPECK128, &[InputWritten, WritesBehind, WritesBefore]);
    fires_on("aliasing", SPECK128, &[1, 2, 3].map(|residue| InputAlignment { modulo: 4, residue }));
    fires_on("aliasing", SPECK128, &[1, 2, 3].map(|residue| OutputAlignment { modulo: 4, residue }));
    fires_on("aliasing", SPECK64, &[InPlaceStealing(Decrypt), OutputStealing, InputWritten]);
    fires_on(
        "aliasing",
        SPECK64,
        &[InputAlignment { modulo: 64, residue: 63 }, OutputAlignment { modulo: 64, residue: 1 }],
    );
}

#[test]
fn handed_back_shows_tweaks_that_are_not_the_next() {
    use Defect::*;
    fires_on("handed-back", SPECK128, &[FromEncryptsAgain, FromDoubled, FromHalf, FromReversed]);
    fires_on("handed-back", SPECK128, &[GroupLate, GroupEarly(0), GroupEarly(2), NotReduced(3), ByteCarry(7)]);
    fires_on("handed-back", SPECK64, &[FromDoubled, FromReversed, GroupLate, TweaksSwapped(Decrypt)]);
}

#[test]
fn determinism_shows_dependence_on_the_surroundings() {
    use Defect::*;
    fires_on("determinism", SPECK128, &[EveryNth(2), EveryNth(5), EveryNth(13), StackAddress, StackContents]);
    fires_on("determinism", SPECK64, &[Thread, UsedObject, Neighbour, InputAlignment { modulo: 4, residue: 3 }]);
}

#[test]
fn errors_show_what_is_not_refused_and_what_is_changed() {
    use Defect::*;
    fires_on("errors", AES, &[EqualAccepted, EqualFirstByte, EqualLastByte, EqualZeroAccepted]);
    fires_on("errors", AES, &[LongAccepted, LongByBlocks, LongWritten]);
    fires_on("errors", SPECK128, &[ShortKey, LongKey, KeyPanics, ShortTweak, LongTweak, SilentError]);
    fires_on(
        "errors",
        SPECK128,
        &[ShortAccepted, EmptyAccepted, ShortWritten, LongAccepted, LongByBlocks, LongWritten],
    );
    fires_on("errors", SPECK128, &[UnequalLengths, LongerOutput, UnequalLengthsWritten]);
    fires_on("errors", SPECK128, &[PartialSectorWritten, PartialSectorAccepted, PartialSectorAsUnit]);
    fires_on("errors", SPECK128, &[EmptySector, ShortSector]);
    fires_on("errors", SPECK128, &[UnknownTier, UnknownTierDamages]);
    fires_on("errors", SPECK64, &[ShortKey, LongTweak, ShortAccepted, LongByBlocks, PartialSectorWritten]);
}

/// A case of full runs alone, for the time that it takes.
#[test]
fn errors_show_that_the_longest_data_unit_is_refused() {
    let check = xts::check("errors").unwrap();
    let mut context = context(1);
    context.only_case = Some(10_000);
    let run = |defect| run(check, &Model::new(SPECK64, defect), SPECK64, &context);
    passes(check.name, &run(None));
    assert!(matches!(run(Some(Defect::LongestRefused)), Outcome::Fail(_)));
}

#[test]
fn a_case_that_does_not_exist_is_not_a_pass() {
    for check in xts::CHECKS {
        let mut context = context(1);
        context.only_case = Some((1 << 61) - 1);
        let outcome = run(check, &Model::new(AES, None), AES, &context);
        assert_eq!(outcome, Outcome::None { reason: format!("the check has no case {}", (1u64 << 61) - 1) });
    }
}

#[test]
fn a_subject_is_not_compared_with_the_oracle_of_another_algorithm() {
    for check in xts::CHECKS {
        let outcome = run(check, &Model::new(SPECK128, None), AES, &context(1));
        assert!(matches!(outcome, Outcome::Fail(_)), "{} compares them: {outcome:?}", check.name);
    }
}
