//! Parses the times that a program prints for itself: for each size, many short rounds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Times by problem size, one for each round.
#[derive(Debug, Clone, Default)]
pub(crate) struct Times(BTreeMap<u32, Vec<f64>>);

impl Times {
    /// Parses lines of the form `size,time_s`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut times: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for line in text.lines() {
            let pair = line.split_once(',');
            let read = pair.and_then(|it| Some((it.0.parse().ok()?, it.1.parse().ok()?)));
            let (size, time_s) =
                read.ok_or_else(|| format!("expected a size and a time, found `{line}`"))?;
            times.entry(size).or_default().push(time_s);
        }
        Ok(Self(times))
    }

    /// Joins these rounds with another run's rounds.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut all = self.clone();
        for (size, rounds) in &other.0 {
            all.0.entry(*size).or_default().extend(rounds);
        }
        all
    }

    /// Returns the fastest round, which other programs disturbed least.
    ///
    /// # Errors
    ///
    /// Returns an error if the size wasn't measured.
    pub(crate) fn fastest_s(&self, size: u32) -> Result<f64, String> {
        let rounds = self.0.get(&size).into_iter().flatten();
        let fastest = rounds.copied().reduce(f64::min);
        fastest.ok_or_else(|| format!("the program did not measure {size}"))
    }

    pub(crate) fn of(&self, sizes: &[u32]) -> Result<Vec<(u32, f64)>, String> {
        let of = |&size: &u32| Ok((size, self.fastest_s(size)?));
        sizes.iter().map(of).collect()
    }
}

/// Compares two runs: the mean over the sizes of how much longer the slower run took, relative to
/// the other.
pub(crate) fn noise(runs: &[Times; 2], sizes: &[u32]) -> Result<f64, String> {
    let mut sum = 0.0;
    for &size in sizes {
        let [one, two] = [runs[0].fastest_s(size)?, runs[1].fastest_s(size)?];
        sum += one.max(two) / one.min(two) - 1.0;
    }
    Ok(sum / sizes.len() as f64)
}

/// Tabulates the errors of predictions by size and column, with the noise of the measured times
/// below. A point has a size, and measured and predicted seconds.
pub(crate) fn error_table(heads: &[&str], points: &[(u32, f64, f64)], noise: f64) -> String {
    let mut sizes: BTreeMap<u32, String> = BTreeMap::new();
    for (size, measured_s, predicted_s) in points {
        let error = 100.0 * (predicted_s / measured_s - 1.0);
        let cell = format!(" {error:+.1} % |");
        sizes.entry(*size).or_default().push_str(&cell);
    }
    let mut text = format!("| {} |\n|{}", heads.join(" | "), "---|".repeat(heads.len()));
    for (size, cells) in sizes {
        let _ = write!(text, "\n| {size} |{cells}");
    }
    let noise = 100.0 * noise;
    text + &format!("\n\nMeasured again, times differ by {noise:.1} % on average.\n\n")
}

/// Returns the output of a program that must succeed.
pub(crate) fn output(program: &Path) -> Result<String, String> {
    let shown = program.display();
    let output = Command::new(program)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start {shown}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{shown} failed ({})", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{shown} does not print text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_round_counts() {
        let times = Times::parse("64,2e-3\n64,1e-3\n128,5e-3\n").expect("it is a table");
        assert_eq!(times.of(&[64, 128]), Ok(vec![(64, 1e-3), (128, 5e-3)]));
        let problem = times.fastest_s(1).expect_err("it was not measured");
        assert_eq!(problem, "the program did not measure 1");
        assert!(Times::parse("64;1").is_err());
    }

    #[test]
    fn errors_have_a_row_for_each_size() {
        let points = [(64, 2e-3, 2e-3), (128, 8e-3, 6e-3), (64, 1e-3, 1.1e-3)];
        let table = "| N | one | two |\n|---|---|---|\n| 64 | +0.0 % | +10.0 % |\n\
                     | 128 | -25.0 % |\n\nMeasured again, times differ by 3.0 % on average.\n\n";
        assert_eq!(error_table(&["N", "one", "two"], &points, 0.03), table);
    }

    #[test]
    fn noise_is_the_mean_difference_of_two_runs() {
        let runs = ["1,1\n2,4\n", "1,2\n2,4\n"].map(|it| Times::parse(it).expect("a table"));
        assert_eq!(noise(&runs, &[1, 2]), Ok(0.5));
        assert_eq!(runs[1].and(&runs[0]).fastest_s(1), Ok(1.0));
    }
}
