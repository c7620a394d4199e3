//! Which cells of the matrix a run is about.

use glob::Pattern;

/// Patterns of `--only`, of which a cell must match one; without any, every cell is selected.
///
/// A pattern with a slash is compared with `KERNEL/CHECK`, one without with the kernel's name and with the check's name.
/// `*`, `?` and `[…]` mean what they mean in a shell.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    patterns: Vec<Pattern>,
}

/// A pattern of `--only` that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    pattern: String,
    reason: &'static str,
    position: usize,
}

impl std::fmt::Display for PatternError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the pattern {:?} is malformed at character {}: {}", self.pattern, self.position + 1, self.reason)
    }
}

impl std::error::Error for PatternError {}

impl Selection {
    /// A selection by some patterns.
    ///
    /// # Errors
    /// The first pattern that cannot be read.
    pub fn new<S: AsRef<str>>(patterns: &[S]) -> Result<Selection, PatternError> {
        let patterns = patterns.iter().map(|pattern| {
            let pattern = pattern.as_ref();
            Pattern::new(pattern).map_err(|error| PatternError {
                pattern: pattern.to_owned(),
                reason: error.msg,
                position: error.pos,
            })
        });
        Ok(Selection { patterns: patterns.collect::<Result<_, _>>()? })
    }

    /// Whether a check of a kernel is selected.
    pub fn contains(&self, kernel: &str, check: &str) -> bool {
        self.patterns.is_empty()
            || self.patterns.iter().any(|pattern| {
                if pattern.as_str().contains('/') {
                    pattern.matches(&format!("{kernel}/{check}"))
                } else {
                    pattern.matches(kernel) || pattern.matches(check)
                }
            })
    }

    /// The patterns, to be named in an error.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().map(Pattern::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::Selection;

    #[test]
    fn a_pattern_matches_kernels_checks_or_cells() {
        let selects = |pattern: &str, kernel, check| Selection::new(&[pattern]).unwrap().contains(kernel, check);
        assert!(selects("sha256_neon", "sha256_neon", "kat"));
        assert!(selects("kat", "sha256_neon", "kat"));
        assert!(selects("sha256_*/kat", "sha256_neon", "kat"));
        assert!(selects("*_c?*", "sha256_ce_x2", "kat"));
        assert!(!selects("sha256_ce", "sha256_ce_x2", "kat"));
        assert!(!selects("sha256_neon/abi", "sha256_neon", "kat"));
        assert!(!selects("neon", "sha256_neon", "kat"));
    }

    #[test]
    fn no_pattern_selects_all_and_several_add_up() {
        assert!(Selection::default().contains("sha256_ce", "abi"));
        let two = Selection::new(&["abi", "*/kat"]).unwrap();
        assert!(two.contains("sha256_ce", "abi") && two.contains("sha256_ce", "kat"));
        assert!(!two.contains("sha256_ce", "splits"));
    }

    #[test]
    fn a_malformed_pattern_is_named() {
        let error = Selection::new(&["sha256_[neon"]).unwrap_err().to_string();
        assert!(error.contains("sha256_[neon") && error.contains("character 8"), "{error}");
    }
}
