//! Generates random laws in the performance model normal form, with noisy measurements. The setup
//! is the one in which Extra-P is evaluated: 5 values per parameter, 5 repetitions, and predictions
//! at 4 to 8 times the largest value.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts and indices are small"
)]

/// Exponents of p and of log2(p) that Extra-P uses by default.
const EXPONENTS: [(f64, i32); 42] = [
    (0.0, 1),
    (0.0, 2),
    (0.25, 0),
    (0.25, 1),
    (0.25, 2),
    (1.0 / 3.0, 0),
    (1.0 / 3.0, 1),
    (1.0 / 3.0, 2),
    (0.5, 0),
    (0.5, 1),
    (0.5, 2),
    (2.0 / 3.0, 0),
    (2.0 / 3.0, 1),
    (2.0 / 3.0, 2),
    (0.75, 0),
    (0.75, 1),
    (0.75, 2),
    (0.8, 0),
    (1.0, 0),
    (1.0, 1),
    (1.0, 2),
    (1.25, 0),
    (1.25, 1),
    (4.0 / 3.0, 0),
    (4.0 / 3.0, 1),
    (1.5, 0),
    (1.5, 1),
    (1.5, 2),
    (5.0 / 3.0, 0),
    (1.75, 0),
    (2.0, 0),
    (2.0, 1),
    (2.0, 2),
    (2.25, 0),
    (7.0 / 3.0, 0),
    (2.5, 0),
    (2.5, 1),
    (2.5, 2),
    (8.0 / 3.0, 0),
    (2.75, 0),
    (3.0, 0),
    (3.0, 1),
];

/// A point, and the values measured at it.
pub type Measured = (Vec<f64>, Vec<f64>);

const AXES: [[f64; 5]; 3] = [
    [4.0, 8.0, 16.0, 32.0, 64.0],
    [10.0, 20.0, 30.0, 40.0, 50.0],
    [32.0, 64.0, 128.0, 256.0, 512.0],
];

const REPETITIONS: u32 = 5;

/// A splitmix64 random number generator.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns a number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        f64::from((bits >> 32) as u32) / f64::from(u32::MAX)
    }

    /// Returns an index below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        let index = (self.unit() * count as f64) as usize;
        index.min(count - 1)
    }

    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A law with one or two parameters, its noise, and the points to measure it at.
#[derive(Debug)]
pub struct Law {
    constant: f64,
    coefficients: [f64; 2],
    exponents: [(f64, i32); 2],
    product: bool,
    noise: f64,
    /// The values of each parameter to measure at.
    pub axes: Vec<[f64; 5]>,
    /// The point to predict.
    pub beyond: Vec<f64>,
}

impl Law {
    /// Creates a random law. Measurements deviate by up to the fraction `noise`.
    pub fn new(random: &mut Random, parameters: usize, noise: f64) -> Self {
        let mut coefficient = || 0.001 + 1000.0 * random.unit();
        let (constant, coefficients) = (coefficient(), [coefficient(), coefficient()]);
        let exponents = [random.choose(&EXPONENTS), random.choose(&EXPONENTS)];
        let product = random.unit() < 0.5;
        let axes: Vec<[f64; 5]> = (0..parameters).map(|_| random.choose(&AXES)).collect();
        let scale = 4.0 + 4.0 * random.unit();
        let beyond = axes.iter().map(|axis| (axis[4] * scale).round()).collect();
        Self {
            constant,
            coefficients,
            exponents,
            product,
            noise,
            axes,
            beyond,
        }
    }

    /// Evaluates the law at a point, without noise.
    pub fn at(&self, at: &[f64]) -> f64 {
        let factors = at.iter().zip(self.exponents);
        let factors = factors.map(|(p, (exponent, logs))| p.powf(exponent) * p.log2().powi(logs));
        let variable: f64 = if self.product {
            self.coefficients[0] * factors.product::<f64>()
        } else {
            factors
                .zip(self.coefficients)
                .map(|(factor, c)| c * factor)
                .sum()
        };
        self.constant + variable
    }

    pub fn parameters(&self) -> Vec<String> {
        let names = ["p", "n"].iter().take(self.axes.len());
        names.map(ToString::to_string).collect()
    }

    /// Measures the law at a point, with noise.
    pub fn measure(&self, at: &[f64], random: &mut Random) -> Measured {
        let mut noisy = || self.at(at) * (1.0 + self.noise * (2.0 * random.unit() - 1.0));
        let values = (0..REPETITIONS).map(|_| noisy()).collect();
        (at.to_vec(), values)
    }

    /// Measures the law at all combinations of the axes' values, with noise.
    pub fn measured(&self, random: &mut Random) -> Vec<Measured> {
        let mut places = vec![Vec::new()];
        for axis in &self.axes {
            let longer = |place: &Vec<f64>| axis.map(|value| [place.as_slice(), &[value]].concat());
            places = places.iter().flat_map(longer).collect();
        }
        let measured = places.iter().map(|place| self.measure(place, random));
        measured.collect()
    }
}
