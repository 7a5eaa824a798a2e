//! Predicts a point with several seeds.

use std::ops::RangeInclusive;

use prophet_runtime::Tally;
use prophet_text::{Problem, problem};

use super::row::{METRICS, PointResults};
use crate::space::shown;

const LEVEL: f64 = 0.95;
/// Minimum number of seeds before a precision counts as reached. An interval of fewer values can be
/// narrow by chance.
const BELIEVED: u64 = 5;
/// Maximum number of seeds for a precision, unless the user sets it.
const SEEDS_MAX: u64 = 1000;
/// Maximum number of seeds, so that every point ends.
const COUNT_MAX: u64 = 1_000_000;

/// The seeds to evaluate each point with; by default, only the one in the flags.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replications {
    seeds: Option<RangeInclusive<u64>>,
    /// Relative half width of the interval that makes further seeds unnecessary.
    precision: Option<f64>,
}

impl Replications {
    /// Parses the value of `--seeds`, which is a number or `FIRST..LAST`, and of `--precision`,
    /// such as `1%` or `0.01`.
    ///
    /// With a precision, each point is predicted with one seed after another until the half width
    /// of the 95 % confidence interval of the predicted time is at most that share of the mean.
    /// This takes at least 5 seeds and, by default, at most 1000.
    ///
    /// ```
    /// use prophet_sweep::Replications;
    ///
    /// let replications = Replications::parse(Some("1..30"), None)?;
    /// assert_eq!(replications, Replications::parse(Some("30"), None)?);
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if one of the texts is invalid.
    pub fn parse(seeds: Option<&str>, precision: Option<&str>) -> Result<Self, Problem> {
        let precision = precision.map(share).transpose()?;
        let seeds = match seeds {
            Some(text) => Some(range(text)?),
            None => precision.map(|_| 1..=SEEDS_MAX),
        };
        let count = seeds.as_ref().map_or(u64::MAX, count);
        if precision.is_some() && count < BELIEVED {
            return Err(problem!(
                "--precision needs at least {BELIEVED} seeds, found {count}"
            ));
        }
        Ok(Self { seeds, precision })
    }

    /// Returns `true` if each point is predicted with several seeds.
    pub fn are_several(&self) -> bool {
        self.seeds.is_some()
    }

    /// Returns the seeds; `None` if the user didn't specify any.
    pub fn seeds(&self) -> Option<&RangeInclusive<u64>> {
        self.seeds.as_ref()
    }

    pub(crate) fn first(&self) -> Option<u64> {
        self.seeds.as_ref().map(|seeds| *seeds.start())
    }

    /// Evaluates a point with its seeds. `None` means the seed in the flags.
    pub(crate) fn of(
        &self,
        mut evaluate: impl FnMut(Option<u64>) -> Result<[f64; METRICS.len()], String>,
    ) -> Result<PointResults, String> {
        let Some(seeds) = &self.seeds else {
            let metrics = evaluate(None)?;
            return Ok(PointResults {
                metrics,
                half_width_s: f64::NAN,
                seeds: 1,
            });
        };
        let mut tallies = [Tally::new(); METRICS.len()];
        for seed in seeds.clone() {
            let metrics = evaluate(Some(seed)).map_err(|why| problem!("seed {seed}: {why}"))?;
            for (tally, metric) in tallies.iter_mut().zip(metrics) {
                tally.record(metric);
            }
            if self.is_enough(&tallies[0]) {
                break;
            }
        }
        let half_width_s = half_width(&tallies[0]).unwrap_or(f64::NAN);
        let metrics = tallies.map(|tally| tally.mean());
        Ok(PointResults {
            metrics,
            half_width_s,
            seeds: tallies[0].count(),
        })
    }

    fn is_enough(&self, times_s: &Tally) -> bool {
        let Some(precision) = self.precision.filter(|_| times_s.count() >= BELIEVED) else {
            return false;
        };
        half_width(times_s).is_some_and(|it| it <= precision * times_s.mean().abs())
    }
}

fn half_width(tally: &Tally) -> Option<f64> {
    tally.interval(LEVEL).map(|interval| interval.half_width)
}

fn count(seeds: &RangeInclusive<u64>) -> u64 {
    (seeds.end() - seeds.start()).saturating_add(1)
}

fn share(text: &str) -> Result<f64, Problem> {
    let (number, factor) = text
        .strip_suffix('%')
        .map_or((text, 1.0), |number| (number, 0.01));
    let share = number.trim().parse::<f64>().map(|number| number * factor);
    let share = share.ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| {
        let text = shown(text);
        problem!("expected a precision between 0 and 1, such as 1% or 0.01, found `{text}`")
    })
}

fn range(text: &str) -> Result<RangeInclusive<u64>, Problem> {
    let wrong = || {
        let text = shown(text);
        problem!(
            "expected the seeds as a number above 0 or FIRST..LAST, such as 1..30, found `{text}`"
        )
    };
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (1, number(text)?),
    };
    if first > last {
        return Err(wrong());
    }
    let seeds = first..=last;
    let count = count(&seeds);
    if count > COUNT_MAX {
        return Err(problem!(
            "`{}` contains {count} seeds, but a point can have at most {COUNT_MAX}",
            shown(text)
        ));
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(of_seed: fn(u64) -> f64, seeds: &str, precision: Option<&str>) -> PointResults {
        let replications = Replications::parse(Some(seeds), precision).unwrap();
        let found = replications.of(|seed| {
            let mut metrics = [0.0; METRICS.len()];
            metrics[0] = of_seed(seed.unwrap());
            Ok(metrics)
        });
        found.unwrap()
    }

    #[test]
    fn means_have_students_intervals() {
        let found = times(|seed| if seed % 2 == 0 { 1.0 } else { 3.0 }, "4", None);
        assert_eq!((found.predicted_time_s(), found.seeds), (2.0, 4));
        // The standard error is sqrt(4/3 / 4), and t(0.975, 3) is 3.182446.
        let half_width_s = 3.182_446_305 * (1.0_f64 / 3.0).sqrt();
        assert!(
            (found.half_width_s - half_width_s).abs() < 1e-6,
            "{found:?}"
        );
    }

    #[test]
    fn a_precision_ends_when_it_is_known() {
        let found = times(|_| 7.0, "1..100", Some("1%"));
        assert_eq!((found.seeds, found.half_width_s), (5, 0.0));
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let noise: fn(u64) -> f64 = |seed| 100.0 + (seed * 7919 % 13) as f64;
        let wide = times(noise, "1..1000", Some("2%"));
        let narrow = times(noise, "1..1000", Some("0.5%"));
        assert!(5 < wide.seeds && wide.seeds < narrow.seeds && narrow.seeds < 1000);
        assert!(narrow.half_width_s <= 0.005 * narrow.predicted_time_s());
        assert_eq!(times(noise, "1..6", Some("0.0001%")).seeds, 6);
    }

    #[test]
    fn a_failure_names_its_seed() {
        let replications = Replications::parse(Some("3..9"), None).unwrap();
        let found = replications.of(|seed| match seed {
            Some(5) => Err("a deadlock".to_owned()),
            _ => Ok([1.0; METRICS.len()]),
        });
        assert_eq!(found.unwrap_err(), "seed 5: a deadlock");
    }

    #[test]
    fn seeds_that_would_never_end_are_refused() {
        let message = Replications::parse(Some("1..1000000000000"), None).unwrap_err();
        let many = "contains 1000000000000 seeds, but a point can have at most 1000000";
        assert_eq!(message, problem!("`1..1000000000000` {many}"));
        assert!(Replications::parse(Some("8..1000007"), None).is_ok());
        assert!(Replications::parse(Some("0..18446744073709551615"), Some("1%")).is_err());
    }

    #[test]
    fn wrong_seeds_and_precisions_are_refused() {
        for seeds in ["0", "9..3", "x", "1..", "-1"] {
            let message = Replications::parse(Some(seeds), None).unwrap_err();
            let form = "expected the seeds as a number above 0 or FIRST..LAST, such as 1..30";
            assert_eq!(message, problem!("{form}, found `{seeds}`"));
        }
        for precision in ["0", "100%", "1.5", "x", "-1%", "nan"] {
            let message = Replications::parse(None, Some(precision)).unwrap_err();
            let form = "expected a precision between 0 and 1, such as 1% or 0.01";
            assert_eq!(message, problem!("{form}, found `{precision}`"));
        }
        let message = Replications::parse(Some("4"), Some("1%")).unwrap_err();
        assert_eq!(message, "--precision needs at least 5 seeds, found 4");
    }
}
