//! Merges two changes to a text if they concern different places.

use std::ops::Range;

/// Maximum number of pieces that a change adds and removes. Comparing more would take too long.
const EDITS_MAX: usize = 2_000;

/// A range of pieces in the old text, and the range of new pieces that replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
}

/// Merges two changed versions of `base`. Returns `None` if both changed the same place, or if one
/// differs too much from `base`.
///
/// A place is an attribute, a line of text, or whatever is in between. So changes to different
/// attributes of an element can be merged.
pub fn merge(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let [base, ours, theirs] = [base, ours, theirs].map(pieces);
    let our_changes = changes(&base, &ours)?;
    let their_changes = changes(&base, &theirs)?;
    let mut merged = String::new();
    let mut done = 0;
    let (mut a, mut b) = (
        our_changes.iter().peekable(),
        their_changes.iter().peekable(),
    );
    loop {
        let (change, source) = match (a.peek(), b.peek()) {
            (None, None) => break,
            (Some(one), Some(other)) if touch(one, other) => {
                let is_same =
                    one.old == other.old && ours[one.new.clone()] == theirs[other.new.clone()];
                if !is_same {
                    return None;
                }
                b.next();
                (a.next()?, &ours)
            }
            (Some(one), Some(other)) if one.old.start < other.old.start => (a.next()?, &ours),
            (Some(_), None) => (a.next()?, &ours),
            _ => (b.next()?, &theirs),
        };
        merged.extend(base[done..change.old.start].iter().copied());
        merged.extend(source[change.new.clone()].iter().copied());
        done = change.old.end;
    }
    merged.extend(base[done..].iter().copied());
    Some(merged)
}

const fn touch(one: &Hunk, other: &Hunk) -> bool {
    one.old.start <= other.old.end && other.old.start <= one.old.end
}

/// Splits a text into pieces. In tags, these are names, attributes and the space between them.
/// Elsewhere, they are lines.
fn pieces(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut in_tag = false;
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate() {
        let is_space = byte.is_ascii_whitespace();
        let begins = match (in_tag, quote) {
            (true, Some(_)) => false,
            (true, None) => {
                let was_space = at > 0 && bytes[at - 1].is_ascii_whitespace();
                is_space != was_space || byte == b'>'
            }
            (false, _) => byte == b'<' || (at > 0 && matches!(bytes[at - 1], b'\n' | b'>')),
        };
        if begins && at > start {
            pieces.push(&text[start..at]);
            start = at;
        }
        match (in_tag, quote, byte) {
            (false, _, b'<') => in_tag = true,
            (true, None, b'>') => in_tag = false,
            (true, None, b'"' | b'\'') => quote = Some(byte),
            (true, Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

fn changes(old: &[&str], new: &[&str]) -> Option<Vec<Hunk>> {
    let begin = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old[begin..].iter().rev().zip(new[begin..].iter().rev());
    let end = rest.take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[begin..old.len() - end], &new[begin..new.len() - end]);
    let mut kept = common(old, new)?;
    kept.push((old.len(), new.len()));
    let mut changes = Vec::new();
    let (mut x, mut y) = (0, 0);
    for (next_x, next_y) in kept {
        if next_x > x || next_y > y {
            changes.push(Hunk {
                old: begin + x..begin + next_x,
                new: begin + y..begin + next_y,
            });
        }
        (x, y) = (next_x + 1, next_y + 1);
    }
    Some(changes)
}

/// Pairs as many unchanged pieces as possible (E. Myers: An O(ND) Difference Algorithm and Its
/// Variations, 1986). Returns `None` if there are too many differences.
fn common(old: &[&str], new: &[&str]) -> Option<Vec<(usize, usize)>> {
    // For each round and diagonal, the furthest piece of `old`. Round d has d + 1 diagonals.
    let mut rounds: Vec<Vec<Option<usize>>> = Vec::new();
    for round in 0..=EDITS_MAX {
        let mut reach = Vec::with_capacity(round + 1);
        for at in 0..=round {
            let start = step(rounds.last(), at, round, old.len(), new.len()).map(|it| it.0);
            let end = start.map(|mut x| {
                while let Some(y) = other(x, at, round) {
                    if x >= old.len() || y >= new.len() || old[x] != new[y] {
                        break;
                    }
                    x += 1;
                }
                x
            });
            reach.push(end);
            let is_end = |x: usize| x == old.len() && other(x, at, round) == Some(new.len());
            if end.is_some_and(is_end) {
                rounds.push(reach);
                return Some(walk_back(&rounds, at, old.len(), new.len()));
            }
        }
        rounds.push(reach);
    }
    None
}

/// Returns the piece of `new` that is on the same diagonal as the piece `x` of `old`.
const fn other(x: usize, at: usize, round: usize) -> Option<usize> {
    (x + round).checked_sub(2 * at)
}

/// Returns the piece that a round reaches on a diagonal, and the diagonal that it came from in the
/// previous round.
fn step(
    last: Option<&Vec<Option<usize>>>,
    at: usize,
    round: usize,
    width: usize,
    height: usize,
) -> Option<(usize, usize)> {
    let Some(last) = last else {
        return Some((0, 0));
    };
    let fits = |x: &usize| *x <= width && other(*x, at, round).is_some_and(|y| y <= height);
    let removed = at
        .checked_sub(1)
        .and_then(|from| Some((last[from]? + 1, from)));
    let added = last.get(at).and_then(|x| Some(((*x)?, at)));
    let both = [removed, added].into_iter().flatten();
    both.filter(|(x, _)| fits(x)).max_by_key(|(x, _)| *x)
}

/// Returns the pairs on the path that ended on the diagonal `at`.
fn walk_back(
    rounds: &[Vec<Option<usize>>],
    mut at: usize,
    width: usize,
    height: usize,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (round, reach) in rounds.iter().enumerate().rev() {
        let last = round.checked_sub(1).map(|it| &rounds[it]);
        let (Some(end), Some((start, from))) = (reach[at], step(last, at, round, width, height))
        else {
            break;
        };
        let run = (start..end).rev();
        pairs.extend(run.filter_map(|x| Some((x, other(x, at, round)?))));
        at = from;
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "<m>\n  <a name=\"A\" cost=\"1\"/>\n  <b name='B'>one\ntwo\n</b>\n</m>\n";

    #[test]
    fn pieces_are_the_whole_text() {
        assert_eq!(pieces(BASE).concat(), BASE);
        assert_eq!(
            pieces("<a b=\"c > d\" e='f'>g\nh</a>"),
            [
                "<a",
                " ",
                "b=\"c > d\"",
                " ",
                "e='f'",
                ">",
                "g\n",
                "h",
                "</a",
                ">"
            ]
        );
    }

    #[test]
    fn changes_of_different_places_are_merged() {
        let change = |from: &str, to: &str| BASE.replace(from, to);
        for (ours, theirs) in [
            (("name=\"A\"", "name=\"X\""), ("cost=\"1\"", "cost=\"2\"")),
            (("one", "1"), ("name='B'", "name='Y'")),
            (("  <a name=\"A\" cost=\"1\"/>\n", ""), ("two", "2")),
            (("<m>\n", "<m>\n  <new/>\n"), ("</m>", "  <last/>\n</m>")),
        ] {
            let (a, b) = (change(ours.0, ours.1), change(theirs.0, theirs.1));
            let both = a.replace(theirs.0, theirs.1);
            assert_eq!(merge(BASE, &a, &b).as_deref(), Some(&*both), "{ours:?}");
            assert_eq!(merge(BASE, &b, &a).as_deref(), Some(&*both), "{ours:?}");
        }
        let same = change("one", "1");
        assert_eq!(merge(BASE, &same, &same), Some(same.clone()));
        assert_eq!(merge(BASE, &same, BASE), Some(same));
    }

    #[test]
    fn changes_of_one_place_are_not() {
        let change = |from: &str, to: &str| BASE.replace(from, to);
        for (ours, theirs) in [
            (("name=\"A\"", "name=\"X\""), ("name=\"A\"", "name=\"Y\"")),
            (("</m>", "  <one/>\n</m>"), ("</m>", "  <two/>\n</m>")),
            (
                ("  <a name=\"A\" cost=\"1\"/>\n", ""),
                ("cost=\"1\"", "cost=\"2\""),
            ),
        ] {
            let (a, b) = (change(ours.0, ours.1), change(theirs.0, theirs.1));
            assert_eq!(merge(BASE, &a, &b), None, "{ours:?}");
            assert_eq!(merge(BASE, &b, &a), None, "{ours:?}");
        }
    }

    #[test]
    fn what_differs_very_much_is_not_compared_to_the_end() {
        let lines = |letter: &str| {
            let lines = (0..EDITS_MAX).map(|it| format!("{letter}{it}\n"));
            lines.collect::<String>()
        };
        assert_eq!(merge(&lines("a"), &lines("b"), &lines("c")), None);
    }

    #[test]
    fn each_text_is_made_of_any_other() {
        // Short texts of two letters are enough to find mistakes in the algorithm.
        let texts: Vec<String> = (0..64_u32)
            .map(|bits| {
                let letter = |at: u32| if bits >> at & 1 == 0 { "x\n" } else { "y\n" };
                (0..bits % 7).map(letter).collect()
            })
            .collect();
        for base in &texts {
            for new in &texts {
                assert_eq!(merge(base, new, base).as_ref(), Some(new), "{base:?}");
                assert_eq!(merge(base, base, new).as_ref(), Some(new), "{base:?}");
            }
        }
    }
}
