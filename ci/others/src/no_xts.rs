//! Without AWS-LC there is no XTS to judge.

use vambrace_harness::subject::XtsSubject;

/// None.
pub fn subjects() -> Vec<Box<dyn XtsSubject>> {
    Vec::new()
}
