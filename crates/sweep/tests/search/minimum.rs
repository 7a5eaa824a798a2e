//! Searches of 10,000 points of which 300 may be evaluated, against the minimum of all.

use prophet_sweep::search::{Coordinate, Scores, Search, SearchAxis, SearchPoint, SearchSpace};

/// Number of evaluations of a search.
const BUDGET: usize = 300;

/// Number of seeds, of which one search may miss the minimum.
const SEEDS: u64 = 10;

/// A function of the levels of a point.
type Landscape = fn(&[usize]) -> Option<Scores>;

fn levels(point: &SearchPoint) -> Vec<usize> {
    let level = |at: &Coordinate| match *at {
        Coordinate::Level(level) => level,
        Coordinate::Place(_) => panic!("the axes have levels"),
    };
    point.iter().map(level).collect()
}

fn real(level: usize) -> f64 {
    f64::from(u32::try_from(level).expect("levels are few"))
}

#[expect(clippy::unnecessary_wraps, reason = "as landscapes give it")]
fn free(objective: f64) -> Option<Scores> {
    let margins = Vec::new();
    Some(Scores { objective, margins })
}

fn search(space: &SearchSpace, landscape: Landscape, budget: usize, seed: u64) -> Search {
    search_for(None, space, landscape, budget, seed)
}

/// Search up to its end, or to the smallest objective of all if that is known.
fn search_for(
    smallest: Option<f64>,
    space: &SearchSpace,
    landscape: Landscape,
    budget: usize,
    seed: u64,
) -> Search {
    let mut search = Search::new(space.clone(), budget, seed);
    loop {
        let done = smallest.is_some() && found(&search) == smallest;
        let points = if done { Vec::new() } else { search.ask() };
        if points.is_empty() {
            return search;
        }
        let scores = points.iter().map(|point| landscape(&levels(point)));
        search.tell(scores.collect());
    }
}

/// The smallest objective that a search found.
fn found(search: &Search) -> Option<f64> {
    let scores = &search.scores()[search.best()?];
    scores.as_ref().map(|scores| scores.objective)
}

fn assert_found(axes: Vec<SearchAxis>, landscape: Landscape) {
    let space = SearchSpace::new(axes);
    let size = space.size().expect("the axes have levels");
    assert_eq!(size, 10_000);
    let all = search(&space, landscape, size, 0);
    assert!(all.is_exhaustive() && all.points().len() == size);
    let smallest = found(&all).expect("there is a feasible point");
    let reached: Vec<Option<f64>> = (1..=SEEDS)
        .map(|seed| {
            let search = search_for(Some(smallest), &space, landscape, BUDGET, seed);
            assert!(search.points().len() <= BUDGET);
            found(&search)
        })
        .collect();
    let hits = reached.iter().filter(|it| **it == Some(smallest)).count();
    assert!(hits >= 9, "{hits} of {SEEDS}: {smallest} {reached:?}");
}

/// Ten nodes from 1 to 512, ten block sizes, ten networks without an order, ten thread counts.
fn mixed() -> Vec<SearchAxis> {
    vec![
        SearchAxis::evenly(10),
        SearchAxis::evenly(10),
        SearchAxis::Unordered(10),
        SearchAxis::evenly(10),
    ]
}

/// Latency and cost per byte of a network, in no order.
fn network(level: usize) -> (f64, f64) {
    let rank = [3, 7, 0, 9, 4, 1, 8, 2, 6, 5][level];
    (1e-6 * real(1 << rank), 1e-9 * real(10 - rank))
}

/// Time of a program: it computes, and exchanges blocks along a tree.
fn time(at: &[usize]) -> f64 {
    let nodes = real(1 << at[0]);
    let block = real(1 << at[1]) * 64.0;
    let (latency, per_byte) = network(at[2]);
    let threads = real(at[3] + 1);
    let compute = 100.0 / nodes * (0.1 + 0.9 / threads) * (1.0 + 0.01 * threads * threads);
    let messages = 1e9 / block / nodes.sqrt();
    let exchange = messages * (latency + block * per_byte) * (nodes.log2() + 0.1);
    compute + exchange + 1e-4 * nodes + 1e-5 * block
}

#[test]
fn speed_up_with_a_knee() {
    assert_found(mixed(), |at| free(time(at)));
}

#[test]
fn costs_that_multiply() {
    assert_found(vec![SearchAxis::evenly(10); 4], |at| {
        let factor = |axis: usize, best: f64, weight: f64| {
            let distance = real(at[axis]) - best;
            1.0 + weight * distance * distance
        };
        free(factor(0, 3.0, 0.5) * factor(1, 8.0, 0.02) * factor(2, 1.0, 2.0) * factor(3, 5.0, 0.1))
    });
}

#[test]
fn axes_that_interact() {
    assert_found(vec![SearchAxis::evenly(10); 4], |at| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|axis| real(at[axis]));
        let ridge = (a - b) * (a - b) + 2.0 * (c + d - 9.0) * (c + d - 9.0);
        free(1.0 + ridge + 0.1 * (a - 6.0) * (a - 6.0) + 0.2 * (c - d - 3.0) * (c - d - 3.0))
    });
}

#[test]
fn plateaus() {
    assert_found(vec![SearchAxis::evenly(10); 4], |at| {
        let shares = (real(97) / real(at[0] + 1) / real(at[1] + 1)).ceil();
        let rounds = (real(at[2] + 3) / 4.0).floor() + (real(12 - at[3]) / 3.0).ceil();
        free(shares * rounds + real(at[0] / 3 + at[1] / 3))
    });
}

/// The cheapest way to be done in time lies where it is only just done in time.
#[test]
fn constraint_at_the_edge() {
    assert_found(mixed(), |at| {
        let price = 1.0 + 0.1 * real(at[3]) + 1e-7 / network(at[2]).1 * 0.01;
        Some(Scores {
            objective: time(at) * real(1 << at[0]) * price,
            margins: vec![(time(at) / 6.0).ln()],
        })
    });
}

#[test]
fn two_constraints() {
    assert_found(vec![SearchAxis::evenly(10); 4], |at| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|axis| real(at[axis]));
        Some(Scores {
            objective: 30.0 - a - b - 0.5 * c + 0.2 * d,
            margins: vec![a * b - 20.0, c - d - 0.5 * a],
        })
    });
}

/// A wide basin leads away from the minimum, which lies in a narrower one.
#[test]
fn deceptive_basins() {
    assert_found(vec![SearchAxis::evenly(10); 4], |at| {
        let squares = |center: [f64; 4]| {
            let distances = at.iter().zip(center);
            let squares = distances.map(|(at, center)| (real(*at) - center).powi(2));
            squares.sum::<f64>()
        };
        let wide = 10.0 + 0.3 * squares([8.0, 8.0, 7.0, 8.0]);
        let narrow = 2.0 + 1.5 * squares([2.0, 1.0, 2.0, 3.0]);
        free(wide.min(narrow))
    });
}

#[test]
fn points_without_a_result() {
    assert_found(mixed(), |at| {
        let deadlocks = at[0] + at[3] > 11 || at[2] == 4;
        (!deadlocks).then(|| free(time(at))).flatten()
    });
}

#[test]
fn seeds_give_the_same_points_again_and_others_do_not() {
    let space = SearchSpace::new(mixed());
    let landscape: Landscape = |at| free(time(at));
    let points = |seed| search(&space, landscape, 60, seed).points().to_vec();
    assert_eq!(points(1), points(1));
    assert_ne!(points(1), points(2));
}

#[test]
fn continuous_axes_are_searched_between_all_values() {
    let space = SearchSpace::new(vec![
        SearchAxis::Continuous,
        SearchAxis::Continuous,
        SearchAxis::Unordered(3),
    ]);
    let mut search = Search::new(space, 100, 1);
    loop {
        let points = search.ask();
        if points.is_empty() {
            break;
        }
        let scores = points.iter().map(|point| match point[..] {
            [
                Coordinate::Place(x),
                Coordinate::Place(y),
                Coordinate::Level(level),
            ] => {
                let valley = (x - 0.713).abs() + (y - x * x) * (y - x * x);
                free(valley + real((level + 1) % 3))
            }
            _ => panic!("the axes are as they were given"),
        });
        search.tell(scores.collect());
    }
    assert_eq!(search.points().len(), 100);
    let reached = found(&search).expect("all points are feasible");
    assert!(reached < 0.01, "{reached}");
}

#[test]
fn infeasible_spaces_have_a_closest_point() {
    let space = SearchSpace::new(vec![SearchAxis::evenly(10); 4]);
    let landscape: Landscape = |at| {
        let margins = vec![real(at[0] + at[1]) + 1.0];
        let objective = real(at[2]);
        Some(Scores { objective, margins })
    };
    let search = search(&space, landscape, 60, 1);
    assert_eq!(search.best(), None);
    let closest = search.closest().expect("points have results");
    assert_eq!(levels(&search.points()[closest])[..2], [0, 0]);
}

#[test]
fn spaces_without_any_result_are_searched_to_the_end() {
    let space = SearchSpace::new(vec![SearchAxis::evenly(10); 4]);
    let nothing: [Landscape; 2] = [|_| None, |_| free(f64::NAN)];
    for landscape in nothing {
        let search = search(&space, landscape, 40, 1);
        assert_eq!(search.closest(), None);
        assert_eq!(search.points().len(), 40);
    }
}

#[test]
fn equal_results_everywhere_are_no_trouble() {
    let space = SearchSpace::new(vec![SearchAxis::evenly(10); 4]);
    let search = search(&space, |_| free(0.0), 60, 1);
    assert_eq!(found(&search), Some(0.0));
    assert_eq!(search.points().len(), 60);
}
