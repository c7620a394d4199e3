//! What digests and tags should be, and what the library makes them.

use digest::{FixedOutput, Update};
use vambrace::Tier;
use vambrace_reference::blake2::{self as specification, Parameters};
use vambrace_reference::oracles::HashParameters;

use crate::function::{Function, Tiered};

/// What the digest should be: by the crates of others; they know no trees with a salt, which are composed here.
pub fn expected<F: Function>(parameters: &HashParameters<'_>, message: &[u8]) -> Vec<u8> {
    if F::LEAVES > 1 && !(parameters.salt.is_empty() && parameters.personal.is_empty()) {
        return composed::<F>(parameters, message);
    }
    F::oracle().digest_with(parameters, message).unwrap()
}

/// A tree by the specification of the sequential function ("BLAKE2: simpler, smaller, fast as MD5", section 2.10).
pub fn composed<F: Function>(parameters: &HashParameters<'_>, message: &[u8]) -> Vec<u8> {
    let HashParameters { output_bytes, key, salt, personal } = *parameters;
    let mut node = Parameters {
        digest_length: output_bytes as u8,
        key_length: key.len() as u8,
        fanout: F::LEAVES as u8,
        max_depth: 2,
        inner_length: F::MAX as u8,
        ..Parameters::default()
    };
    node.salt[..salt.len()].copy_from_slice(salt);
    node.personal[..personal.len()].copy_from_slice(personal);
    let digest = |node: &Parameters, key: &[u8], message: &[u8], last: bool, length: usize| -> Vec<u8> {
        let words = specification::digest::<F::Word>(node, key, message, last);
        let word_bytes = F::BLOCK / 16;
        words.into_iter().flat_map(|word| word.into().to_le_bytes().into_iter().take(word_bytes)).take(length).collect()
    };
    let mut of_leaves = Vec::new();
    for leaf in 0..F::LEAVES {
        let blocks: Vec<u8> = message.chunks(F::BLOCK).skip(leaf).step_by(F::LEAVES).flatten().copied().collect();
        let parameters = Parameters { node_offset: leaf as u64, ..node };
        of_leaves.extend(digest(&parameters, key, &blocks, leaf + 1 == F::LEAVES, F::MAX));
    }
    digest(&Parameters { node_depth: 1, ..node }, &[], &of_leaves, true, output_bytes)
}

pub fn of_var<F: Function>(parameters: &HashParameters<'_>, tier: Tier, message: &[u8]) -> Vec<u8> {
    let mut var = F::var_with(parameters).unwrap();
    var.set_tier(tier).unwrap();
    var.update(message);
    let mut output = vec![0; F::output_length(&var)];
    F::finalize_into(var, &mut output).unwrap();
    output
}

pub fn of_mac<F: Function>(parameters: &HashParameters<'_>, tier: Tier, message: &[u8]) -> Vec<u8> {
    let mut mac = F::mac(parameters.key, parameters.salt, parameters.personal).unwrap();
    mac.set_tier(tier).unwrap();
    Update::update(&mut mac, message);
    mac.finalize_fixed().to_vec()
}
