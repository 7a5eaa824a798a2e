#![expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes them so"
)]

use expect_test::expect;
use proptest::prelude::*;

use super::*;

const DRAWS: u32 = 200_000;

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

/// Compares the mean and variance of many draws with the expected values. They can differ by five
/// standard errors of a normal sample, and some more for heavy tails.
fn check_moments(
    mean: f64,
    variance: f64,
    draw: impl Fn(&mut Generator) -> Result<f64, OutOfRange>,
) {
    let mut generator = Generator::new(42, 7, 11);
    let draws: Vec<f64> = (0..DRAWS).map(|_| draw(&mut generator).unwrap()).collect();
    let count = f64::from(DRAWS);
    let sample_mean = draws.iter().sum::<f64>() / count;
    let sample_variance = draws
        .iter()
        .map(|x| (x - sample_mean) * (x - sample_mean))
        .sum::<f64>()
        / count;
    let mean_error = 5.0 * (variance / count).sqrt();
    assert!(
        (sample_mean - mean).abs() <= mean_error,
        "mean {sample_mean}, expected {mean}"
    );
    let variance_error = 0.05 * variance;
    assert!(
        (sample_variance - variance).abs() <= variance_error,
        "variance {sample_variance}, expected {variance}"
    );
}

#[test]
fn moments_are_those_of_the_distributions() {
    check_moments(3.0, 16.0 / 12.0, |g| g.uniform(1.0, 5.0));
    check_moments(2.5, 6.25, |g| g.exponential(2.5));
    check_moments(-1.0, 9.0, |g| g.normal(-1.0, 3.0));
    let sigma2 = 0.25_f64;
    check_moments(
        (0.5 + sigma2 / 2.0).exp(),
        (sigma2.exp() - 1.0) * (1.0 + sigma2).exp(),
        |g| g.lognormal(0.5, 0.5),
    );
    check_moments(7.5, 7.5 * 3.0, |g| g.gamma(2.5, 3.0));
    check_moments(0.6, 0.6 * 2.0, |g| g.gamma(0.3, 2.0));
    check_moments(6.0, 36.0 / 4.0, |g| g.erlang(4, 6.0));
    let (first, second) = (libm::tgamma(1.5), libm::tgamma(2.0));
    check_moments(3.0 * first, 9.0 * (second - first * first), |g| {
        g.weibull(2.0, 3.0)
    });
    // (low² + mode² + high² - low·mode - low·high - mode·high) / 18
    check_moments(10.0 / 3.0, 37.0 / 18.0, |g| g.triangular(0.0, 3.0, 7.0));
    check_moments(0.3, 0.21, |g| {
        g.bernoulli(0.3).map(|hit| f64::from(u8::from(hit)))
    });
}

#[test]
fn poisson_is_right_on_both_sides_of_its_switch_and_far_out() {
    for mean in [0.1, 2.0, 9.99, 10.0, 11.5, 300.0, 1e6, 1e12] {
        check_moments(mean, mean, |g| g.poisson(mean).map(real));
    }
}

/// Runs the Kolmogorov-Smirnov test on draws. `below` is the probability that a number is below x.
/// A correct generator fails once in a thousand times.
fn check_distribution(
    what: &str,
    below: impl Fn(f64) -> f64,
    draw: impl Fn(&mut Generator) -> Result<f64, OutOfRange>,
) {
    const COUNT: u32 = 40_000;
    let mut generator = Generator::named(8, what);
    let mut draws: Vec<f64> = (0..COUNT).map(|_| draw(&mut generator).unwrap()).collect();
    draws.sort_unstable_by(f64::total_cmp);
    let count = f64::from(COUNT);
    let distance = (0..COUNT).zip(&draws).fold(0.0_f64, |most, (rank, x)| {
        let (expected, rank) = (below(*x), f64::from(rank));
        let above = (rank + 1.0) / count - expected;
        most.max(above).max(expected - rank / count)
    });
    let statistic = distance * count.sqrt();
    assert!(statistic < 1.949, "{what}: {statistic}");
    assert!(
        statistic > 0.3,
        "{what}: {statistic} is too good for chance"
    );
}

fn normal_below(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// Returns the probability that a gamma number with scale 1 is below x, computed with a power
/// series.
fn gamma_below(shape: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0, 1.0, shape);
    while term > 1e-17 * sum {
        n += 1.0;
        term *= x / n;
        sum += term;
    }
    sum * libm::exp(shape * libm::log(x) - x - libm::lgamma(shape + 1.0))
}

#[test]
fn distributions_are_those_of_their_names() {
    check_distribution("uniform", |x| (x - 1.0) / 4.0, |g| g.uniform(1.0, 5.0));
    let exponential = |x: f64| -libm::expm1(-x / 2.5);
    check_distribution("exponential", exponential, |g| g.exponential(2.5));
    let normal = |x: f64| normal_below((x + 1.0) / 3.0);
    check_distribution("normal", normal, |g| g.normal(-1.0, 3.0));
    let lognormal = |x: f64| normal_below((libm::log(x) - 0.5) / 0.7);
    check_distribution("lognormal", lognormal, |g| g.lognormal(0.5, 0.7));
    for shape in [0.3, 1.0, 2.5, 20.0] {
        let what = format!("gamma {shape}");
        let gamma = |x: f64| gamma_below(shape, x / 3.0);
        check_distribution(&what, gamma, |g| g.gamma(shape, 3.0));
    }
    let erlang = |x: f64| {
        let x = 4.0 * x / 6.0;
        1.0 - libm::exp(-x) * (1.0 + x + x * x / 2.0 + x * x * x / 6.0)
    };
    check_distribution("erlang", erlang, |g| g.erlang(4, 6.0));
    let weibull = |x: f64| -libm::expm1(-libm::pow(x / 3.0, 1.7));
    check_distribution("weibull", weibull, |g| g.weibull(1.7, 3.0));
    let triangular = |x: f64| {
        if x < 3.0 {
            x * x / 21.0
        } else {
            1.0 - (7.0 - x) * (7.0 - x) / 28.0
        }
    };
    check_distribution("triangular", triangular, |g| g.triangular(0.0, 3.0, 7.0));
}

#[test]
fn named_streams_differ_by_seed_and_name() {
    let keys = [
        (0, ""),
        (0, "a"),
        (1, "a"),
        (0, "b"),
        (0, "ab"),
        (0, "ba"),
        (0, "a\0"),
    ];
    let streams = keys.iter();
    let mut first: Vec<u64> = { streams }
        .map(|(seed, name)| Generator::named(*seed, name).bits())
        .collect();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), keys.len());
    assert_eq!(Generator::named(7, "x"), Generator::named(7, "x"));
}

/// Checks the frequency of each count, which moments don't show.
#[test]
fn poisson_counts_have_their_frequencies() {
    let (mean, mut generator) = (12.0, Generator::new(3, 1, 4));
    let mut counts = [0_u32; 64];
    for _ in 0..DRAWS {
        let count = usize::try_from(generator.poisson(mean).unwrap()).unwrap();
        counts[count] += 1;
    }
    let mut chi_square = 0.0;
    for (k, &seen) in (3_u32..=24).zip(&counts[3..=24]) {
        let expected = f64::from(DRAWS) * log_poisson(f64::from(k), mean).exp();
        chi_square += (f64::from(seen) - expected).powi(2) / expected;
    }
    // The 99.9th percentile with 22 degrees of freedom.
    assert!(chi_square < 48.3, "{chi_square}");
}

#[test]
fn both_forms_of_the_poisson_probability_agree() {
    for k in 10..170_u32 {
        let k = f64::from(k);
        let direct = k * libm::log(33.0) - 33.0 - libm::lgamma(k + 1.0);
        assert!((log_poisson(k, 33.0) - direct).abs() < 1e-9, "{k}");
    }
}

#[test]
fn the_generators_are_the_published_ones() {
    let mut state = 1_234_567;
    assert_eq!(split_mix(&mut state), 6_457_827_717_110_365_317);
    assert_eq!(split_mix(&mut state), 3_203_168_211_198_807_973);

    let mut generator = Generator {
        state: [1, 2, 3, 4],
    };
    let bits: [u64; 6] = std::array::from_fn(|_| generator.bits());
    assert_eq!(
        bits,
        [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
        ]
    );
}

/// If a platform draws other numbers than these, it also predicts other times.
#[test]
fn draws_are_the_same_on_every_platform() {
    let mut g = Generator::new(1, 2, 351_571_381);
    let mut draws = Vec::new();
    for _ in 0..2 {
        draws.extend([
            ("uniform", g.uniform(1.0, 2.0)),
            ("exponential", g.exponential(2.0)),
            ("normal", g.normal(1.0, 2.0)),
            ("lognormal", g.lognormal(0.0, 1.0)),
            ("gamma", g.gamma(2.5, 1.5)),
            ("gamma", g.gamma(0.5, 1.5)),
            ("erlang", g.erlang(3, 1.5)),
            ("weibull", g.weibull(1.5, 2.0)),
            ("triangular", g.triangular(0.0, 1.0, 3.0)),
            ("poisson", g.poisson(3.5).map(real)),
            ("poisson", g.poisson(1e4).map(real)),
            (
                "bernoulli",
                g.bernoulli(0.5).map(|hit| f64::from(u8::from(hit))),
            ),
        ]);
    }
    let lines = draws
        .into_iter()
        .map(|(name, draw)| format!("{name} {:?}\n", draw.unwrap()));
    let text: String = lines.collect();
    expect![[r#"
        uniform 1.443735214460463
        exponential 1.6941024504539417
        normal 2.507419595346855
        lognormal 0.5200251520929249
        gamma 2.6199500000437976
        gamma 0.39321953075724475
        erlang 0.7071962467285033
        weibull 1.1954543287498283
        triangular 1.1966579856586892
        poisson 2.0
        poisson 10103.0
        bernoulli 0.0
        uniform 1.4798878965190354
        exponential 0.2951790436098427
        normal -5.914274532226974
        lognormal 0.3535198997937724
        gamma 5.771763930517434
        gamma 0.006777901732687911
        erlang 0.7122314896079525
        weibull 1.3142424519773463
        triangular 1.3630160122899375
        poisson 7.0
        poisson 9984.0
        bernoulli 1.0
    "#]]
    .assert_eq(&text);
}

#[test]
fn streams_differ_by_seed_process_and_element() {
    let keys = [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (0, 0, -1),
        (1, 1, 0),
        (0, 1, 1),
    ];
    let mut first: Vec<u64> = keys
        .iter()
        .map(|&(seed, pid, id)| Generator::new(seed, pid, id).bits())
        .collect();
    first.sort_unstable();
    first.dedup();
    assert_eq!(first.len(), keys.len());
}

#[test]
fn neighboring_streams_are_not_correlated() {
    let sum: f64 = (0..DRAWS)
        .map(|pid| {
            let a = Generator::new(1, pid, 5).unit() - 0.5;
            let b = Generator::new(1, pid + 1, 5).unit() - 0.5;
            a * b
        })
        .sum();
    // The standard deviation of one product is 1/12.
    assert!(sum.abs() < 5.0 * f64::from(DRAWS).sqrt() / 12.0, "{sum}");
}

#[test]
fn parameters_out_of_range_are_faults() {
    let g = &mut Generator::new(0, 0, 0);
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    let reals = [
        g.uniform(2.0, 1.0),
        g.uniform(nan, 1.0),
        g.uniform(-f64::MAX, f64::MAX),
        g.exponential(-1.0),
        g.exponential(infinity),
        g.normal(0.0, -1.0),
        g.normal(nan, 1.0),
        g.lognormal(0.0, infinity),
        g.gamma(0.0, 1.0),
        g.gamma(1.0, -1.0),
        g.gamma(nan, 1.0),
        g.erlang(0, 1.0),
        g.erlang(2, -1.0),
        g.weibull(0.0, 1.0),
        g.weibull(1.0, nan),
        g.triangular(0.0, -1.0, 1.0),
        g.triangular(0.0, 2.0, 1.0),
        g.triangular(0.0, nan, 1.0),
    ];
    for (index, real) in reals.into_iter().enumerate() {
        assert_eq!(real, Err(OutOfRange(())), "{index}");
    }
    assert_eq!(g.poisson(-1.0), Err(OutOfRange(())));
    assert_eq!(g.poisson(1.1e15), Err(OutOfRange(())));
    assert_eq!(g.poisson(nan), Err(OutOfRange(())));
    assert_eq!(g.bernoulli(1.1), Err(OutOfRange(())));
    assert_eq!(g.bernoulli(-0.1), Err(OutOfRange(())));
}

#[test]
fn degenerate_distributions_are_constants() {
    let g = &mut Generator::new(0, 0, 0);
    assert_eq!(g.uniform(4.0, 4.0), Ok(4.0));
    assert_eq!(g.exponential(0.0).map(f64::abs), Ok(0.0));
    assert_eq!(g.normal(4.0, 0.0), Ok(4.0));
    assert_eq!(g.triangular(4.0, 4.0, 4.0), Ok(4.0));
    assert_eq!(g.poisson(0.0), Ok(0));
    assert_eq!(g.bernoulli(0.0), Ok(false));
    assert_eq!(g.bernoulli(1.0), Ok(true));
}

proptest! {
    #[test]
    fn draws_stay_in_range_and_end(seed: u64, a in -1e3..1e3_f64, width in 0.0..1e3_f64) {
        let g = &mut Generator::new(seed, 0, 0);
        let b = a + width;
        prop_assert!((a..=b).contains(&g.uniform(a, b).unwrap()));
        let mode = a + width / 3.0;
        let triangular = g.triangular(a, mode, b).unwrap();
        prop_assert!((a - 1e-9..=b + 1e-9).contains(&triangular));
        for positive in [g.exponential(width), g.gamma(width + 1e-3, 1.0), g.weibull(1.0, width)] {
            prop_assert!(positive.unwrap() >= 0.0);
        }
        prop_assert!(g.poisson(width).is_ok());
    }

    #[test]
    fn extreme_shapes_end_too(seed: u64, exponent in -300..300_i32) {
        let g = &mut Generator::new(seed, 0, 0);
        let shape = 10.0_f64.powi(exponent);
        prop_assert!(g.gamma(shape, 1.0).unwrap() >= 0.0);
        prop_assert!(g.weibull(shape, 1.0).unwrap() >= 0.0);
        prop_assert!(g.poisson(shape.min(1e15)).is_ok());
    }
}
