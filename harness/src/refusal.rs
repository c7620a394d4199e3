//! What must be refused.

use crate::trial::Wrong;

/// An error, and one that says something.
pub(crate) fn refused<T>(what: &str, answer: Option<Result<T, String>>) -> Result<(), Wrong> {
    match answer {
        Some(Err(error)) if error.is_empty() => Err(Wrong::new(format!("the error for {what} says nothing"))),
        Some(Err(_)) => Ok(()),
        Some(Ok(_)) => Err(Wrong::new(format!("{what} is accepted"))),
        None => Err(Wrong::new(format!("{what} is not answered, where the subject answers others"))),
    }
}

/// Names that are no tiers; none for a subject that has none to switch to.
pub(crate) fn unknown_tiers(tiers: &[String]) -> Vec<String> {
    let Some(tier) = tiers.first() else { return Vec::new() };
    let names = ["", "no such tier", "NEON ", "generic\0"].map(str::to_owned).into_iter().chain([
        format!("{tier}{tier}"),
        format!(" {tier}"),
        tier.to_uppercase(),
    ]);
    names.filter(|name| !tiers.contains(name)).collect()
}

/// Goes on with a tier that the subject names.
pub(crate) fn switched(tier: &str, answer: Option<Result<(), String>>) -> Result<(), Wrong> {
    match answer {
        Some(Ok(())) => Ok(()),
        Some(Err(error)) => Err(Wrong::new(format!("tier {tier}, which the subject names, is refused: {error}"))),
        None => Err(Wrong::new("the subject names tiers but does not switch")),
    }
}
