//! What was read once is not read again: under emulation that takes longer than some checks that ask for it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::VectorError;

/// What is known about algorithms, by their names.
pub(crate) struct Once<T: 'static>(Mutex<BTreeMap<String, &'static T>>);

impl<T> Once<T> {
    pub(crate) const fn new() -> Once<T> {
        Once(Mutex::new(BTreeMap::new()))
    }

    /// What is known about an algorithm, read now if it was not before. Errors are not remembered.
    pub(crate) fn get(
        &self,
        algorithm: &str,
        read: impl FnOnce() -> Result<T, VectorError>,
    ) -> Result<&'static T, VectorError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(vectors) = known.get(algorithm) {
            return Ok(vectors);
        }
        let vectors: &'static T = Box::leak(Box::new(read()?));
        known.insert(algorithm.to_owned(), vectors);
        Ok(vectors)
    }
}
