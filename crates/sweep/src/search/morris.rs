//! Elementary effects: how much a result changes with one axis at a time.
//!
//! Morris, Technometrics 33, 1991; mu* by Campolongo, Cariboni and Saltelli, Environmental
//! Modelling & Software 22, 2007.

use prophet_sim::variates::Generator;

use super::bootstrap::Estimate;
use super::random::{below, shuffle};
use super::{Coordinate, SearchAxis, SearchPoint, SearchSpace};

/// Number of places that a continuous axis is tried at.
const PLACES: usize = 4;

/// Elementary effects of an axis, each the change of the result per range of the axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// Mean of the effects: opposite ones cancel.
    pub mu: f64,
    /// Mean of their sizes.
    pub mu_star: Estimate,
    /// Standard deviation: above 0 where the axis acts together with others, or not linearly.
    pub sigma: f64,
}

/// Trajectories through a space: each starts anywhere and changes every axis once.
#[derive(Debug, Clone)]
pub struct Morris {
    points: Vec<SearchPoint>,
    /// Steps of the trajectories: the axis, and the signed change as a share of its range.
    steps: Vec<(usize, f64)>,
    axes: usize,
}

impl Morris {
    /// A number of trajectories; there are `trajectories * (axes + 1)` points in all.
    pub fn new(space: &SearchSpace, trajectories: usize, seed: u64) -> Self {
        let mut generator = Generator::named(seed, "Morris's trajectories");
        let axes = space.axes().len();
        let (mut points, mut steps) = (Vec::new(), Vec::new());
        let mut order: Vec<usize> = (0..axes).collect();
        for _ in 0..trajectories {
            let starts = space.axes().iter();
            let mut at: Vec<usize> = starts
                .map(|axis| below(&mut generator, places(axis)))
                .collect();
            points.push(point(space, &at));
            shuffle(&mut order, &mut generator);
            for &axis in &order {
                let (to, change) = step(&space.axes()[axis], at[axis], &mut generator);
                at[axis] = to;
                points.push(point(space, &at));
                steps.push((axis, change));
            }
        }
        Self {
            points,
            steps,
            axes,
        }
    }

    /// Points to evaluate, some of them perhaps more than once.
    pub fn points(&self) -> &[SearchPoint] {
        &self.points
    }

    /// Effects of the axes by the results at the points, without steps that miss one; `None` for an
    /// axis with a single value, or without any step.
    pub fn effects(&self, results: &[Option<f64>], seed: u64) -> Vec<Option<Effect>> {
        let mut generator = Generator::named(seed, "intervals of elementary effects");
        let mut found = vec![Vec::new(); self.axes];
        let trajectories = results.chunks_exact(self.axes + 1);
        let pairs = trajectories.flat_map(|trajectory| trajectory.windows(2));
        for (pair, &(axis, change)) in pairs.zip(&self.steps) {
            if let (&[Some(from), Some(to)], true) = (pair, change != 0.0) {
                found[axis].push((to - from) / change);
            }
        }
        let effect = |effects: Vec<f64>| Effect::of(&effects, &mut generator);
        found.into_iter().map(effect).collect()
    }
}

impl Effect {
    fn of(effects: &[f64], generator: &mut Generator) -> Option<Self> {
        let count = effects.len();
        if count == 0 {
            return None;
        }
        let mu = effects.iter().sum::<f64>() / count as f64;
        let squares: f64 = effects.iter().map(|it| (it - mu) * (it - mu)).sum();
        let sizes = |drawn: &[usize]| {
            let sum: f64 = drawn.iter().map(|&index| effects[index].abs()).sum();
            sum / drawn.len() as f64
        };
        Some(Self {
            mu,
            mu_star: Estimate::resampled(count, generator, sizes),
            sigma: (squares / count.saturating_sub(1).max(1) as f64).sqrt(),
        })
    }
}

/// Number of places that an axis is tried at.
fn places(axis: &SearchAxis) -> usize {
    axis.levels().unwrap_or(PLACES)
}

fn point(space: &SearchSpace, at: &[usize]) -> SearchPoint {
    let pairs = space.axes().iter().zip(at);
    pairs
        .map(|(axis, &place)| match axis {
            SearchAxis::Continuous => Coordinate::Place(place as f64 / (PLACES - 1) as f64),
            SearchAxis::Ordered(_) | SearchAxis::Unordered(_) => Coordinate::Level(place),
        })
        .collect()
}

/// Another place on an axis, and the change as a share of the axis's range: half of it where there
/// is an order, else a whole one.
fn step(axis: &SearchAxis, from: usize, generator: &mut Generator) -> (usize, f64) {
    let count = places(axis);
    if count == 1 {
        return (from, 0.0);
    }
    if let SearchAxis::Unordered(_) = axis {
        let other = below(generator, count - 1);
        return (other + usize::from(other >= from), 1.0);
    }
    let jump = count / 2;
    let change = jump as f64 / (count - 1) as f64;
    let (up, down) = (from + jump < count, from >= jump);
    if up && (!down || below(generator, 2) == 0) {
        (from + jump, change)
    } else {
        (from - jump, -change)
    }
}
