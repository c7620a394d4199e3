//! A part of a run, so that several machines can share one: `--shard 2/5`.

use std::fmt;
use std::str::FromStr;

/// One of several equal parts, which together are the whole and have nothing in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 1.
    number: usize,
    of: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Whether what stands at a place of a list, counted from 0, belongs to this part. Neighbours in a list of kernels cost alike,
    /// so they go to different parts.
    pub fn has(self, position: usize) -> bool {
        position % self.of == self.number - 1
    }

    /// The part of a list.
    pub fn of<T>(self, list: Vec<T>) -> Vec<T> {
        list.into_iter().enumerate().filter(|(position, _)| self.has(*position)).map(|(_, one)| one).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            None => Err(format!("{text:?} is no shard; one is I/N, as 2/5")),
            Some((_, 0)) => Err(format!("{text:?}: there are at least 1 shards")),
            Some((number, of)) if number < 1 || number > of => {
                Err(format!("{text:?}: the shards of {of} are 1/{of} to {of}/{of}"))
            }
            Some((number, of)) => Ok(Shard { number, of }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_out_of_range_is_an_error_that_names_the_range() {
        for (text, part) in [
            ("0/3", "1/3 to 3/3"),
            ("4/3", "1/3 to 3/3"),
            ("1/0", "at least 1"),
            ("x/y", "I/N"),
            ("3", "I/N"),
            ("-1/3", "I/N"),
            ("1/2/3", "I/N"),
            ("", "I/N"),
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(part) && error.contains(&format!("{text:?}")), "{error}");
        }
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        assert_eq!("1/1".parse::<Shard>().unwrap(), Shard::WHOLE);
    }

    #[test]
    fn the_shards_of_a_list_are_the_list_and_have_nothing_in_common() {
        for of in 1..12 {
            let shards = (1..=of).map(|number| Shard { number, of });
            let mut all: Vec<usize> = shards.clone().flat_map(|shard| shard.of((0..10).collect())).collect();
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<_>>());
            let sizes: Vec<usize> = shards.map(|shard| shard.of((0..10).collect()).len()).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
    }
}
