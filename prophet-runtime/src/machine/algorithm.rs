//! Algorithms of collectives: those that exist, those that fit a collective, and the choice.

use std::fmt;

use super::operation::Operation;
use crate::language::quantity::{ParseError, quoted};
use prophet_text::did_you_mean;

/// Algorithm of a collective without a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Algorithm {
    /// By a formula: all processes leave that long after the last has come.
    Analytic,
    /// Directly, in rank order.
    Linear,
    /// Along a binomial tree.
    Binomial,
    /// With partners at doubling distances.
    RecursiveDoubling,
    /// With partners at halving distances, for halves of the vector.
    RecursiveHalving,
    /// From neighbor to neighbor.
    Ring,
    /// Rabenseifner's: the vector halved and put together again.
    Rabenseifner,
    /// To a rank at a doubling distance, from one at the same distance.
    Dissemination,
    /// With each rank in turn.
    Pairwise,
    /// Bruck's: blocks travel together.
    Bruck,
}

use Algorithm as A;

impl Algorithm {
    /// All algorithms.
    const ALL: [Self; 10] = [
        A::Analytic,
        A::Binomial,
        A::Bruck,
        A::Dissemination,
        A::Linear,
        A::Pairwise,
        A::Rabenseifner,
        A::RecursiveDoubling,
        A::RecursiveHalving,
        A::Ring,
    ];

    /// Name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            A::Analytic => "analytic",
            A::Linear => "linear",
            A::Binomial => "binomial",
            A::RecursiveDoubling => "recursive-doubling",
            A::RecursiveHalving => "recursive-halving",
            A::Ring => "ring",
            A::Rabenseifner => "rabenseifner",
            A::Dissemination => "dissemination",
            A::Pairwise => "pairwise",
            A::Bruck => "bruck",
        }
    }

    /// Finds the algorithm of that name.
    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Lists the message-based algorithms of a collective.
    pub(crate) const fn of(operation: Operation) -> &'static [Self] {
        match operation {
            Operation::AllGather => &[A::Linear, A::RecursiveDoubling, A::Ring, A::Bruck],
            Operation::AllReduce => &[
                A::Linear,
                A::Binomial,
                A::RecursiveDoubling,
                A::Ring,
                A::Rabenseifner,
            ],
            Operation::AllToAll => &[A::Linear, A::Pairwise, A::Bruck],
            Operation::Barrier => &[
                A::Linear,
                A::Binomial,
                A::RecursiveDoubling,
                A::Dissemination,
            ],
            Operation::Broadcast => &[A::Linear, A::Binomial, A::RecursiveDoubling, A::Ring],
            Operation::Gather | Operation::Scatter => &[A::Linear, A::Binomial],
            Operation::Reduce => &[A::Linear, A::Binomial, A::Rabenseifner],
            Operation::ReduceScatter => &[A::Linear, A::RecursiveHalving, A::Ring, A::Pairwise],
            Operation::Scan => &[A::Linear, A::RecursiveDoubling],
        }
    }

    /// Chooses the algorithm that `auto` stands for, for a collective of `bytes` among `ranks`:
    /// that of MPICH 3.3.2 (`MPIR_*_intra_auto` in `src/mpi/coll`) for contiguous data, commutative
    /// operations and a network that does not distinguish nodes, with a byte as an element.
    #[expect(clippy::match_same_arms, reason = "the collectives in order")]
    pub(crate) fn auto(operation: Operation, ranks: u32, bytes: u64) -> Self {
        // The largest power of two among the ranks.
        let core = 1_u64 << ranks.max(1).ilog2();
        let all_bytes = bytes.saturating_mul(u64::from(ranks));
        match operation {
            Operation::Broadcast if bytes < 12_288 || ranks < 8 => A::Binomial,
            Operation::Broadcast if bytes < 524_288 && ranks.is_power_of_two() => {
                A::RecursiveDoubling
            }
            Operation::Broadcast => A::Ring,
            Operation::Reduce if bytes <= 2048 || bytes < core => A::Binomial,
            Operation::Reduce => A::Rabenseifner,
            Operation::AllReduce if bytes <= 2048 || bytes < core => A::RecursiveDoubling,
            Operation::AllReduce => A::Rabenseifner,
            Operation::AllGather if all_bytes < 524_288 && ranks.is_power_of_two() => {
                A::RecursiveDoubling
            }
            Operation::AllGather if all_bytes < 81_920 => A::Bruck,
            Operation::AllGather => A::Ring,
            Operation::AllToAll if bytes <= 256 && ranks >= 8 => A::Bruck,
            Operation::AllToAll if bytes <= 32_768 => A::Linear,
            Operation::AllToAll => A::Pairwise,
            Operation::ReduceScatter if bytes < 524_288 => A::RecursiveHalving,
            Operation::ReduceScatter => A::Pairwise,
            Operation::Gather | Operation::Scatter => A::Binomial,
            Operation::Scan => A::RecursiveDoubling,
            Operation::Barrier => A::Dissemination,
        }
    }
}

/// Algorithms of collectives without a cost, as `--collective` chooses them.
///
/// By default, the choice is `auto`: by size and number of ranks, as in MPICH.
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
pub struct Algorithms([Option<Algorithm>; Operation::ALL.len()]);

impl Algorithms {
    /// Sets a choice in the form of `--collective`: `NAME=ALGORITHM`, such as `allreduce=ring`.
    ///
    /// # Errors
    ///
    /// There is no such collective, or it has no such algorithm.
    pub fn choose(&mut self, choice: &str) -> Result<(), ParseError> {
        let Some((name, algorithm)) = choice.split_once('=') else {
            return Err(ParseError::new(
                "it is NAME=ALGORITHM, such as allreduce=recursive-doubling",
            ));
        };
        let Some(operation) = Operation::of_kind(name) else {
            let names = Operation::ALL.map(Operation::kind);
            return Err(ParseError::new(format!(
                "`{}` is not a collective ({}){}",
                quoted(name),
                names.join(", "),
                did_you_mean(name, names)
            )));
        };
        let fits = Algorithm::of(operation);
        let chosen = Algorithm::of_name(algorithm)
            .filter(|known| *known == Algorithm::Analytic || fits.contains(known));
        if algorithm != "auto" && chosen.is_none() {
            let names = ["auto", "analytic"].into_iter();
            let names: Vec<&str> = names.chain(fits.iter().map(|fit| fit.name())).collect();
            let article = if name.starts_with('a') { "an" } else { "a" };
            return Err(ParseError::new(format!(
                "{article} {name} has no algorithm `{}` ({}){}",
                quoted(algorithm),
                names.join(", "),
                did_you_mean(algorithm, names.iter().copied())
            )));
        }
        self.0[operation as usize] = chosen;
        Ok(())
    }

    /// First collective that a formula prices, if there is one.
    pub(crate) fn analytic(&self) -> Option<Operation> {
        let chosen = Operation::ALL.into_iter().zip(self.0);
        let mut analytic = chosen.filter(|(_, chosen)| *chosen == Some(Algorithm::Analytic));
        Some(analytic.next()?.0)
    }

    /// Finds the algorithm of a collective of `bytes` among `ranks`.
    #[inline]
    pub(crate) fn of(&self, operation: Operation, ranks: u32, bytes: u64) -> Algorithm {
        self.0[operation as usize].unwrap_or_else(|| Algorithm::auto(operation, ranks, bytes))
    }
}

/// Writes the flags that make the choices, separated by spaces; nothing if nothing is chosen.
impl fmt::Display for Algorithms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for (operation, chosen) in Operation::ALL.iter().zip(self.0) {
            if let Some(algorithm) = chosen {
                let (name, algorithm) = (operation.kind(), algorithm.name());
                write!(f, "{gap}--collective {name}={algorithm}")?;
                gap = " ";
            }
        }
        Ok(())
    }
}
