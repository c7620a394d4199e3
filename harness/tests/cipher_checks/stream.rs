//! Stream ciphers.

use vambrace_harness::stream::{self, StreamCheck};
use vambrace_harness::subject::StreamSubject;
use vambrace_harness::{Context, Outcome};
use vambrace_reference::oracles::ciphers;

use crate::stream_model::{Defect, Model};
use crate::{SEEDS, context, fires, passes};

fn run(check: &StreamCheck, subject: &Model, algorithm: &str, context: &Context) -> Outcome {
    (check.run)(subject, ciphers::stream(algorithm).unwrap(), context)
}

#[track_caller]
fn fires_on(check: &str, algorithm: &'static str, defects: &[Defect]) {
    let check = stream::check(check).unwrap();
    for defect in defects {
        let name = Model::new(algorithm, Some(*defect)).name().to_owned();
        fires(&name, check.name, |context| run(check, &Model::new(algorithm, Some(*defect)), algorithm, context));
    }
}

#[test]
fn a_correct_subject_passes_every_check() {
    for algorithm in ["salsa20", "salsa20-12", "salsa20-8", "xsalsa20", "xsalsa20-12", "xsalsa20-8"] {
        let subject = Model::new(algorithm, None);
        for &seed in SEEDS {
            for check in stream::CHECKS {
                passes(check.name, &run(check, &subject, algorithm, &context(seed)));
            }
        }
    }
}

#[test]
fn published_vectors_show_wrong_streams() {
    use Defect::*;
    fires_on("kat", "salsa20", &[EveryBlock, Rounds, Constants, CounterOrder, ByteOrder, OneInAHundred, ZeroNonce]);
    fires_on("kat", "salsa20", &[RestForgotten, BlocksPerCall(2)]);
    fires_on("kat", "xsalsa20", &[EveryBlock, Rounds, ByteOrder]);
    for algorithm in ["salsa20-12", "salsa20-8", "xsalsa20-12", "xsalsa20-8"] {
        fires_on("kat", algorithm, &[EveryBlock, Rounds, CounterOrder]);
    }
    for algorithm in ["xsalsa20-12", "xsalsa20-8"] {
        fires_on("kat", algorithm, &[DerivationRounds]);
        fires_on("lengths", algorithm, &[DerivationRounds]);
        fires_on("differential", algorithm, &[DerivationRounds]);
    }
}

#[test]
fn lengths_show_wrong_residues_and_tails() {
    use Defect::*;
    fires_on("lengths", "salsa20", &[1, 63, 64, 65, 577, 1023, 1024, 1087, 4095, 4096, 65_536].map(Length));
    fires_on("lengths", "salsa20", &[1, 27, 64, 1000].map(LengthInside));
    fires_on("lengths", "salsa20", &[1, 2, 3].map(|tail| StrideTail { stride: 4, tail }));
    fires_on("lengths", "salsa20", &[StrideTail { stride: 8, tail: 7 }, StrideTail { stride: 3, tail: 2 }]);
    fires_on("lengths", "xsalsa20", &[BlocksPerCall(2), BlocksPerCall(200), TailCut(1), TailCut(63)]);
}

#[test]
fn splits_show_what_is_lost_between_parts() {
    use Defect::*;
    fires_on("splits", "salsa20", &[RestForgotten, RestUsedTwice, EmptyPart, CompletedBlockAgain]);
    fires_on("splits", "salsa20", &[CloneForgetsBuffer, CloneBeginsAgain, CloneSharesPosition]);
    fires_on("splits", "xsalsa20", &[CounterBehindTail, CounterBehindGroup, BlocksPerCall(3)]);
}

#[test]
fn differences_show_for_inputs_that_are_rare() {
    use Defect::*;
    fires_on("differential", "salsa20", &[SignBit, NeighboursAllOnes, ZeroNonce, EveryBlock, OneInAHundred]);
    fires_on("differential", "xsalsa20", &[StrideTail { stride: 4, tail: 2 }, Rounds, FeedForward64]);
}

#[test]
fn counters_show_lost_carries() {
    use Defect::*;
    fires_on("counters", "salsa20", &[8, 16, 31, 32, 33, 40, 48, 63].map(CounterBits));
    fires_on("counters", "salsa20", &[32, 33, 48, 56, 63].map(SeekBits));
    fires_on("counters", "salsa20", &[1, 2, 3].map(LaneCarry));
    fires_on("counters", "salsa20", &[GroupCarry, SingleCarry, SignedCounter, FeedForward64, CarryTwice]);
    fires_on("counters", "xsalsa20", &[CounterBits(32), LaneCarry(3), Position64]);
}

#[test]
fn mixed_tiers_show_states_that_are_not_common() {
    use Defect::*;
    fires_on("mixed-tiers", "salsa20", &[TierLayout, SwitchForgetsBuffer, SwitchRounds, SwitchRefused, WrongTier]);
}

#[test]
fn aliasing_shows_dependence_on_the_callers_buffers() {
    use Defect::*;
    fires_on("aliasing", "salsa20", &[TailInPlace, OutputRead, OutputTailRead]);
    fires_on("aliasing", "salsa20", &[InputWritten, WritesBehind, WritesBefore]);
    fires_on("aliasing", "salsa20", &[1, 2, 3].map(|residue| InputAlignment { modulo: 4, residue }));
    fires_on("aliasing", "salsa20", &[1, 2, 3].map(|residue| OutputAlignment { modulo: 4, residue }));
    fires_on("aliasing", "xsalsa20", &[InputAlignment { modulo: 64, residue: 63 }]);
    fires_on("aliasing", "xsalsa20", &[OutputAlignment { modulo: 16, residue: 8 }]);
}

#[test]
fn the_stream_shows_wrong_seeks_and_its_end() {
    use Defect::*;
    fires_on("stream", "salsa20", &[SeekIgnoresByte, SeekKeepsRest, SeekToBlockKeepsRest, SeekWithinBlock, SeekBack]);
    fires_on("stream", "salsa20", &[SeekCounterBehind, PositionOfBlock, PositionAfterSeek, Position64]);
    fires_on("stream", "salsa20", &[Wraps, WrapsInside, WrapsAtTheEnd, OutOfPlaceWraps, EndByBlocks, EndTooEarly]);
    fires_on("stream", "salsa20", &[PartialBeforeError, BlocksBeforeError, ErrorMoves, ErrorEmptiesBuffer]);
    fires_on("stream", "salsa20", &[SeekWraps, SeekWrapsFar, SeekErrorMoves, SilentError]);
    fires_on("stream", "xsalsa20", &[SeekIgnoresByte, Wraps, PartialBeforeError]);
}

#[test]
fn handed_back_shows_wrong_counters() {
    use Defect::*;
    fires_on("handed-back", "salsa20", &[CounterBehindTail, CounterBeforeTail, CounterBehindGroup, PositionAfterTail]);
    fires_on("handed-back", "salsa20", &[1, 2, 5, 16].map(CounterAfter));
    fires_on("handed-back", "xsalsa20", &[RestForgotten, SeekCounterBehind, PositionOfBlock]);
}

#[test]
fn determinism_shows_dependence_on_the_surroundings() {
    use Defect::*;
    fires_on("determinism", "salsa20", &[EveryNth(3), EveryNth(7), EveryNth(13), StackAddress, StackContents]);
    fires_on("determinism", "xsalsa20", &[Thread, UsedObject, Neighbour, InputAlignment { modulo: 4, residue: 3 }]);
}

#[test]
fn errors_show_what_is_not_refused_and_what_is_changed() {
    use Defect::*;
    fires_on("errors", "salsa20", &[ShortKey, LongKey, KeyLengthByte, KeyPanics, ShortNonce, LongNonce, SilentError]);
    fires_on("errors", "salsa20", &[UnequalLengths, LongerOutput, UnequalLengthsWritten, UnequalLengthsMove]);
    fires_on("errors", "salsa20", &[UnknownTier, UnknownTierBeginsAgain]);
    fires_on("errors", "xsalsa20", &[ShortKey, LongNonce]);
}

#[test]
fn the_smallest_failing_script_is_printed() {
    let check = stream::check("stream").unwrap();
    let mut context = context(4);
    let inputs = (1_000_000..1_000_200).filter_map(|case| {
        context.only_case = Some(case);
        match run(check, &Model::new("salsa20", Some(Defect::SeekWithinBlock)), "salsa20", &context) {
            Outcome::Fail(failure) => Some(failure.input),
            _ => None,
        }
    });
    let steps: Vec<usize> = inputs.map(|input| input.split(": ").next().unwrap().split(", ").count()).collect();
    // Some steps cannot be left out one by one.
    let shortest = steps.iter().filter(|steps| **steps == 2).count();
    assert!(shortest > steps.len() * 3 / 4, "a part and a seek are enough: {steps:?}");
}

#[test]
fn a_case_that_does_not_exist_is_not_a_pass() {
    for check in stream::CHECKS {
        let mut context = context(1);
        context.only_case = Some((1 << 61) - 1);
        let outcome = run(check, &Model::new("salsa20", None), "salsa20", &context);
        assert_eq!(outcome, Outcome::None { reason: format!("the check has no case {}", (1u64 << 61) - 1) });
    }
}

#[test]
fn a_subject_is_not_compared_with_the_oracle_of_another_algorithm() {
    for check in stream::CHECKS {
        let outcome = run(check, &Model::new("salsa20", None), "xsalsa20", &context(1));
        assert!(matches!(outcome, Outcome::Fail(_)), "{} compares them: {outcome:?}", check.name);
    }
}
