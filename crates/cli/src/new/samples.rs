//! Samples as arguments of `new`.

use prophet_samples::{SAMPLES, Sample};
use prophet_text::{Problem, problem};

pub(super) fn find(name: &str) -> Result<&'static Sample, Problem> {
    prophet_samples::find(name).ok_or_else(|| {
        let names: Vec<&str> = SAMPLES.iter().map(|it| it.name).collect();
        problem!("there is no such sample; samples are {}", names.join(", "))
    })
}

/// The samples in a line each.
pub(super) fn list() -> String {
    let lines = SAMPLES.iter();
    let lines = lines.map(|it| format!("{:<17} {}\n", it.name, it.about));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_none_gets_those_that_are() {
        assert!(find("nothing").is_err_and(|it| it.message.contains("lapw0")));
    }
}
