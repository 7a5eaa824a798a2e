//! Stores the algorithm of each collective.

use std::{fmt, iter};

use super::algorithm::Algorithm;
use super::operation::Operation;
use super::rule::Rule;
use crate::quantity::{ParseError, among, parse_error, quoted};

/// The algorithms of collectives without a cost of their own, as chosen with `--collective`.
///
/// The default, `auto`, chooses by the size and the number of ranks, as MPICH does (or `SimGrid`,
/// with `rule=simgrid`).
///
/// ```
/// use prophet_runtime::{AllReduce, Algorithms, ByMachine, Model, Network, Simulation, System};
///
/// const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
/// let model = Model::new("Sum", &[], 1);
/// let mut system = System::new(4, 1, 4, 1);
/// system.network = Network::Hockney { latency_s: 0.0, bytes_per_s: 1.0 };
/// system.algorithms.choose("allreduce=ring")?;
/// let outcome = Simulation::new(&model, system)
///     .run(async |ctx| SUM.execute(ctx, 8, ByMachine).await)?;
/// // Three times a quarter around the ring, to combine it and to spread it.
/// assert_eq!(outcome.predicted_time_s, 12.0);
///
/// let mut algorithms = Algorithms::default();
/// let error = algorithms.choose("barrier=ring").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "a barrier has no algorithm `ring` (auto, analytic, linear, binomial, \
///      recursive-doubling, dissemination)"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Algorithms {
    chosen: [Option<Algorithm>; Operation::ALL.len()],
    rule: Rule,
}

impl Algorithms {
    /// Chooses the algorithm of a collective. `choice` is written as for `--collective`:
    /// `NAME=ALGORITHM`, such as `allreduce=ring`.
    ///
    /// # Errors
    ///
    /// Returns an error if the collective doesn't exist or doesn't support the algorithm.
    pub fn choose(&mut self, choice: &str) -> Result<(), ParseError> {
        let Some((name, algorithm)) = choice.split_once('=') else {
            return Err(ParseError::new(
                "expected NAME=ALGORITHM, such as allreduce=recursive-doubling",
            ));
        };
        if name == Rule::KEY {
            self.rule = Rule::read(algorithm)?;
            return Ok(());
        }
        let Some(operation) = Operation::of_kind(name) else {
            let names = Operation::ALL.map(Operation::kind);
            return Err(ParseError::unknown(name, "is not a collective", names));
        };
        let fits = || {
            Algorithm::formulas(operation)
                .iter()
                .chain(Algorithm::of(operation))
        };
        let chosen = fits().find(|it| it.name() == algorithm).copied();
        if algorithm != "auto" && chosen.is_none() {
            let names = iter::once("auto").chain(fits().map(|fit| fit.name()));
            let names = among(algorithm, names);
            let article = if name.starts_with('a') { "an" } else { "a" };
            let shown = quoted(algorithm);
            return Err(parse_error!(
                "{article} {name} has no algorithm `{shown}` {names}"
            ));
        }
        self.chosen[operation as usize] = chosen;
        Ok(())
    }

    /// Creates choices that follow `rule` for every collective.
    pub fn by(rule: Rule) -> Self {
        Self {
            rule,
            ..Self::default()
        }
    }

    /// Returns the first collective whose time is computed by a formula, and the formula; `None` if
    /// all collectives send messages.
    pub fn formula(&self) -> Option<(Operation, Algorithm)> {
        let mut all = Operation::ALL.into_iter().zip(self.chosen);
        all.find_map(|(operation, chosen)| {
            let algorithm = chosen.or_else(|| self.rule.formula(operation))?;
            algorithm.is_formula().then_some((operation, algorithm))
        })
    }

    /// Returns the algorithm for a collective of `bytes` bytes among `ranks` ranks.
    #[inline]
    pub fn of(&self, operation: Operation, ranks: u32, bytes: u64) -> Algorithm {
        self.chosen[operation as usize].unwrap_or_else(|| self.rule.choose(operation, ranks, bytes))
    }
}

impl Algorithms {
    /// Returns the flags, separated by spaces, that change a machine's choices into these choices.
    pub fn flags(&self, machine: &Self) -> String {
        let rule = (self.rule != machine.rule).then(|| (Rule::KEY, self.rule.name()));
        let chosen = Operation::ALL.iter().zip(self.chosen);
        let chosen = chosen.filter_map(|(it, chosen)| Some((it.kind(), chosen?.name())));
        let flags = rule.into_iter().chain(chosen);
        let flags = flags.map(|(name, choice)| format!("--collective {name}={choice}"));
        flags.collect::<Vec<_>>().join(" ")
    }
}

/// Writes the choices as flags. Writes nothing if no algorithm was chosen.
impl fmt::Display for Algorithms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.flags(&Self::default()))
    }
}
