//! A running hash in any mode, with what it takes to begin again.

use vambrace_reference::blake2::Parameters;
use zeroize::optimization_barrier;

use super::{Backends, Engine, Variant};
use crate::{MessageTooLong, ParameterError, StateError};

/// The sequential mode, or a tree.
pub(crate) trait Mode: Clone {
    /// The word size.
    type Variant: Variant;

    /// The parameters of the root, from those that the caller chooses.
    fn parameters(chosen: Parameters) -> Parameters {
        chosen
    }
    /// Before the first byte of the message; `key` is the key, filled up with zeros to a block.
    fn new(
        parameters: &Parameters,
        key: Option<&<Self::Variant as Variant>::Block>,
        backends: Backends<Self::Variant>,
    ) -> Self;
    /// Begins again, in place.
    fn start(&mut self, parameters: &Parameters, key: Option<&<Self::Variant as Variant>::Block>);
    /// Appends to the message.
    fn update(&mut self, data: &[u8]);
    /// Writes as much of the digest as `out` has room for.
    fn finish(&mut self, out: &mut [u8]);
    /// The number of bytes so far, the block of the key included.
    fn length(&self) -> u128;
    /// Goes on with other kernels.
    fn set_backends(&mut self, backends: Backends<Self::Variant>);
    /// The kernels.
    fn backends(&self) -> Backends<Self::Variant>;
}

impl<V: Variant> Mode for Engine<V> {
    type Variant = V;

    #[inline]
    fn new(parameters: &Parameters, key: Option<&V::Block>, backends: Backends<V>) -> Self {
        Engine::new(parameters, key, backends.one)
    }
    #[inline]
    fn start(&mut self, parameters: &Parameters, key: Option<&V::Block>) {
        Engine::start(self, parameters, key);
    }
    #[inline]
    fn update(&mut self, data: &[u8]) {
        Engine::update(self, data);
    }
    #[inline]
    fn finish(&mut self, out: &mut [u8]) {
        Engine::finish(self, false, out);
    }
    #[inline]
    fn length(&self) -> u128 {
        Engine::length(self)
    }
    fn set_backends(&mut self, backends: Backends<V>) {
        self.backend = backends.one;
    }
    fn backends(&self) -> Backends<V> {
        Backends::of(self.backend)
    }
}

/// Where a running hash keeps its key, to begin again.
pub(crate) trait KeyStore<V: Variant> {
    /// The key, filled up with zeros to a block.
    fn block(&self) -> Option<&V::Block>;
}

/// No key.
#[derive(Clone)]
pub(crate) struct NoKey;

impl<V: Variant> KeyStore<V> for NoKey {
    #[inline]
    fn block(&self) -> Option<&V::Block> {
        None
    }
}

/// A key, which may be empty: none.
pub(crate) struct Key<V: Variant> {
    block: V::Block,
    length: u8,
}

impl<V: Variant> Clone for Key<V> {
    fn clone(&self) -> Self {
        Key { block: self.block, length: self.length }
    }
}

impl<V: Variant> Key<V> {
    pub(crate) fn new(key: &[u8]) -> Result<Key<V>, ParameterError> {
        if key.len() > V::MAX_BYTES {
            return Err(ParameterError::KeyLength { limit: V::MAX_BYTES, given: key.len() });
        }
        let mut stored: Key<V> = Key { block: V::ZEROS, length: key.len() as u8 };
        stored.block.as_mut()[..key.len()].copy_from_slice(key);
        Ok(stored)
    }

    /// Bytes of the key.
    pub(crate) fn length(&self) -> u8 {
        self.length
    }
}

impl<V: Variant> KeyStore<V> for Key<V> {
    #[inline]
    fn block(&self) -> Option<&V::Block> {
        (self.length != 0).then_some(&self.block)
    }
}

impl<V: Variant> Drop for Key<V> {
    fn drop(&mut self) {
        self.block = V::ZEROS;
        self.length = 0;
        optimization_barrier(self);
    }
}

/// The parameters that a caller chooses; salt and personalisation may be empty.
pub(crate) fn parameters<V: Variant>(
    digest_length: usize,
    key_length: u8,
    salt: &[u8],
    personal: &[u8],
) -> Result<Parameters, ParameterError> {
    if digest_length == 0 || digest_length > V::MAX_BYTES {
        return Err(ParameterError::OutputLength { limit: V::MAX_BYTES, given: digest_length });
    }
    let mut parameters = Parameters { digest_length: digest_length as u8, key_length, ..Parameters::default() };
    if !salt.is_empty() {
        if salt.len() != V::SALT_BYTES {
            return Err(ParameterError::SaltLength { expected: V::SALT_BYTES, given: salt.len() });
        }
        parameters.salt[..salt.len()].copy_from_slice(salt);
    }
    if !personal.is_empty() {
        if personal.len() != V::SALT_BYTES {
            return Err(ParameterError::PersonalLength { expected: V::SALT_BYTES, given: personal.len() });
        }
        parameters.personal[..personal.len()].copy_from_slice(personal);
    }
    Ok(parameters)
}

/// A running hash.
#[derive(Clone)]
pub(crate) struct Running<M: Mode, K> {
    mode: M,
    parameters: Parameters,
    key: K,
}

impl<M: Mode, K: KeyStore<M::Variant>> Running<M, K> {
    #[inline]
    pub(crate) fn new(chosen: Parameters, key: K, backends: Backends<M::Variant>) -> Self {
        let parameters = M::parameters(chosen);
        Running { mode: M::new(&parameters, key.block(), backends), parameters, key }
    }

    /// Begins again.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.mode.start(&self.parameters, self.key.block());
    }

    #[inline]
    pub(crate) fn update(&mut self, data: &[u8]) {
        self.mode.update(data);
    }

    #[inline]
    pub(crate) fn try_update(&mut self, data: &[u8]) -> Result<(), MessageTooLong> {
        let (limit, given) = (M::Variant::MAX_MESSAGE_BYTES, self.mode.length().checked_add(data.len() as u128));
        match given {
            Some(given) if given <= limit => {
                self.mode.update(data);
                Ok(())
            }
            _ => Err(MessageTooLong { limit, given: given.unwrap_or(u128::MAX) }),
        }
    }

    #[inline]
    pub(crate) fn finish(&mut self, out: &mut [u8]) {
        self.mode.finish(out);
    }

    /// Bytes of the digest.
    pub(crate) fn digest_length(&self) -> usize {
        usize::from(self.parameters.digest_length)
    }
}

impl<V: Variant> Running<Engine<V>, NoKey> {
    /// Version of the form of exported states.
    const STATE_VERSION: u8 = 1;

    /// Bytes of an exported state: version, algorithm, length of the digest, salt, personalisation, chaining value, counter,
    /// bytes in the buffer, buffer.
    pub(crate) const STATE_BYTES: usize =
        3 + 2 * V::SALT_BYTES + V::BLOCK_BYTES / 2 + V::BLOCK_BYTES / 8 + 1 + V::BLOCK_BYTES;

    /// Writes the exported state of an algorithm with this number.
    pub(crate) fn export(&self, code: u8, out: &mut [u8]) {
        let (head, rest) = out.split_at_mut(3);
        head.copy_from_slice(&[Self::STATE_VERSION, code, self.parameters.digest_length]);
        let (salt, rest) = rest.split_at_mut(V::SALT_BYTES);
        let (personal, rest) = rest.split_at_mut(V::SALT_BYTES);
        salt.copy_from_slice(&self.parameters.salt[..V::SALT_BYTES]);
        personal.copy_from_slice(&self.parameters.personal[..V::SALT_BYTES]);
        self.mode.export(rest);
    }

    /// What [`export`](Running::export) wrote, under automatic dispatch; `parameters` are those without salt and
    /// personalisation.
    pub(crate) fn import(code: u8, mut parameters: Parameters, exported: &[u8]) -> Result<Self, StateError> {
        if exported.len() != Self::STATE_BYTES {
            return Err(StateError::Length { expected: Self::STATE_BYTES, given: exported.len() });
        }
        let (head, rest) = exported.split_at(3);
        if head[0] != Self::STATE_VERSION {
            return Err(StateError::Version { expected: Self::STATE_VERSION, given: head[0] });
        }
        if head[1] != code {
            return Err(StateError::Algorithm { expected: code, given: head[1] });
        }
        if head[2] != parameters.digest_length {
            let [expected, given] = [parameters.digest_length, head[2]].map(usize::from);
            return Err(StateError::OutputLength { expected, given });
        }
        let (salt, rest) = rest.split_at(V::SALT_BYTES);
        let (personal, rest) = rest.split_at(V::SALT_BYTES);
        parameters.salt[..V::SALT_BYTES].copy_from_slice(salt);
        parameters.personal[..V::SALT_BYTES].copy_from_slice(personal);
        Ok(Running { mode: Engine::import(rest, V::dispatch().best())?, parameters, key: NoKey })
    }

    /// A running hash from a chaining value after `count` bytes, under automatic dispatch.
    #[cfg(feature = "verify")]
    pub(crate) fn resume(h: [V::Word; 8], count: u128, parameters: Parameters) -> Self {
        Running { mode: Engine::resume(h, count, V::dispatch().best()), parameters, key: NoKey }
    }

    /// The chaining value and the number of bytes so far.
    #[cfg(feature = "verify")]
    pub(crate) fn chaining_value(&self) -> ([V::Word; 8], u128) {
        self.mode.chaining_value()
    }
}

impl<M: Mode, K> Running<M, K> {
    pub(crate) fn backends(&self) -> Backends<M::Variant> {
        self.mode.backends()
    }

    pub(crate) fn set_backends(&mut self, backends: Backends<M::Variant>) {
        self.mode.set_backends(backends);
    }
}
