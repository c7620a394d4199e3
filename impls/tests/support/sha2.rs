//! The tests that every type of SHA-2 has.

/// Expands to a module of tests of one type. `initial` is its initial hash value (FIPS 180-4, section 5.3).
macro_rules! sha2_tests {
    (
        $module:ident: $hash:ident of $word:ty, family $family:ident, name $name:literal, code $code:literal,
        initial $initial:literal
    ) => {
        mod $module {
            use digest::block_api::{CoreProxy, UpdateCore};
            use digest::common::hazmat::SerializableState;
            use digest::const_oid::AssociatedOid;
            use digest::{Digest, FixedOutputReset, Output, Reset, Update};
            use vambrace::$family::{MAX_MESSAGE_BYTES, STATE_BYTES};
            use vambrace::{LaneCountError, ManyError, MessageTooLong, StateError, Tier, TierErrorReason, $hash};

            use crate::support::{ASSEMBLY, message, tiers};

            const LIMIT: u128 = MAX_MESSAGE_BYTES as u128;
            const BLOCK: usize = 16 * size_of::<$word>();
            /// Where an exported state has its length, and where its buffer.
            const LENGTH_AT: usize = 2 + 8 * size_of::<$word>();
            const BUFFER_AT: usize = LENGTH_AT + 2 * size_of::<$word>();

            fn tiers_here() -> Vec<Tier> {
                tiers($hash::with_tier)
            }

            /// An exported state whose message has so many bytes; the number of buffered ones stays right.
            fn state_of_length(length: u128) -> [u8; STATE_BYTES] {
                let mut state = $hash::new().export_state();
                state[LENGTH_AT..BUFFER_AT].copy_from_slice(&length.to_be_bytes()[16 - (BUFFER_AT - LENGTH_AT)..]);
                state
            }

            #[test]
            fn every_tier_agrees_with_the_crate_sha2_at_every_length() {
                let message = message(704);
                for length in 0..=message.len() {
                    let expected = sha2::$hash::digest(&message[..length]);
                    for tier in tiers_here() {
                        let actual = $hash::with_tier(tier).unwrap().chain_update(&message[..length]).finalize();
                        assert_eq!(actual[..], expected[..], "{tier}, {length} bytes");
                    }
                }
            }

            #[test]
            fn a_message_in_one_piece_has_the_digest_that_the_trait_gives() {
                let message = message(4 * BLOCK + 40);
                for length in 0..=message.len() {
                    let message = &message[..length];
                    assert_eq!($hash::digest(message), <$hash as Digest>::digest(message), "{length} bytes");
                }
            }

            #[test]
            fn a_clone_may_continue_under_another_tier() {
                let message = message(5 * BLOCK);
                let expected = sha2::$hash::digest(&message);
                for first in tiers_here() {
                    for second in tiers_here() {
                        let mut hash = $hash::with_tier(first).unwrap().chain_update(&message[..BLOCK + 36]);
                        let original = hash.clone();
                        hash.set_tier(second).unwrap();
                        assert_eq!((original.tier(), hash.tier()), (first, second));
                        for hash in [original, hash] {
                            let digest = hash.chain_update(&message[BLOCK + 36..]).finalize();
                            assert_eq!(digest[..], expected[..], "{first} to {second}");
                        }
                    }
                }
            }

            #[test]
            fn a_reset_hash_is_a_new_one() {
                let empty = $hash::digest(b"");
                let mut hash = $hash::new().chain_update(message(2 * BLOCK + 2));
                Reset::reset(&mut hash);
                assert_eq!(hash.clone().finalize(), empty);
                Update::update(&mut hash, &message(2 * BLOCK + 2));
                assert_eq!(hash.finalize_fixed_reset(), $hash::digest(message(2 * BLOCK + 2)));
                assert_eq!(hash.finalize(), empty);
            }

            #[test]
            fn an_exported_state_continues_anywhere() {
                let message = message(3 * BLOCK + 8);
                for split in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK + 7, 3 * BLOCK + 8] {
                    let hash = $hash::new().chain_update(&message[..split]);
                    let exported = hash.export_state();
                    assert_eq!(exported[..], hash.serialize()[..]);
                    for tier in tiers_here() {
                        let mut imported = $hash::import_state(&exported).unwrap();
                        imported.set_tier(tier).unwrap();
                        let digest = imported.chain_update(&message[split..]).finalize();
                        assert_eq!(digest, $hash::digest(&message), "{tier}");
                    }
                    let deserialized = $hash::deserialize(&hash.serialize()).unwrap().chain_update(&message[split..]);
                    assert_eq!(deserialized.finalize(), $hash::digest(&message));
                }
            }

            #[test]
            fn an_exported_state_is_laid_out_as_documented() {
                let mut expected = vec![1, $code];
                expected.extend(hex::decode($initial).unwrap());
                expected.resize(BUFFER_AT - 1, 0);
                expected.push(3);
                expected.extend(b"abc");
                expected.resize(STATE_BYTES, 0);
                assert_eq!($hash::new().chain_update(b"abc").export_state()[..], expected[..]);
            }

            #[test]
            fn a_state_that_cannot_be_continued_is_refused() {
                const ONE_MORE: usize = STATE_BYTES + 1;
                let good = $hash::new().chain_update(b"abc").export_state();
                let refused = |state: &[u8]| $hash::import_state(state).map(drop).unwrap_err();
                assert_eq!(refused(&good[1..]), StateError::Length { expected: STATE_BYTES, given: STATE_BYTES - 1 });
                assert_eq!(refused(&[]), StateError::Length { expected: STATE_BYTES, given: 0 });
                let longer = [&good[..], &[0]].concat();
                assert_eq!(refused(&longer), StateError::Length { expected: STATE_BYTES, given: ONE_MORE });

                let changed = |index: usize, byte: u8| {
                    let mut state = good;
                    state[index] = byte;
                    state
                };
                assert_eq!(refused(&changed(0, 2)), StateError::Version { expected: 1, given: 2 });
                assert_eq!(refused(&changed(STATE_BYTES - 1, 9)), StateError::Buffer { buffered: 3 });
                let too_long = StateError::MessageTooLong { limit: LIMIT, given: LIMIT + 1 + 3 };
                assert_eq!(refused(&changed(LENGTH_AT, 0x20)), too_long);
                for code in (0..=u8::MAX).filter(|code| *code != $code) {
                    assert_eq!(refused(&changed(1, code)), StateError::Algorithm { expected: $code, given: code });
                }
                assert!($hash::deserialize(&changed(0, 2).into()).is_err());
            }

            #[test]
            fn several_messages_have_the_digests_of_each() {
                let lengths = [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 239, 240, 500, 4000];
                let messages = lengths.map(message);
                for count in 0..=messages.len() {
                    let messages: Vec<&[u8]> = messages[..count].iter().map(Vec::as_slice).collect();
                    let expected: Vec<_> = messages.iter().map($hash::digest).collect();
                    let mut outputs = vec![Output::<$hash>::default(); count];
                    $hash::digest_many(&messages, &mut outputs).unwrap();
                    assert_eq!(outputs, expected);
                    for tier in tiers_here() {
                        let mut outputs = vec![Output::<$hash>::default(); count];
                        $hash::digest_many_with_tier(tier, &messages, &mut outputs).unwrap();
                        assert_eq!(outputs, expected, "{tier}");
                    }
                }
            }

            #[test]
            fn unequal_numbers_of_messages_and_outputs_are_refused_and_nothing_is_written() {
                let mut outputs = [Output::<$hash>::default(); 3];
                let error = LaneCountError { messages: 2, outputs: 3 };
                assert_eq!($hash::digest_many(&[b"a", b"b"], &mut outputs), Err(error));
                for tier in tiers_here() {
                    let refused = $hash::digest_many_with_tier(tier, &[b"a", b"b"], &mut outputs);
                    assert_eq!(refused, Err(ManyError::LaneCount(error)), "{tier}");
                }
                assert_eq!(outputs, [Output::<$hash>::default(); 3]);
                assert_eq!(error.to_string(), "2 messages need as many outputs, but 3 were given");
                assert_eq!($hash::digest_many(&[], &mut []), Ok(()));
            }

            #[test]
            fn a_message_beyond_the_limit_is_refused_and_stays_as_it_was() {
                // An exported state may stand just below the limit.
                let state = state_of_length(LIMIT - (BLOCK as u128 - 1));
                let mut hash = $hash::import_state(&state).unwrap();
                let error = MessageTooLong { limit: LIMIT, given: LIMIT + 1 };
                assert_eq!(hash.try_update(&[0; BLOCK]), Err(error));
                assert_eq!(hash.export_state(), state);
                assert_eq!(hash.try_update(&[0; BLOCK - 1]), Ok(()));
                assert_eq!(hash.try_update(&[0]), Err(error));
                assert_eq!(hash.try_update(&[]), Ok(()));
                let (limit, given) = (LIMIT, LIMIT + 1);
                let text = format!("a message of {given} bytes exceeds the limit of {limit} bytes");
                assert_eq!(error.to_string(), text);
            }

            #[cfg(feature = "verify")]
            #[test]
            fn a_chaining_value_is_continued() {
                let message = message(3 * BLOCK + 5);
                let (state, count) = $hash::new().chain_update(&message[..2 * BLOCK]).chaining_value();
                assert_eq!(count, 2 * BLOCK as u128);
                let hash = $hash::from_chaining_value(&state, count).unwrap();
                assert_eq!(hash.chain_update(&message[2 * BLOCK..]).finalize(), $hash::digest(&message));
                let refused = $hash::from_chaining_value(&state, LIMIT + 1).map(drop);
                assert_eq!(refused, Err(MessageTooLong { limit: LIMIT, given: LIMIT + 1 }));
            }

            #[test]
            fn a_core_is_between_blocks() {
                type Core = <$hash as CoreProxy>::Core;
                let mut core = Core::default();
                core.update_blocks(&[Default::default()]);
                let state = core.serialize();
                assert_eq!(state[..], $hash::new().chain_update([0; BLOCK]).export_state()[..]);
                assert_eq!(Core::deserialize(&state).unwrap().serialize(), state);
                let inside = $hash::new().chain_update([0; BLOCK + 1]).serialize();
                assert!(Core::deserialize(&inside).is_err());

                let message = message(2 * BLOCK + 9);
                let (core, buffer) = $hash::new().chain_update(&message[..BLOCK + 3]).decompose();
                let hash = $hash::compose(core, buffer).chain_update(&message[BLOCK + 3..]);
                assert_eq!(hash.finalize(), $hash::digest(&message));
            }

            #[test]
            fn a_tier_without_a_kernel_is_refused() {
                for tier in Tier::ALL {
                    if let Err(error) = $hash::with_tier(tier) {
                        assert_eq!((error.algorithm, error.tier), ($name, tier));
                        let kernel = ASSEMBLY && !(tier == Tier::Ce && BLOCK == 128 && cfg!(target_arch = "arm"));
                        assert_eq!(error.reason == TierErrorReason::NoKernel, !kernel, "{error}");
                    }
                }
                assert!($hash::with_tier(Tier::Generic).is_ok());
            }

            #[test]
            fn the_object_identifier_is_that_of_nist() {
                assert_eq!($hash::OID, sha2::$hash::OID);
            }

            #[test]
            fn a_debug_representation_reveals_nothing() {
                let hash = $hash::new().chain_update(b"secret");
                assert_eq!(format!("{hash:?}"), concat!(stringify!($hash), " { .. }"));
                let core = hash.decompose().0;
                assert_eq!(format!("{core:?}"), concat!(stringify!($hash), "Core { .. }"));
            }
        }
    };
}
