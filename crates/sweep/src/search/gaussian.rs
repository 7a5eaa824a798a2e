//! Gaussian processes: the likely results at other points, given the results at some points
//! (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006).

use super::triangle::{Triangle, dot};
use super::{SearchAxis, SearchSpace};

/// Ranges of the logarithms, to the base 2, of the scales of axes.
const SCALES: (f64, f64) = (-5.0, 4.0);

/// Variances of the noise, as shares of the whole, that are tried.
const NOISES: [f64; 4] = [1e-7, 1e-5, 1e-3, 3e-2];

/// Maximum number of points that choose the scales.
const SCALED_BY: usize = 120;

/// Correlation of the results at two points.
#[derive(Debug, Clone, PartialEq)]
struct Kernel {
    /// True for the axes whose values have no order.
    unordered: Vec<bool>,
    /// Logarithm, to the base 2, of the distance over which an axis changes much.
    scales: Vec<f64>,
    /// Index into [`NOISES`].
    noise: usize,
}

impl Kernel {
    /// Matérn's kernel of order 5/2, with a scale for each axis.
    fn correlations(&self) -> impl Fn(&[f64], &[f64]) -> f64 {
        let weights = self.scales.iter().map(|scale| libm::exp2(-2.0 * scale));
        let weights: Vec<f64> = weights.collect();
        move |a, b| {
            let mut square = 0.0;
            for (axis, weight) in weights.iter().enumerate() {
                let mut distance = a[axis] - b[axis];
                if self.unordered[axis] && distance != 0.0 {
                    distance = 1.0;
                }
                square += weight * distance * distance;
            }
            let scaled = (5.0 * square).sqrt();
            (1.0 + scaled + scaled * scaled / 3.0) * libm::exp(-scaled)
        }
    }

    fn noise(&self) -> f64 {
        NOISES[self.noise]
    }

    /// Logarithm of how likely the scales are before anything is known: around half of an axis.
    fn prior(&self) -> f64 {
        let distances = self.scales.iter().map(|scale| (scale + 0.5) / 1.8);
        -0.5 * distances.map(|distance| distance * distance).sum::<f64>()
    }
}

/// Gaussian process that knows the results at some points.
#[derive(Debug, Clone)]
pub(crate) struct Process {
    kernel: Kernel,
    points: Vec<Vec<f64>>,
    factor: Triangle,
    /// Solution of the factor for the scaled results.
    solved: Vec<f64>,
    mean: f64,
    deviation: f64,
    /// Variance of the scaled results.
    variance: f64,
}

/// Forecast of a process at a point, which learns with the process.
#[derive(Debug, Clone)]
pub(crate) struct Forecast {
    /// Solution of the factor for the point's correlations.
    solved: Vec<f64>,
    scaled_mean: f64,
    rest: f64,
}

impl Process {
    /// Process with the scales under which the results are most likely; the search for these begins
    /// at the scales of an `earlier` process.
    pub(crate) fn fit(
        space: &SearchSpace,
        points: Vec<Vec<f64>>,
        results: &[f64],
        earlier: Option<&Self>,
    ) -> Self {
        let unordered = space.axes().iter();
        let unordered: Vec<bool> = unordered
            .map(|axis| matches!(axis, SearchAxis::Unordered(_)))
            .collect();
        let scaled = Scaled::new(results);
        let few = few(points.len());
        let some = Scaled {
            results: few.iter().map(|&index| scaled.results[index]).collect(),
            ..scaled
        };
        let at: Vec<Vec<f64>> = few.iter().map(|&index| points[index].clone()).collect();
        let kernel = match earlier {
            None => climb(
                first_kernel(&unordered, &at, &some),
                &[2.0, 1.0, 0.5],
                &at,
                &some,
            ),
            Some(earlier) => climb(earlier.kernel.clone(), &[1.0, 0.5], &at, &some),
        };
        Self::known(kernel, points, &scaled)
    }

    /// Process with the same scales and other results.
    pub(crate) fn refit(&self, points: Vec<Vec<f64>>, results: &[f64]) -> Self {
        Self::known(self.kernel.clone(), points, &Scaled::new(results))
    }

    fn known(kernel: Kernel, points: Vec<Vec<f64>>, scaled: &Scaled) -> Self {
        let (factor, solved) = factor(&kernel, &points, &scaled.results);
        let variance = dot(&solved, &solved) / solved.len().max(1) as f64;
        Self {
            kernel,
            points,
            factor,
            variance,
            solved,
            mean: scaled.mean,
            deviation: scaled.deviation,
        }
    }

    /// Forecast at a point.
    pub(crate) fn forecast(&self, at: &[f64]) -> Forecast {
        let correlation = self.kernel.correlations();
        let mut solved = Vec::with_capacity(self.points.len() + 8);
        for (index, point) in self.points.iter().enumerate() {
            solved.push(self.factor.next(index, &solved, correlation(point, at)));
        }
        Forecast {
            scaled_mean: dot(&solved, &self.solved),
            rest: 1.0 - dot(&solved, &solved),
            solved,
        }
    }

    /// Mean and standard deviation of a forecast.
    pub(crate) fn told(&self, forecast: &Forecast) -> (f64, f64) {
        let rest = forecast.rest.max(1e-12) * self.variance;
        (
            self.mean + self.deviation * forecast.scaled_mean,
            self.deviation * rest.sqrt(),
        )
    }

    /// Takes a forecast for a result.
    pub(crate) fn believe(&mut self, at: &[f64], forecast: &Forecast) {
        let correlation = self.kernel.correlations();
        let row: Vec<f64> = self.points.iter().map(|it| correlation(it, at)).collect();
        let noise = self.kernel.noise();
        self.factor.push(&row, 1.0 + noise, noise);
        self.points.push(at.to_vec());
        let last = self.factor.rows() - 1;
        let solved = self.factor.next(last, &self.solved, forecast.scaled_mean);
        self.solved.push(solved);
    }

    /// Takes account of the points that the process has come to know since a forecast.
    pub(crate) fn catch_up(&self, forecast: &mut Forecast, at: &[f64]) {
        let correlation = self.kernel.correlations();
        for index in forecast.solved.len()..self.factor.rows() {
            let right = correlation(&self.points[index], at);
            let next = self.factor.next(index, &forecast.solved, right);
            forecast.solved.push(next);
            forecast.scaled_mean += next * self.solved[index];
            forecast.rest -= next * next;
        }
    }
}

/// Results with mean 0 and variance 1.
struct Scaled {
    results: Vec<f64>,
    mean: f64,
    deviation: f64,
}

impl Scaled {
    fn new(results: &[f64]) -> Self {
        let count = results.len().max(1) as f64;
        let mean = results.iter().sum::<f64>() / count;
        let squares: f64 = results.iter().map(|it| (it - mean) * (it - mean)).sum();
        let deviation = (squares / count).sqrt();
        let deviation = if deviation > 0.0 { deviation } else { 1.0 };
        Self {
            results: results.iter().map(|it| (it - mean) / deviation).collect(),
            mean,
            deviation,
        }
    }
}

/// Factor of the correlations, and its solution for the results.
fn factor(kernel: &Kernel, points: &[Vec<f64>], results: &[f64]) -> (Triangle, Vec<f64>) {
    let correlation = kernel.correlations();
    let noise = kernel.noise();
    let (mut factor, mut solved) = (Triangle::default(), Vec::with_capacity(points.len()));
    for (index, point) in points.iter().enumerate() {
        let row: Vec<f64> = points[..index]
            .iter()
            .map(|other| correlation(other, point))
            .collect();
        factor.push(&row, 1.0 + noise, noise);
        solved.push(factor.next(index, &solved, results[index]));
    }
    (factor, solved)
}

/// Logarithm of how likely a kernel is, up to a constant.
fn evidence(kernel: &Kernel, points: &[Vec<f64>], scaled: &Scaled) -> f64 {
    let (factor, solved) = factor(kernel, points, &scaled.results);
    let count = points.len() as f64;
    let variance = (dot(&solved, &solved) / count).max(1e-12);
    kernel.prior() - 0.5 * count * libm::log(variance) - factor.half_log_determinant()
}

/// The best of some kernels with the same scale for all axes.
fn first_kernel(unordered: &[bool], points: &[Vec<f64>], scaled: &Scaled) -> Kernel {
    let kernels = [-2.0, -1.0, 0.0, 1.0].map(|scale| Kernel {
        scales: vec![scale; unordered.len()],
        unordered: unordered.to_vec(),
        noise: 1,
    });
    best(kernels, points, scaled).expect("there are some").1
}

fn best(
    kernels: impl IntoIterator<Item = Kernel>,
    points: &[Vec<f64>],
    scaled: &Scaled,
) -> Option<(f64, Kernel)> {
    let told = kernels
        .into_iter()
        .map(|kernel| (evidence(&kernel, points, scaled), kernel));
    told.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Indices of some points, spread over all of them.
fn few(count: usize) -> Vec<usize> {
    let few = count.min(SCALED_BY);
    (0..few).map(|number| number * count / few).collect()
}

/// Changes one scale at a time by each of the `steps`, and keeps changes that make the results more
/// likely.
fn climb(start: Kernel, steps: &[f64], points: &[Vec<f64>], scaled: &Scaled) -> Kernel {
    let mut reached = (evidence(&start, points, scaled), start);
    for &step in steps {
        for axis in 0..reached.1.scales.len() {
            let moved = [-step, step].map(|change| {
                let mut kernel = reached.1.clone();
                kernel.scales[axis] = (kernel.scales[axis] + change).clamp(SCALES.0, SCALES.1);
                kernel
            });
            let moved = moved.into_iter().filter(|it| *it != reached.1);
            let found = best(moved, points, scaled);
            reached = found.filter(|it| it.0 > reached.0).unwrap_or(reached);
        }
        let noises = [reached.1.noise.saturating_sub(1), reached.1.noise + 1];
        let noises = noises.into_iter().filter(|&noise| noise < NOISES.len());
        let noises = noises.map(|noise| Kernel {
            noise,
            ..reached.1.clone()
        });
        let noises: Vec<Kernel> = noises.collect();
        let found = best(noises, points, scaled);
        reached = found.filter(|it| it.0 > reached.0).unwrap_or(reached);
    }
    reached.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine() -> (SearchSpace, Vec<Vec<f64>>, Vec<f64>) {
        let points: Vec<Vec<f64>> = (0..12).map(|it| vec![f64::from(it) / 11.0]).collect();
        let results = points.iter().map(|it| libm::sin(6.0 * it[0])).collect();
        (
            SearchSpace::new(vec![SearchAxis::Continuous]),
            points,
            results,
        )
    }

    #[test]
    fn smooth_functions_are_forecast_between_points() {
        let (space, points, results) = sine();
        let process = Process::fit(&space, points, &results, None);
        for at in [0.05, 0.5, 0.77] {
            let (mean, deviation) = process.told(&process.forecast(&[at]));
            let error = (mean - libm::sin(6.0 * at)).abs();
            assert!(error < 0.01, "{at}: {mean}");
            assert!(error < 4.0 * deviation, "{at}: {error} {deviation}");
        }
        let (_, near) = process.told(&process.forecast(&[0.5]));
        let (_, far) = process.told(&process.forecast(&[1.6]));
        assert!(far > 10.0 * near, "{far} {near}");
    }

    #[test]
    fn forecasts_catch_up_with_what_is_believed() {
        let (space, points, results) = sine();
        let mut process = Process::fit(&space, points, &results, None);
        let (at, other) = ([0.52], [0.55]);
        let mut early = process.forecast(&at);
        let before = process.told(&early);
        let believed = process.forecast(&other);
        process.believe(&other, &believed);
        process.catch_up(&mut early, &at);
        let late = process.told(&process.forecast(&at));
        let caught_up = process.told(&early);
        assert!((late.0 - caught_up.0).abs() < 1e-9 && (late.1 - caught_up.1).abs() < 1e-9);
        assert!(
            late.1 < before.1,
            "what is believed makes its neighbors sure"
        );
        assert!((late.0 - before.0).abs() < 1e-6, "but says nothing new");
    }

    #[test]
    fn axes_that_do_nothing_get_long_scales() {
        let space = SearchSpace::new(vec![SearchAxis::evenly(5), SearchAxis::Unordered(5)]);
        let points = (0..25).map(|index| space.features(&space.point(index)));
        let points: Vec<Vec<f64>> = points.collect();
        let results: Vec<f64> = points.iter().map(|it| it[0] * it[0]).collect();
        let process = Process::fit(&space, points, &results, None);
        let scales = &process.kernel.scales;
        assert!(scales[1] > scales[0] + 0.9, "{scales:?}");
    }
}
