//! Recovers commands as users wrote them. hyperfine stores each command with its numbers filled in.

use std::collections::{BTreeMap, BTreeSet};

use crate::measurements::collector::number;
use crate::measurements::job::Text;

/// A command, and the name, text and value of each of its parameters.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) text: String,
    pub(crate) at: Vec<(String, String, f64)>,
}

#[derive(Debug)]
struct Pieces {
    texts: Vec<String>,
    numbers: Vec<String>,
}

/// Replaces numbers in commands with names of parameters.
///
/// Commands that differ only in numbers are the same command. A number that always equals the same
/// parameter is replaced with the parameter's name. If no parameters are known, the numbers that
/// vary become parameters.
pub(crate) fn restore(calls: &mut [Call], text: Text) {
    let is_in_words = |call: &Call| text == Text::Name || !call.at.is_empty();
    let pieces: Vec<Pieces> = calls
        .iter()
        .map(|call| Pieces::of(&call.text, is_in_words(call)))
        .collect();
    let mut alike: BTreeMap<(Vec<&str>, Vec<String>), Vec<usize>> = BTreeMap::new();
    for (index, (call, pieces)) in calls.iter().zip(&pieces).enumerate() {
        let texts = pieces.texts.iter().map(String::as_str).collect();
        let names = call.at.iter().map(|it| it.0.clone()).collect();
        alike.entry((texts, names)).or_default().push(index);
    }
    for group in alike.values() {
        let names = names(calls, &pieces, group, text);
        for &index in group {
            let call = &mut calls[index];
            call.text = pieces[index].with(&names);
            if call.at.is_empty() {
                call.at = pieces[index].values(&names);
            }
        }
    }
}

/// Returns the name of the parameter that replaces each number; `None` if the number stays.
fn names(calls: &[Call], pieces: &[Pieces], group: &[usize], form: Text) -> Vec<Option<String>> {
    let first = &pieces[group[0]];
    let option = |place: usize| match form {
        Text::Command => option(&first.texts[place]),
        Text::Name => letters(&first.texts[place], place == 0),
    };
    let known = &calls[group[0]].at;
    let varies = |place: &usize| {
        let values = group.iter().map(|it| &pieces[*it].numbers[*place]);
        values.into_iter().any(|it| *it != first.numbers[*place])
    };
    let all = 0..first.numbers.len();
    if known.is_empty() {
        let is_as = |place: usize, other: usize| {
            let mut numbers = group.iter().map(|it| &pieces[*it].numbers);
            numbers.all(|it| it[place] == it[other])
        };
        // Numbers that are equal in all calls are one parameter.
        let first_as = |place: usize| (0..place).find(|it| is_as(*it, place)).unwrap_or(place);
        let is_first = |place: &usize| first_as(*place) == *place;
        let varying: Vec<usize> = all.clone().filter(varies).filter(is_first).collect();
        let name = |place: usize| {
            let place = first_as(place);
            let which = varying.iter().position(|it| *it == place)?;
            let is_used = |name: &String| {
                let others = varying.iter().filter(|it| **it != place);
                let mut names = others.map(|it| option(*it));
                names.any(|it| it.as_ref() == Some(name))
            };
            let many = varying.len() > 1;
            let counted = || {
                if many {
                    format!("n{}", which + 1)
                } else {
                    "n".to_owned()
                }
            };
            let name = option(place)
                .filter(|it| !is_used(it))
                .unwrap_or_else(counted);
            Some(format!("{{{name}}}"))
        };
        return all.map(name).collect();
    }
    let text = |parameter: usize, call: usize| calls[call].at[parameter].1.trim_start_matches('-');
    let name = |place: usize| {
        let around = |parameter: usize| {
            let numbers = group
                .iter()
                .map(|it| (&*pieces[*it].numbers[place], text(parameter, *it)));
            around(&numbers.collect::<Vec<_>>())
                .map(|(before, after)| format!("{before}{{{}}}{after}", known[parameter].0))
        };
        (0..known.len()).find_map(around)
    };
    all.map(name).collect()
}

/// Returns the digits before and after each text in its number, if they are the same in all
/// numbers. For example, `{k}00000` has no digits before the text and `00000` after it.
fn around<'n>(numbers: &[(&'n str, &str)]) -> Option<(&'n str, &'n str)> {
    let &(number, text) = numbers.first()?;
    let is_so = |before: &str, after: &str| {
        let rest = |it: &'n str| it.strip_prefix(before)?.strip_suffix(after);
        numbers
            .iter()
            .all(|(number, text)| rest(number) == Some(text))
    };
    let places = number.match_indices(text).map(|(at, _)| at);
    let mut parts = places.map(|at| (&number[..at], &number[at + text.len()..]));
    parts.find(|(before, after)| is_so(before, after))
}

/// Returns the option whose value follows this text: `n` for `app -n `, `size` for `app --size=`.
fn option(before: &str) -> Option<String> {
    let word = before.trim_end_matches([' ', '=']);
    let word = word.rsplit(' ').next()?;
    let name = word.trim_start_matches('-');
    let is_option = word.starts_with('-') || before.ends_with('=');
    let is_name = name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || "_-".contains(it));
    (is_option && is_name).then(|| name.to_owned())
}

/// Returns the letters before a number in a part of a name: `n` for `lulesh-n`, `num_tasks` for
/// `test %num_tasks=`, but none for `lulesh`, which is the program.
fn letters(before: &str, is_first: bool) -> Option<String> {
    let named = before.strip_suffix('=');
    let before = named.unwrap_or(before);
    let is_of_name = |it: char| it.is_ascii_alphabetic() || it == '_' && named.is_some();
    let start = before.trim_end_matches(is_of_name);
    let is_part = start.len() < before.len() && !(is_first && start.is_empty());
    is_part.then(|| before[start.len()..].to_owned())
}

impl Pieces {
    /// Splits a command at its numbers. A number inside a word, such as the 2 in `app2`, counts
    /// only if it can be a known parameter.
    fn of(text: &str, is_known: bool) -> Self {
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        let (mut before, mut rest) = (String::new(), text);
        while let Some(c) = rest.chars().next() {
            let length = length(rest);
            let is_number = length > 0 && (is_known || is_apart(&before));
            let (piece, after) = rest.split_at(length.max(c.len_utf8()));
            if is_number {
                texts.push(std::mem::take(&mut before));
                numbers.push(piece.to_owned());
            } else {
                before.push_str(piece);
            }
            rest = after;
        }
        texts.push(before);
        Self { texts, numbers }
    }

    fn with(&self, names: &[Option<String>]) -> String {
        let mut text = self.texts[0].clone();
        let numbers = self.numbers.iter().zip(names);
        for ((number, name), after) in numbers.zip(&self.texts[1..]) {
            match name {
                Some(name) => text.push_str(name),
                None => text.push_str(number),
            }
            text.push_str(after);
        }
        text
    }

    fn values(&self, names: &[Option<String>]) -> Vec<(String, String, f64)> {
        let numbers = self.numbers.iter().zip(names);
        let named = numbers.filter_map(|(text, name)| {
            let name = name.as_ref()?.trim_matches(['{', '}']).to_owned();
            Some((name, text.clone(), number(text)?))
        });
        let mut seen = BTreeSet::new();
        named.filter(|it| seen.insert(it.0.clone())).collect()
    }
}

/// Returns the length of the number at the start of a text: digits, possibly followed by a
/// fraction.
fn length(text: &str) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let fraction = text[whole..].strip_prefix('.').map_or(0, digits);
    if whole > 0 && fraction > 0 {
        return whole + 1 + fraction;
    }
    whole
}

/// Returns `true` if a text doesn't end within a word. One-letter options such as `-n` aren't
/// words.
fn is_apart(before: &str) -> bool {
    let word = before.rsplit([' ', '\'', '"']).next().unwrap_or("");
    let is_option = word.len() == 2 && word.starts_with('-');
    is_option || !word.ends_with(|it: char| it.is_alphanumeric() || "_.".contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(calls: &[(&str, &[(&str, &str)])]) -> Vec<Call> {
        let call = |(text, at): &(&str, &[(&str, &str)])| Call {
            text: (*text).to_owned(),
            at: at
                .iter()
                .map(|(name, it)| ((*name).to_owned(), (*it).to_owned(), it.parse().unwrap()))
                .collect(),
        };
        let mut calls: Vec<Call> = calls.iter().map(call).collect();
        restore(&mut calls, Text::Command);
        calls
    }

    #[test]
    fn numbers_in_names_of_jobs_have_the_letters_before_them() {
        let call = |text: &str| Call {
            text: text.to_owned(),
            at: Vec::new(),
        };
        let mut calls = ["lulesh2-n30-p8", "lulesh2-n40-p8", "x_4_1", "x_8_1"].map(call);
        restore(&mut calls, Text::Name);
        let texts: Vec<&str> = calls.iter().map(|it| &*it.text).collect();
        assert_eq!(texts[1..3], ["lulesh2-n{n}-p8", "x_{n}_1"]);
        assert_eq!(calls[1].at, [("n".to_owned(), "40".to_owned(), 40.0)]);
        let mut calls = ["a1b2", "a2b4", "a2b5"].map(call);
        restore(&mut calls, Text::Name);
        assert_eq!(calls[0].text, "a{n1}b{b}");
    }

    #[test]
    fn parameters_come_back_beside_other_numbers() {
        let found = restored(&[
            ("python3 -c 'sum(range(20*20))' x3", &[("n", "20")]),
            ("python3 -c 'sum(range(30*20))' x3", &[("n", "30")]),
        ]);
        let texts: Vec<&str> = found.iter().map(|it| &*it.text).collect();
        assert_eq!(texts, ["python3 -c 'sum(range({n}*20))' x3"; 2]);
    }

    #[test]
    fn numbers_that_vary_are_parameters() {
        let found = restored(&[
            ("./app2 1024", &[]),
            ("./app2 2048", &[]),
            ("app -n 10 --size=0.5", &[]),
            ("app -n 20 --size=1.5", &[]),
        ]);
        assert_eq!(found[1].text, "./app2 {n}");
        assert_eq!(found[1].at, [("n".to_owned(), "2048".to_owned(), 2048.0)]);
        assert_eq!(found[2].text, "app -n {n} --size={size}");
        let [n, size] = found[3].at.as_slice() else {
            panic!("two parameters")
        };
        assert_eq!((n.2, size.2), (20.0, 1.5));
    }

    #[test]
    fn numbers_that_are_always_equal_are_one_parameter() {
        let found = restored(&[("app 10 -x 10 4", &[]), ("app 20 -x 20 2", &[])]);
        assert_eq!(found[0].text, "app {n1} -x {n1} {n2}");
        let names: Vec<&str> = found[1].at.iter().map(|it| &*it.0).collect();
        assert_eq!(names, ["n1", "n2"]);
    }
}
