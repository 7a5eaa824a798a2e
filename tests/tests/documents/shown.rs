//! Compares output with texts on pages, where `…` stands for omitted text.

/// Returns `true` if a page shows this output.
///
/// In the page, a line `…` stands for any number of lines, and `…` within a line for any text.
/// Spaces at the ends of lines don't matter.
pub(crate) fn is_shown(shown: &str, output: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.trim_end().lines();
        lines.map(|line| line.trim_end().to_owned()).collect()
    };
    fits(&lines(shown), &lines(output), "…", |shown, line| {
        let parts = |text: &str| -> Vec<String> {
            let parts = text.split_inclusive('…').flat_map(|part| {
                let (text, cut) = match part.strip_suffix('…') {
                    Some(text) => (text, Some('…')),
                    None => (part, None),
                };
                text.chars()
                    .chain(cut)
                    .map(String::from)
                    .collect::<Vec<_>>()
            });
            parts.collect()
        };
        fits(&parts(shown), &parts(line), "…", |a, b| a == b)
    })
}

/// Returns `true` if a pattern matches a whole sequence. `wild` in the pattern matches anything.
fn fits(
    pattern: &[String],
    sequence: &[String],
    wild: &str,
    is_same: impl Fn(&str, &str) -> bool,
) -> bool {
    // Lengths of the prefixes that the pattern has matched so far.
    let mut covered = vec![false; sequence.len() + 1];
    covered[0] = true;
    for part in pattern {
        let mut next = vec![false; covered.len()];
        if part == wild {
            let first = covered.iter().position(|it| *it);
            next[first.unwrap_or(covered.len())..].fill(true);
        } else {
            for (at, element) in sequence.iter().enumerate() {
                next[at + 1] = covered[at] && is_same(part, element);
            }
        }
        covered = next;
    }
    covered[sequence.len()]
}

#[test]
fn what_is_left_out_may_be_anything() {
    assert!(is_shown("a\n…\nz", "a\nb\nc\nz\n"));
    assert!(is_shown("time … s", "time 0.25 s  "));
    assert!(is_shown("…", ""));
    assert!(!is_shown("a\n…\nz", "a\nb"));
    assert!(!is_shown("time … s", "time 0.25 ms!"));
    assert!(!is_shown("a", "a\nb"));
}
