//! Replaces ranges of a text.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Patch {
    pub(crate) fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { range, text }
    }

    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::new(at..at, text)
    }
}

/// Applies patches to `text`, and returns the patches that undo them.
///
/// If ranges overlap, only the range that reaches furthest is replaced, because a removed part
/// needs no further changes. If several reach equally far, the first one is replaced. Insertions at
/// the same position keep their order.
pub(crate) fn apply(text: &mut String, mut patches: Vec<Patch>) -> Vec<Patch> {
    patches.sort_by_key(|it| {
        (
            it.range.start,
            !it.range.is_empty(),
            usize::MAX - it.range.end,
        )
    });
    let mut result = String::with_capacity(text.len());
    let mut inverse = Vec::with_capacity(patches.len());
    let mut done = 0;
    for patch in patches {
        let range = patch.range;
        if range.start < done {
            continue;
        }
        result.push_str(&text[done..range.start]);
        let start = result.len();
        result.push_str(&patch.text);
        inverse.push(Patch::new(start..result.len(), &text[range.clone()]));
        done = range.end;
    }
    result.push_str(&text[done..]);
    *text = result;
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_can_be_taken_back() {
        let mut text = "one two three".to_owned();
        let patches = vec![
            Patch::new(8..13, "3"),
            Patch::insert(4, "a "),
            Patch::insert(4, "b "),
            Patch::new(4..7, ""),
            Patch::new(5..6, "never"),
        ];
        let inverse = apply(&mut text, patches);
        assert_eq!(text, "one a b  3");
        let again = apply(&mut text, inverse);
        assert_eq!(text, "one two three");
        apply(&mut text, again);
        assert_eq!(text, "one a b  3");
    }
}
