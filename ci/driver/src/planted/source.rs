//! Edits of source text.

use regex::Regex;

use super::bug::Edit;

/// What stands between lines: the rest of the one, a comment included, and whole lines of comment or of nothing.
const BETWEEN: &str = r"[ \t]*(?://[^\n]*)?\n(?:[ \t]*(?://[^\n]*)?\n)*[ \t]*";

/// A pattern for a piece of source: any space stands for any space, comments at the ends of lines and empty lines do not
/// count. What is to be replaced is marked by `«` and `»`; without marks all of it is.
///
/// # Errors
/// If the marks are no pair.
fn pattern(find: &str) -> Result<Regex, String> {
    let marks = (find.matches('«').count(), find.matches('»').count());
    let marked = match marks {
        (0, 0) => format!("«{}»", find.trim()),
        (1, 1) => find.trim().to_owned(),
        _ => return Err(format!("{find:?} has {marks:?} marks")),
    };
    let lines = marked.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<String> =
        lines.map(|line| line.split_whitespace().map(regex::escape).collect::<Vec<_>>().join(r"[ \t]+")).collect();
    let text = lines.join(BETWEEN).replace('«', "(?P<core>").replace('»', ")");
    // A name does not begin or end inside of another.
    let boundary = |character: Option<char>| {
        let in_name = character.is_some_and(|character| character.is_alphanumeric() || character == '_');
        if in_name { r"\b" } else { "" }
    };
    let plain = find.trim().replace(['«', '»'], "");
    let (before, after) = (boundary(plain.chars().next()), boundary(plain.chars().next_back()));
    Regex::new(&format!("{before}{text}{after}")).map_err(|error| format!("{find:?}: {error}"))
}

/// Where in a text an edit applies: the one place.
///
/// # Errors
/// If there is none, or there are several.
pub fn find(text: &str, edit: &Edit) -> Result<std::ops::Range<usize>, String> {
    let found: Vec<_> = pattern(&edit.find)?
        .captures_iter(text)
        .filter_map(|captures| captures.name("core"))
        .map(|found| found.range())
        .collect();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        several => Err(format!("{} has {} times, not once:\n{}", edit.file, several.len(), edit.find)),
    }
}

/// A text with one edit after the other made.
///
/// # Errors
/// As [`find`].
pub fn edited<'a>(text: &str, edits: impl IntoIterator<Item = &'a Edit>) -> Result<String, String> {
    edits.into_iter().try_fold(text.to_owned(), |mut text, edit| {
        text.replace_range(find(&text, edit)?, &edit.replace);
        Ok(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
        add     x1, x1, #16             // the next\n\
        \n\
        // a line of comment\n\
        subs    x2, x2, #1\n\
        b.ne    1b\n\
        subs    x2, x2, #10\n";

    fn edit(find: &str, replace: &str) -> Edit {
        Edit { file: "kernel.S".into(), find: find.into(), replace: replace.into() }
    }

    #[test]
    fn spaces_and_comments_do_not_count() {
        let made = edited(TEXT, &[edit("add x1, x1, #16\n subs x2, x2, #1\n b.ne 1b", "nop")]).unwrap();
        assert_eq!(made.trim(), "nop\nsubs    x2, x2, #10");
    }

    #[test]
    fn only_what_is_marked_is_replaced() {
        let made = edited(TEXT, &[edit("subs x2, x2, «#1»\n b.ne", "#2")]).unwrap();
        assert!(made.contains("subs    x2, x2, #2\n"), "{made}");
        assert!(made.contains("#16") && made.contains("#10"));
    }

    #[test]
    fn an_edit_applies_in_one_place() {
        // "#1" is a part of "#16" and of "#10".
        assert_eq!(find(TEXT, &edit("x2, x2, #1", "")).map(|range| &TEXT[range]), Ok("x2, x2, #1"));
        let error = find(TEXT, &edit("subs x2, x2,", "")).unwrap_err();
        assert!(error.contains("kernel.S has 2 times"), "{error}");
        let error = find(TEXT, &edit("adds x2", "")).unwrap_err();
        assert!(error.contains("0 times"), "{error}");
        let error = find(TEXT, &edit("«subs", "")).unwrap_err();
        assert!(error.contains("marks"), "{error}");
    }
}
