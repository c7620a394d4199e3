//! Running hashes are cloned, reset and printed.

use digest::{Digest, FixedOutput, FixedOutputReset};
use vambrace_reference::oracles::HashParameters;

use crate::expected::expected;
use crate::function::{Function, Tiered, bytes, plain, tests, tiers};
use crate::support::message;

tests!(
    of all:
    a_clone_may_continue_under_another_tier,
    a_reset_hash_is_a_new_one_under_the_same_parameters,
    debug_output_reveals_nothing,
);

fn a_clone_may_continue_under_another_tier<F: Function>() {
    let message = message(3 * F::LEAVES * F::BLOCK + 50);
    let key = bytes(5, 10);
    let parameters = HashParameters { key: &key, ..plain::<F>() };
    let (unkeyed, keyed) = (expected::<F>(&plain::<F>(), &message), expected::<F>(&parameters, &message));

    /// Each pair of tiers, with the change at some place.
    fn check<F: Function, T: Tiered>(start: &T, message: &[u8], finish: impl Fn(T) -> Vec<u8>, expected: &[u8]) {
        for first in tiers::<F>() {
            for second in tiers::<F>() {
                for cut in [0, F::BLOCK, F::BLOCK + 1, F::LEAVES * F::BLOCK + 40, message.len()] {
                    let mut original = start.clone();
                    original.set_tier(first).unwrap();
                    original.update(&message[..cut]);
                    let mut clone = original.clone();
                    clone.set_tier(second).unwrap();
                    assert_eq!((original.tier(), clone.tier()), (first, second));
                    for mut hash in [original, clone] {
                        hash.update(&message[cut..]);
                        assert_eq!(finish(hash), expected, "{first} to {second} at {cut}");
                    }
                }
            }
        }
    }
    check::<F, _>(&F::Hash::new(), &message, |hash| hash.finalize_fixed().to_vec(), &unkeyed);
    check::<F, _>(&F::mac(&key, &[], &[]).unwrap(), &message, |mac| mac.finalize_fixed().to_vec(), &keyed);
    let finish = |var| {
        let mut output = vec![0; F::MAX];
        F::finalize_into(var, &mut output).unwrap();
        output
    };
    check::<F, _>(&F::var_with(&parameters).unwrap(), &message, finish, &keyed);
}

fn a_reset_hash_is_a_new_one_under_the_same_parameters<F: Function>() {
    let (key, salt, personal) = (bytes(80, F::MAX - 1), bytes(110, F::SALT), bytes(140, F::SALT));
    let (before, after) = (message(2 * F::LEAVES * F::BLOCK + 3), message(F::BLOCK + 9));
    let unkeyed = HashParameters { salt: &salt, personal: &personal, ..plain::<F>() };
    let keyed = HashParameters { key: &key, ..unkeyed };
    let shorter = HashParameters { output_bytes: F::MAX - 3, ..keyed };

    /// After a reset, and after a digest that resets; `finish` is such a digest.
    fn check<F: Function, T: Tiered>(
        mut hash: T,
        parameters: &HashParameters<'_>,
        messages: [&[u8]; 2],
        finish: impl Fn(&mut T) -> Vec<u8>,
    ) {
        let [before, after] = messages;
        let tier = hash.tier();
        hash.update(before);
        hash.reset();
        hash.update(after);
        assert_eq!(finish(&mut hash), expected::<F>(parameters, after), "after a reset");
        hash.update(before);
        assert_eq!(finish(&mut hash), expected::<F>(parameters, before), "after a digest");
        assert_eq!(finish(&mut hash), expected::<F>(parameters, b""), "nothing after a digest");
        hash.reset();
        hash.reset();
        assert_eq!(finish(&mut hash), expected::<F>(parameters, b""), "nothing after two resets");
        assert_eq!(hash.tier(), tier);
    }
    for tier in tiers::<F>() {
        let messages = [&before[..], &after];
        let mut hash = F::salted(&salt, &personal).unwrap();
        hash.set_tier(tier).unwrap();
        check::<F, _>(hash, &unkeyed, messages, |hash| hash.finalize_fixed_reset().to_vec());
        let mut mac = F::mac(&key, &salt, &personal).unwrap();
        mac.set_tier(tier).unwrap();
        check::<F, _>(mac, &keyed, messages, |mac| mac.finalize_fixed_reset().to_vec());
        let mut var = F::var_with(&shorter).unwrap();
        var.set_tier(tier).unwrap();
        check::<F, _>(var, &shorter, messages, |var| {
            let mut output = vec![0; F::output_length(var)];
            F::finalize_into_reset(var, &mut output).unwrap();
            output
        });
    }
}

fn debug_output_reveals_nothing<F: Function>() {
    let expected = format!("{} {{ .. }}", F::NAME);
    let (salt, personal) = (bytes(1, F::SALT), bytes(2, F::SALT));
    let parameters = HashParameters { output_bytes: 20, key: b"secret", salt: &salt, personal: &personal };
    assert_eq!(format!("{:?}", F::salted(&salt, &personal).unwrap().chain_update(b"secret")), expected);
    assert_eq!(format!("{:?}", F::mac(b"secret", &salt, &personal).unwrap()), expected);
    assert_eq!(format!("{:?}", F::var_with(&parameters).unwrap()), expected);
    assert_eq!(format!("{:#?}", F::var_with(&parameters).unwrap()), expected);
}
