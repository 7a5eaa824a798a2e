//! Implements `cargo xtask accuracy`, which computes or measures the cases, and writes their
//! figures into the pages.
//!
//! Run it in the project's folder.

use std::process::ExitCode;

use prophet_accuracy::{AccuracyCase, CASES, Pages, Places};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the cases with one of these words in their names, or all cases without words.
fn run(words: &[String]) -> Result<(), String> {
    let places = Places { root: ".".into() };
    let mut pages = Pages::read(&places.root)?;
    let cases = chosen(words)?;
    for case in cases {
        eprintln!("{}", case.name);
        match (case.run)(&places) {
            Ok(found) => pages.take(case, &found)?,
            Err(reason) => eprintln!("{}: its figures were not updated: {reason}", case.name),
        }
    }
    pages.write(&places.root)
}

fn chosen(words: &[String]) -> Result<Vec<&'static AccuracyCase>, String> {
    let is_chosen = |case: &&AccuracyCase| {
        let name = case.name.to_lowercase();
        words.is_empty() || words.iter().any(|word| name.contains(&word.to_lowercase()))
    };
    let cases: Vec<_> = CASES.iter().filter(is_chosen).collect();
    if cases.is_empty() {
        let names: Vec<_> = CASES.iter().map(|case| case.name).collect();
        return Err(format!("unknown case; choose one of {}", names.join(", ")));
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_chosen_by_words_of_their_names() {
        let names = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            chosen(&words).map(|cases| cases.iter().map(|case| case.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["lapw"]), Ok(vec!["LAPW0"]));
        assert_eq!(names(&[]).map(|all| all.len()), Ok(CASES.len()));
        let problem = names(&["nothing"]).expect_err("it is no case");
        assert!(
            problem.starts_with("unknown case; choose one of LAPW0, "),
            "{problem}"
        );
    }
}
