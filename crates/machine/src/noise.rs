//! Adds noise to the times of models and machines: random factors and slow nodes.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use prophet_sim::variates::Generator;

use crate::quantity::{ParseError, one_line, parse_error, quoted};
use prophet_text::did_you_mean;

/// The noise of a machine: random factors with mean 1, drawn for each process, and slow nodes.
///
/// ```
/// use prophet_runtime::{ActionPlus, Model, Simulation, System};
///
/// const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
/// let model = Model::new("Straggler", &[], 1);
/// let mut system = System::new(4, 1, 4, 1);
/// system.noise.slow_down("3=1.5")?;
/// let time = |system: &System| {
///     let run = Simulation::new(&model, system.clone());
///     run.run(async |ctx| WORK.execute(ctx, 2.0).await).unwrap().predicted_time_s
/// };
/// assert_eq!(time(&system), 3.0);
///
/// system.noise.choose("costs=lognormal:0.05")?;
/// assert!((time(&system) - 3.0).abs() < 0.6);
/// assert_eq!(system.machine(), "--noise costs=lognormal:0.05 --slow-node 3=1.5");
/// # Ok::<(), prophet_runtime::ParseError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Noise {
    factors: [Option<Factors>; Noisy::ALL.len()],
    slow: Vec<Slow>,
}

/// What noise applies to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noisy {
    /// The model's costs; each execution of an element draws a new factor.
    Costs,
    /// The times of messages on the network; each message draws a new factor.
    Messages,
    /// The model's costs; each process draws one factor for the whole run.
    Ranks,
}

impl Noisy {
    const ALL: [Self; 3] = [Self::Costs, Self::Messages, Self::Ranks];

    /// Returns the name used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Costs => "costs",
            Self::Messages => "messages",
            Self::Ranks => "ranks",
        }
    }
}

/// A distribution of factors with mean 1.
#[derive(Debug, Clone, PartialEq)]
pub enum Factors {
    /// A lognormal distribution; the value is the standard deviation of the logarithm.
    Lognormal(f64),
    /// The factors in a file, all equally likely.
    Empirical {
        path: String,
        /// The numbers in the file, divided by their mean.
        factors: Arc<[f64]>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Slow {
    first: u32,
    last: u32,
    factor: f64,
}

/// The noise chosen for costs, messages or ranks.
#[derive(Debug, Clone)]
pub struct Choice {
    what: Noisy,
    factors: Option<Factors>,
}

impl Choice {
    /// Parses a choice: `WHAT=DISTRIBUTION`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        let Some((name, distribution)) = text.split_once('=') else {
            return Err(ParseError::new(
                "expected WHAT=DISTRIBUTION, such as costs=lognormal:0.05",
            ));
        };
        let name = name.trim();
        let Some(what) = Noisy::ALL.into_iter().find(|it| it.name() == name) else {
            let names = Noisy::ALL.map(Noisy::name);
            return Err(ParseError::unknown(name, "cannot have noise", names));
        };
        let factors = Factors::read(distribution.trim())?;
        Ok(Self { what, factors })
    }
}

/// Largest standard deviation of the logarithm. A larger one is probably a typo.
const SIGMA_MAX: f64 = 5.0;
const FILE_BYTES_MAX: u64 = 64 << 20;

impl Noise {
    /// Sets noise in the notation of `--noise`: `WHAT=DISTRIBUTION`, or several such choices
    /// separated by commas.
    ///
    /// # Errors
    ///
    /// Returns an error if the text or a file that it names is invalid.
    pub fn choose(&mut self, text: &str) -> Result<(), ParseError> {
        text.split(',')
            .try_for_each(|part| Choice::read(part).map(|choice| self.set(&choice)))
    }

    pub fn set(&mut self, choice: &Choice) {
        self.factors[choice.what as usize].clone_from(&choice.factors);
    }

    /// Slows nodes down in the notation of `--slow-node`: `NODE=FACTOR` or `FIRST..LAST=FACTOR`. If
    /// a node is slowed down several times, the last factor applies.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn slow_down(&mut self, text: &str) -> Result<(), ParseError> {
        let form = || ParseError::new("expected NODE=FACTOR, such as 3=1.5 or 0..7=1.5");
        let (nodes, factor) = text.split_once('=').ok_or_else(form)?;
        let (first, last) = nodes.split_once("..").unwrap_or((nodes, nodes));
        let node = |text: &str| text.trim().parse().map_err(|_| form());
        let (first, last) = (node(first)?, node(last)?);
        if first > last {
            return Err(parse_error!("{first}..{last} is not a range of nodes"));
        }
        let is_factor = |it: &f64| *it > 0.0 && it.is_finite();
        let factor = factor.trim().parse().ok().filter(is_factor);
        let factor = factor.ok_or_else(|| {
            let message = "expected a factor above 0, such as 2 for half the speed";
            ParseError::new(message)
        })?;
        self.slow.push(Slow {
            first,
            last,
            factor,
        });
        Ok(())
    }

    /// Returns the distribution of factors for `what`; `None` if it has no noise.
    pub fn of(&self, what: Noisy) -> Option<&Factors> {
        self.factors[what as usize].as_ref()
    }

    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.factors.iter().flatten().filter_map(|it| match it {
            Factors::Lognormal(_) => None,
            Factors::Empirical { path, .. } => Some(path.as_str()),
        })
    }

    /// Returns `true` if there is no noise and no slow node.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    pub fn is_random(&self) -> bool {
        self.factors.iter().any(Option::is_some)
    }

    /// Returns `true` if the factor can differ between executions of an element, or between
    /// messages.
    pub fn differs_each_time(&self) -> bool {
        self.of(Noisy::Costs).or(self.of(Noisy::Messages)).is_some()
    }

    /// Returns the factor by which costs are multiplied on a node.
    #[inline]
    pub fn node_factor(&self, nid: u32) -> f64 {
        let is_there = |slow: &&Slow| (slow.first..=slow.last).contains(&nid);
        let slow = self.slow.iter().rev().find(is_there);
        slow.map_or(1.0, |slow| slow.factor)
    }

    /// Returns a message if a slow node doesn't exist in a machine with `nodes` nodes.
    pub fn contradiction(&self, nodes: u32) -> Option<String> {
        let slow = self.slow.iter().find(|slow| slow.last >= nodes)?;
        Some(format!(
            "node {} is slowed down, but the last node is {}",
            slow.last,
            nodes.saturating_sub(1)
        ))
    }
}

impl Factors {
    /// Parses a distribution; `None` if its deviation is 0.
    fn read(text: &str) -> Result<Option<Self>, ParseError> {
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        match name.trim() {
            "none" if argument.is_empty() => Ok(None),
            "lognormal" => {
                let sigma = argument.trim().parse().ok();
                let sigma: Option<f64> = sigma.filter(|it| (0.0..=SIGMA_MAX).contains(it));
                let sigma = sigma.ok_or_else(|| {
                    parse_error!(
                        "`lognormal:` needs the standard deviation of the logarithm, from 0 to \
                         {SIGMA_MAX}, such as lognormal:0.05"
                    )
                })?;
                Ok((sigma > 0.0).then_some(Self::Lognormal(sigma)))
            }
            "empirical" if argument.is_empty() => Err(ParseError::new(
                "`empirical:` needs a file with one time per line",
            )),
            "empirical" => Self::of_file(argument).map(Some),
            name => {
                let names = ["none", "lognormal", "empirical"];
                Err(parse_error!(
                    "`{}` is not a distribution (none, lognormal:SIGMA, empirical:FILE){}",
                    quoted(name),
                    did_you_mean(name, names)
                ))
            }
        }
    }

    /// Reads the times in a file, and converts them to factors.
    fn of_file(path: &str) -> Result<Self, ParseError> {
        let wrong = |problem: String| parse_error!("the file `{}` {problem}", one_line(path));
        let read = prophet_files::load(Path::new(path), FILE_BYTES_MAX);
        let bytes = read.map_err(|why| parse_error!("{}", why.message))?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| wrong("cannot be read: it is not UTF-8 text".to_owned()))?;
        Ok(Self::Empirical {
            path: path.to_owned(),
            factors: factors_in(&text).map_err(wrong)?.into(),
        })
    }

    #[inline]
    pub fn draw(&self, generator: &mut Generator) -> f64 {
        match self {
            // The mean is exp(mu + sigma² / 2).
            Self::Lognormal(sigma) => {
                let factor = generator.lognormal(-0.5 * sigma * sigma, *sigma);
                factor.unwrap_or(1.0)
            }
            Self::Empirical { factors, .. } => {
                #[expect(clippy::cast_precision_loss, reason = "a file has fewer than 2^26")]
                let place = generator.uniform(0.0, factors.len() as f64).unwrap_or(0.0);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is rounded down, from 0 to below their number"
                )]
                let place = place as usize;
                factors.get(place).copied().unwrap_or(1.0)
            }
        }
    }
}

/// Parses times, one per line, and divides them by their mean. `#` starts a comment.
fn factors_in(text: &str) -> Result<Vec<f64>, String> {
    let mut times = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.split_once('#').map_or(line, |(number, _)| number);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let time: Option<f64> = line.parse().ok();
        let time = time.filter(|it| (0.0..=f64::MAX).contains(it));
        let wrong = || format!("has an invalid time in line {number}: `{}`", quoted(line));
        times.push(time.ok_or_else(wrong)?);
    }
    #[expect(clippy::cast_precision_loss, reason = "a file has fewer than 2^26")]
    let count = times.len() as f64;
    // Dividing first keeps the sum finite.
    let mean: f64 = times.iter().map(|time| time / count).sum();
    if times.is_empty() || mean <= 0.0 {
        return Err("contains no times above 0".to_owned());
    }
    Ok(times.into_iter().map(|time| time / mean).collect())
}

impl fmt::Display for Factors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lognormal(sigma) => write!(f, "lognormal:{sigma}"),
            Self::Empirical { path, .. } => write!(f, "empirical:{}", one_line(path)),
        }
    }
}

/// Writes the noise as flags, separated by spaces. Writes nothing if there is no noise.
impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "--noise ";
        for what in Noisy::ALL {
            if let Some(factors) = self.of(what) {
                write!(f, "{gap}{}={factors}", what.name())?;
                gap = ",";
            }
        }
        let mut gap = if gap == "," { " " } else { "" };
        for Slow {
            first,
            last,
            factor,
        } in &self.slow
        {
            write!(f, "{gap}--slow-node {first}")?;
            if first < last {
                write!(f, "..{last}")?;
            }
            write!(f, "={factor}")?;
            gap = " ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the noise that these flags describe, or a message about the first invalid flag.
    fn noise(noise: &[&str], slow: &[&str]) -> Result<Noise, String> {
        let mut all = Noise::default();
        for text in noise {
            all.choose(text).map_err(|error| error.to_string())?;
        }
        for text in slow {
            all.slow_down(text).map_err(|error| error.to_string())?;
        }
        Ok(all)
    }

    #[test]
    fn noise_is_shown_as_its_flags() {
        let all = noise(
            &[
                "costs=lognormal:0.05,messages=lognormal:0.1",
                "ranks=lognormal:0.2",
            ],
            &["3=1.5", "0..2=0.5"],
        );
        let flags = "--noise costs=lognormal:0.05,messages=lognormal:0.1,ranks=lognormal:0.2 \
                     --slow-node 3=1.5 --slow-node 0..2=0.5";
        assert_eq!(all.map(|it| it.to_string()).as_deref(), Ok(flags));
        let none = noise(
            &["costs=lognormal:0.05", "costs=none", "ranks=lognormal:0"],
            &[],
        );
        assert_eq!(none, Ok(Noise::default()));
    }

    #[test]
    fn the_last_factor_of_a_node_holds() {
        let slow = noise(&[], &["0..7=2", "3=1.5"]).unwrap();
        for (nid, factor) in [(2, 2.0), (3, 1.5), (4, 2.0), (8, 1.0)] {
            assert!((slow.node_factor(nid) - factor).abs() < 1e-12, "{nid}");
        }
        let problem = "node 7 is slowed down, but the last node is 3";
        assert_eq!(slow.contradiction(4).as_deref(), Some(problem));
        assert_eq!(slow.contradiction(8), None);
    }

    #[test]
    fn wrong_noise_is_refused_with_the_reason() {
        prophet_testing::assert_cases("tests/cases/noise.txt", |case| {
            let told = |text: &str| {
                let refused = match &*case.title {
                    "noise" => noise(&[text], &[]),
                    _ => noise(&[], &[text]),
                };
                format!("{text}: {}\n", refused.unwrap_err())
            };
            case.input.lines().map(told).collect()
        });
    }

    #[test]
    fn files_of_times_become_factors_with_mean_1() {
        assert_eq!(factors_in("1 # s\n\n3\n"), Ok(vec![0.5, 1.5]));
        let problem = "has an invalid time in line 2: `fast`".to_owned();
        assert_eq!(factors_in("1\nfast"), Err(problem));
        for text in ["1\n-1", "nan", "inf"] {
            assert!(factors_in(text).is_err(), "{text}");
        }
        for text in ["", "# none\n", "0\n0"] {
            let problem = "contains no times above 0".to_owned();
            assert_eq!(factors_in(text), Err(problem), "{text}");
        }
        let refused = noise(&["costs=empirical:no/such/file"], &[]).unwrap_err();
        let message = "cannot read no/such/file: ";
        assert!(refused.starts_with(message), "{refused}");
    }
}
