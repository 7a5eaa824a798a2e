//! Sensitivity of functions whose Sobol indices are known.

use std::f64::consts::PI;

use prophet_sweep::search::{
    Coordinate, Indices, Morris, Saltelli, SearchAxis, SearchPoint, SearchSpace, factorial,
};

fn place(at: &Coordinate) -> f64 {
    match *at {
        Coordinate::Place(place) => place,
        Coordinate::Level(level) => f64::from(u32::try_from(level).expect("levels are few")),
    }
}

/// Ishigami and Homma's function, with a = 7 and b = 0.1.
fn ishigami(point: &SearchPoint) -> f64 {
    let x: Vec<f64> = point
        .iter()
        .map(|at| PI * (2.0 * place(at) - 1.0))
        .collect();
    x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
}

/// First and total indices of that function in closed form.
fn ishigami_indices() -> [(f64, f64); 3] {
    let (a, b) = (7.0, 0.1);
    let alone = 0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2);
    let second = a * a / 8.0;
    let together = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
    let all = alone + second + together;
    [
        (alone / all, (alone + together) / all),
        (second / all, second / all),
        (0.0, together / all),
    ]
}

/// Coefficients of Sobol's g-function: the larger one is, the less its axis matters.
const G: [f64; 6] = [0.0, 0.5, 3.0, 9.0, 99.0, 99.0];

fn g_function(point: &SearchPoint) -> f64 {
    let factor = |(at, a): (&Coordinate, f64)| ((4.0 * place(at) - 2.0).abs() + a) / (1.0 + a);
    point.iter().zip(G).map(factor).product()
}

fn g_indices() -> Vec<(f64, f64)> {
    let alone = G.map(|a| 1.0 / (3.0 * (1.0 + a) * (1.0 + a)));
    let all = alone.iter().map(|it| 1.0 + it).product::<f64>() - 1.0;
    let others = |axis: usize| (all + 1.0) / (1.0 + alone[axis]);
    (0..G.len())
        .map(|axis| (alone[axis] / all, alone[axis] * others(axis) / all))
        .collect()
}

fn sampled(function: fn(&SearchPoint) -> f64, axes: usize, seed: u64) -> Vec<Indices> {
    let space = SearchSpace::new(vec![SearchAxis::Continuous; axes]);
    let samples = Saltelli::new(&space, 2048, seed);
    let results: Vec<Option<f64>> = samples
        .points()
        .iter()
        .map(|it| Some(function(it)))
        .collect();
    assert_eq!(results.len(), 2048 * (axes + 2));
    samples.indices(&results, seed).expect("the results vary")
}

fn assert_close(found: &[Indices], expected: &[(f64, f64)], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, &(first, total)) in found.iter().zip(expected) {
        for (estimate, exact) in [(found.first, first), (found.total, total)] {
            let error = (estimate.value - exact).abs();
            assert!(error <= tolerance, "{estimate:?}, not {exact}");
            assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
        }
    }
}

#[test]
fn sampled_indices_are_those_of_closed_forms() {
    for seed in 1..=3 {
        assert_close(&sampled(ishigami, 3, seed), &ishigami_indices(), 0.05);
        assert_close(&sampled(g_function, 6, seed), &g_indices(), 0.05);
    }
}

/// Intervals at 95 % hold what they are of in about that share of cases.
#[test]
fn intervals_hold_the_exact_indices() {
    let (mut held, mut all) = (0, 0);
    for seed in 1..=20 {
        for (found, (first, total)) in sampled(ishigami, 3, seed).iter().zip(ishigami_indices()) {
            for (estimate, exact) in [(found.first, first), (found.total, total)] {
                held += u32::from(estimate.low <= exact && exact <= estimate.high);
                all += 1;
            }
        }
    }
    assert!(held * 100 >= all * 88, "{held} of {all}");
}

/// On axes of levels, samples agree with all points.
#[test]
fn all_points_give_exact_indices() {
    let space = SearchSpace::new(vec![
        SearchAxis::evenly(4),
        SearchAxis::Unordered(3),
        SearchAxis::evenly(5),
    ]);
    let function = |point: &SearchPoint| {
        let [a, b, c] = [0, 1, 2].map(|axis| place(&point[axis]));
        Some(2.0 * a + 3.0 * b * b + a * b + 0.0 * c)
    };
    let size = space.size().expect("the axes have levels");
    let results: Vec<Option<f64>> = (0..size).map(|it| function(&space.point(it))).collect();
    let exact = factorial(&space, &results).expect("the results vary");
    assert_eq!((exact[2].first.value, exact[2].total.value), (0.0, 0.0));
    // What the two axes do together is what neither does alone.
    let first = exact[0].first.value + exact[1].first.value;
    let together = exact[0].total.value - exact[0].first.value;
    assert!((first + together - 1.0).abs() < 1e-12);
    assert!(together > 0.0);

    let samples = Saltelli::new(&space, 4096, 1);
    let sampled: Vec<Option<f64>> = samples.points().iter().map(function).collect();
    let sampled = samples.indices(&sampled, 1).expect("the results vary");
    let exact: Vec<(f64, f64)> = exact
        .iter()
        .map(|it| (it.first.value, it.total.value))
        .collect();
    assert_close(&sampled, &exact, 0.05);
}

/// By hand: results 1, 2, 3 and 6 have the mean 3 and the variance 3.5.
#[test]
fn small_factorials_are_right_by_hand() {
    let space = SearchSpace::new(vec![SearchAxis::evenly(2), SearchAxis::evenly(2)]);
    let results = [1.0, 2.0, 3.0, 6.0].map(Some);
    let indices = factorial(&space, &results).expect("the results vary");
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    // Means of the levels: 1.5 and 4.5; 2 and 4.
    close(indices[0].first.value, 2.25 / 3.5);
    close(indices[1].first.value, 1.0 / 3.5);
    // Variances within lines: 1 and 4; 0.25 and 2.25.
    close(indices[0].total.value, 2.5 / 3.5);
    close(indices[1].total.value, 1.25 / 3.5);
}

/// Rounded sums of numbers show no effect of an axis that has no effect.
#[test]
fn axes_without_effect_have_none_to_the_last_bit() {
    let space = SearchSpace::new(vec![SearchAxis::evenly(5), SearchAxis::evenly(3)]);
    let results: Vec<Option<f64>> = (0..15)
        .map(|index| Some(0.1 + 1.0 / (3.7 + place(&space.point(index)[0]))))
        .collect();
    let indices = factorial(&space, &results).expect("the results vary");
    let (total, none) = (indices[1].total.value, 0.0_f64);
    assert_eq!(total.to_bits(), none.to_bits(), "{total}");
}

#[test]
fn points_without_a_result_are_left_out() {
    let space = SearchSpace::new(vec![SearchAxis::Continuous; 3]);
    let samples = Saltelli::new(&space, 2048, 1);
    let results = samples.points().iter().enumerate();
    let results: Vec<Option<f64>> = results
        .map(|(index, point)| (index % 17 != 0).then(|| ishigami(point)))
        .collect();
    let indices = samples.indices(&results, 1).expect("the results vary");
    assert_close(&indices, &ishigami_indices(), 0.06);

    let nothing = vec![None; results.len()];
    assert_eq!(samples.indices(&nothing, 1), None);
    let constant = vec![Some(1.5); results.len()];
    assert_eq!(samples.indices(&constant, 1), None);
    let grid = SearchSpace::new(vec![SearchAxis::evenly(2)]);
    assert_eq!(factorial(&grid, &[None, None]), None);
    assert_eq!(factorial(&grid, &[Some(1.0), Some(1.0)]), None);
    assert_eq!(factorial(&grid, &[Some(1.0), None]), None);
}

#[test]
fn linear_functions_have_equal_effects_everywhere() {
    let axes = vec![
        SearchAxis::Continuous,
        SearchAxis::evenly(5),
        SearchAxis::evenly(1),
    ];
    let space = SearchSpace::new(axes);
    let morris = Morris::new(&space, 10, 1);
    assert_eq!(morris.points().len(), 10 * 4);
    let linear = |point: &SearchPoint| Some(3.0 * place(&point[0]) - 0.5 * place(&point[1]));
    let results: Vec<Option<f64>> = morris.points().iter().map(linear).collect();
    let effects = morris.effects(&results, 1);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    // The second axis has the range from 0 to 4.
    for (effect, expected) in effects.iter().zip([3.0, -2.0]) {
        let effect = effect.expect("the axis has several values");
        near(effect.mu, expected);
        near(effect.mu_star.value, expected.abs());
        near(effect.mu_star.low, expected.abs());
        near(effect.sigma, 0.0);
    }
    assert_eq!(effects[2], None);
}

#[test]
fn effects_rank_the_axes_of_the_g_function() {
    let space = SearchSpace::new(vec![SearchAxis::Continuous; 6]);
    let morris = Morris::new(&space, 40, 7);
    let results: Vec<Option<f64>> = morris
        .points()
        .iter()
        .map(|it| Some(g_function(it)))
        .collect();
    let effects = morris.effects(&results, 7);
    let sizes: Vec<f64> = effects
        .iter()
        .map(|effect| effect.expect("the axes have several values").mu_star.value)
        .collect();
    assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2] && sizes[2] > sizes[3]);
    assert!(sizes[3] > 3.0 * sizes[4] && sizes[3] > 3.0 * sizes[5]);
    // It is not linear: effects of opposite signs cancel.
    let first = effects[0].expect("the axes have several values");
    assert!(first.sigma > first.mu.abs());
}

/// Each step changes one axis, to another value.
#[test]
fn trajectories_change_one_axis_at_a_time() {
    let levels = [1, 2, 3, 4, 5, 8];
    let mut axes: Vec<SearchAxis> = levels.map(SearchAxis::evenly).into();
    axes.extend([SearchAxis::Unordered(3), SearchAxis::Continuous]);
    let space = SearchSpace::new(axes);
    let morris = Morris::new(&space, 50, 3);
    for trajectory in morris.points().chunks_exact(9) {
        let mut changed = [0; 8];
        for pair in trajectory.windows(2) {
            for (axis, (from, to)) in pair[0].iter().zip(&pair[1]).enumerate() {
                changed[axis] += u32::from(from != to);
            }
        }
        assert_eq!(changed, [0, 1, 1, 1, 1, 1, 1, 1]);
    }
}

#[test]
fn steps_that_miss_a_result_are_left_out() {
    let space = SearchSpace::new(vec![SearchAxis::Continuous; 2]);
    let morris = Morris::new(&space, 8, 1);
    let results: Vec<Option<f64>> = (0..24)
        .map(|index| (index >= 3).then_some(f64::from(index % 3)))
        .collect();
    let effects = morris.effects(&results, 1);
    assert!(effects.iter().all(Option::is_some));
    assert_eq!(morris.effects(&[None; 24], 1), [None, None]);
}
