//! Suggestions ("did you mean") of the nearest name that exists.

/// Maximum length of a word: longer ones are not misspellings, and take long to compare.
const WORD_CHARS_MAX: usize = 40;

/// Weight of one edit; whole words in the other case are nearer than that.
const EDIT: usize = 8;

/// Finds the candidate nearest to `word`, if it is near enough to be a correction.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(WORD_CHARS_MAX + 1).collect();
    if word.len() > WORD_CHARS_MAX {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= EDIT * allowed(candidate))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Renders `; did you mean …?`, or nothing.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Number of letters of a name that may be wrong.
fn allowed(candidate: &str) -> usize {
    candidate.chars().count().div_ceil(3).min(3)
}

/// Counts the edits between two words in units of `EDIT`: letters that are added, omitted, replaced
/// or swapped with their neighbor. A letter in the other case is 1.
fn distance(word: &[char], candidate: &str) -> usize {
    let candidate: Vec<char> = candidate.chars().take(2 * WORD_CHARS_MAX).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=word.len()).map(|column| EDIT * column).collect();
    for (row, &letter) in candidate.iter().enumerate() {
        let mut current = vec![EDIT * (row + 1)];
        for (column, &other) in word.iter().enumerate() {
            let mut best = above[column] + replacement(letter, other);
            best = best
                .min(above[column + 1] + EDIT)
                .min(current[column] + EDIT);
            let swapped =
                row > 0 && column > 0 && candidate[row - 1] == other && word[column - 1] == letter;
            if swapped {
                best = best.min(before[column - 1] + EDIT);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or(0)
}

fn replacement(a: char, b: char) -> usize {
    if a == b {
        0
    } else if a.to_lowercase().eq(b.to_lowercase()) {
        1
    } else {
        EDIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        assert_eq!(nearest("latncy", ["bandwidth", "latency"]), Some("latency"));
        assert_eq!(nearest("nat", ["NUM", "NAT"]), Some("NAT"));
        assert_eq!(nearest("O", ["L", "o", "g"]), Some("o"));
        assert_eq!(nearest("blok", ["block", "cyclic"]), Some("block"));
    }

    #[test]
    fn far_names_are_not() {
        assert_eq!(nearest("speed", ["latency", "bandwidth"]), None);
        assert_eq!(nearest(&"latency".repeat(1_000_000), ["latency"]), None);
        assert_eq!(nearest("x", []), None);
        assert_eq!(did_you_mean("zzz", ["latency"]), "");
    }

    #[test]
    fn edits_count_more_than_case() {
        let edits = |a: &str, b| distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(edits("", "abc"), 3 * EDIT);
        assert_eq!(edits("abc", ""), 3 * EDIT);
        assert_eq!(edits("kitten", "sitting"), 3 * EDIT);
        assert_eq!(edits("NTA", "NAT"), EDIT);
        assert_eq!(edits("ABC", "abc"), 3);
        assert_eq!(edits("abc", "abc"), 0);
    }
}
