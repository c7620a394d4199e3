//! The command line of a benchmark.

use std::time::Duration;

use vambrace::Tier;

/// What is asked for.
pub struct Arguments {
    algorithm: Option<String>,
    tier: Option<Tier>,
    /// Time for each row.
    pub time: Duration,
    filter: String,
    /// Whether to measure, rather than look at results alone.
    pub measure: bool,
}

impl Arguments {
    /// From the command line; `algorithms` are those that there are.
    pub fn parse(algorithms: &[&str]) -> Result<Arguments, lexopt::Error> {
        let given = |option: &str| std::env::args().any(|argument| argument == option);
        if given("--bench") && !given("--test") {
            Arguments::of_benchmark(algorithms)
        } else {
            Ok(Arguments::of_test())
        }
    }

    fn of_benchmark(algorithms: &[&str]) -> Result<Arguments, lexopt::Error> {
        use lexopt::prelude::*;

        let mut arguments = Arguments {
            algorithm: None,
            tier: None,
            time: Duration::from_millis(500),
            filter: String::new(),
            measure: true,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("bench") => {}
                Long("algorithm") => {
                    arguments.algorithm =
                        Some(parser.value()?.parse_with(|name| match algorithms.contains(&name) {
                            true => Ok(name.to_owned()),
                            false => Err(format!("the algorithms are {}", algorithms.join(", "))),
                        })?);
                }
                Long("tier") => arguments.tier = Some(parser.value()?.parse()?),
                Long("seconds") => {
                    let seconds = parser.value()?.parse_with(|text| match text.parse::<f64>() {
                        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
                        _ => Err("a number of seconds from 0.001 to 3600 is needed"),
                    })?;
                    arguments.time = Duration::from_secs_f64(seconds);
                }
                Value(filter) => arguments.filter = filter.string()?,
                _ => return Err(argument.unexpected()),
            }
        }
        Ok(arguments)
    }

    /// As a test: options are those of the test harness and mean nothing here, a name is a filter.
    fn of_test() -> Arguments {
        let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
        let filter = filter.unwrap_or_default();
        Arguments { algorithm: None, tier: None, time: Duration::ZERO, filter, measure: false }
    }

    /// Whether an algorithm is asked for.
    pub fn algorithm(&self, name: &str) -> bool {
        self.algorithm.as_ref().is_none_or(|wanted| wanted == name)
    }

    /// The tiers that are asked for.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> {
        Tier::ALL.into_iter().filter(|tier| self.tier.is_none_or(|wanted| wanted == *tier))
    }

    /// Whether a row is asked for.
    pub fn row(&self, name: &str) -> bool {
        name.contains(&self.filter)
    }
}
