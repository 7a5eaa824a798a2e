//! Fits prices in such a way that prior knowledge about them counts as much as the measurements.

use super::{Layout, Sample};
use crate::least_squares::coefficients;

/// A price to fit, and what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// The operation whose price it is.
    pub operation: &'static str,
    /// Time of the operation at the peak rate in the data sheet, in seconds.
    pub peak_s: f64,
    /// Share of the peak rate that programs are known to reach.
    pub share: f64,
    /// Relative standard deviation of that share.
    pub spread: f64,
}

/// The prices that are fitted.
pub const PRICES: [Price; 3] = [
    // Large cuBLAS products reach 250 to 280 of 312 TFLOP/s.
    Price {
        operation: "GFLOP",
        peak_s: 1e9 / 312e12,
        share: 0.85,
        spread: 0.1,
    },
    // Streaming kernels reach 1.6 of 2.04 TB/s.
    Price {
        operation: "HBM_GB",
        peak_s: 1e9 / 2.039e12,
        share: 0.8,
        spread: 0.1,
    },
    // NCCL's all-reduce of many megabytes on eight GPUs reaches 230 of 300 GB/s.
    Price {
        operation: "NVLINK_GB",
        peak_s: 1e9 / 300e9,
        share: 0.77,
        spread: 0.1,
    },
];

/// What is known before a fit.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The prices to fit, with prior knowledge about them.
    pub prices: &'static [Price],
    /// Relative standard deviation of a measured time, including effects that the model leaves out.
    pub measured: f64,
}

/// Prior knowledge for the rows of the sample `megatron`.
pub(super) const MEGATRON: Known = Known {
    prices: &PRICES,
    measured: 0.02,
};

/// Fitted prices in seconds, in the order of [`Known::prices`].
pub type Prices = Vec<f64>;

/// Data sheets of vTrain's nodes (J. Bang et al., 2024): eight A100 and four InfiniBand interfaces,
/// with the shares of the machine `a100`.
pub(super) const VTRAIN: Known = Known {
    prices: &[
        Price {
            share: 0.877,
            ..PRICES[0]
        },
        Price {
            share: 0.754,
            ..PRICES[2]
        },
        Price {
            operation: "IB_GB",
            peak_s: 2.0 * 1e9 / 25e9,
            share: 0.85,
            spread: 0.1,
        },
    ],
    measured: 0.05,
};

/// Data sheets of H100, and how much of them kernel benchmarks reach: 720 of 989 TFLOP/s for large
/// products (`SemiAnalysis`, "MI300X vs H100 vs H200", 2024), and half of the 335 TFLOP/s of
/// `FlashAttention`-2, because llm-foundry's benchmarks use its predecessor by default, which is
/// about half as fast (T. Dao, 2023). InfiniBand reaches the same share as with A100.
pub(super) const FSDP: Known = Known {
    prices: &[
        Price {
            operation: "GFLOP",
            peak_s: 1e9 / 989e12,
            share: 0.728,
            spread: 0.3,
        },
        Price {
            operation: "ATTENTION_GFLOP",
            peak_s: 1e9 / 989e12,
            share: 0.169,
            spread: 0.3,
        },
        Price {
            operation: "IB_GB",
            peak_s: 1e9 / 50e9,
            share: 0.85,
            spread: 0.3,
        },
    ],
    measured: 0.05,
};

/// Launching a kernel from `PyTorch`; only the order of magnitude is known.
const DISPATCH: Price = Price {
    operation: "DISPATCH",
    peak_s: 30e-6,
    share: 1.0,
    spread: 1.0,
};

/// A single node of A100, with the shares of the machine `a100`.
pub(super) const ONE_NODE: Known = Known {
    prices: &[
        VTRAIN.prices[0],
        Price {
            share: 0.781,
            ..PRICES[1]
        },
        VTRAIN.prices[1],
        DISPATCH,
    ],
    measured: 0.05,
};

/// Data sheet of A100 with 40 GB; attention reaches the published share of the machine `a100`.
pub(super) const A100_40_GB: Known = Known {
    prices: &[
        Price {
            spread: 0.3,
            ..PRICES[0]
        },
        Price {
            operation: "ATTENTION_GFLOP",
            peak_s: 1e9 / 312e12,
            share: 0.325,
            spread: 0.3,
        },
        Price {
            operation: "IB_GB",
            peak_s: 1e9 / 25e9,
            share: 0.85,
            spread: 0.3,
        },
        Price {
            peak_s: 1e9 / 1.555e12,
            ..PRICES[1]
        },
        DISPATCH,
    ],
    measured: 0.05,
};

/// Data sheet of V100, four per node. Large products reach 83 of 125 TFLOP/s (S. Markidis et al.,
/// "NVIDIA Tensor Core Programmability, Performance & Precision", 2018).
pub(super) const V100: Known = Known {
    prices: &[
        Price {
            peak_s: 1e9 / 125e12,
            share: 0.664,
            ..PRICES[0]
        },
        Price {
            peak_s: 1e9 / 900e9,
            ..PRICES[1]
        },
        Price {
            peak_s: 1e9 / 150e9,
            ..PRICES[2]
        },
    ],
    measured: 0.05,
};

impl Known {
    /// Returns the prices in seconds that prior knowledge suggests before a fit.
    pub fn prices_s(&self) -> Prices {
        let prices = self.prices.iter();
        prices.map(|price| price.peak_s / price.share).collect()
    }
}

/// Fits the prices to the measured times of these rows, starting from prior knowledge.
pub fn fit(model: &Sample, rows: &[Layout], measured_s: &[f64]) -> Prices {
    let step = |prices, _| Local::new(model, rows, prices).step(measured_s, None);
    (0..6).fold(model.known.prices_s(), step)
}

/// An approximation of predictions near given prices. It is linear, because almost all of the time
/// is a sum.
#[derive(Debug, Clone)]
pub struct Local {
    known: Known,
    prices: Prices,
    /// Predicted time of each row with the given prices, in seconds.
    pub predicted_s: Vec<f64>,
    /// Relative change of each row's prediction as a price grows.
    slopes: Vec<Vec<f64>>,
}

impl Local {
    /// Simulates each row with the given prices, and with each price raised a little.
    pub fn new(model: &Sample, rows: &[Layout], prices: Prices) -> Self {
        const STEP: f64 = 1e-3;
        let predict = |row| model.predict(row, &prices);
        let predicted_s: Vec<_> = rows.iter().map(predict).collect();
        let slope = |row, at_s: f64, index: usize| {
            let mut near = prices.clone();
            near[index] *= 1.0 + STEP;
            (model.predict(row, &near) - at_s) / STEP
        };
        let pairs = rows.iter().zip(&predicted_s);
        let slopes = pairs.map(|(row, &at_s)| {
            let indices = 0..prices.len();
            indices.map(|index| slope(row, at_s, index)).collect()
        });
        let slopes = slopes.collect();
        Self {
            known: model.known,
            prices,
            slopes,
            predicted_s,
        }
    }

    /// Finds the prices that minimize the sum of squared relative errors and squared deviations
    /// from prior knowledge, both in standard deviations. This is one Gauss-Newton step; `without`
    /// is the index of a row to leave out. Errors beyond 1.345 standard deviations have a smaller
    /// weight (P. Huber, 1964), so that outliers don't dominate.
    pub fn step(&self, measured_s: &[f64], without: Option<usize>) -> Prices {
        let measured = measured_s.iter().enumerate();
        let measured = measured.filter(|(index, _)| without != Some(*index));
        let measured = measured.map(|(index, measured_s)| {
            let slopes = self.slopes[index].iter();
            let slope: Vec<f64> = slopes.map(|slope| slope / measured_s).collect();
            let error = 1.0 - self.predicted_s[index] / measured_s;
            (slope, error, self.deviation(error))
        });
        let beforehand = self.known.prices.iter().zip(self.known.prices_s());
        let known = beforehand.enumerate().map(|(index, (price, known_s))| {
            let mut slope = vec![0.0; self.prices.len()];
            slope[index] = self.prices[index] / known_s;
            let error = 1.0 - slope[index];
            (slope, error, price.spread)
        });
        let standardized = measured.chain(known).map(|(slope, error, deviation)| {
            let slope = slope.iter().map(|it| it / deviation).collect();
            (slope, error / deviation)
        });
        let change = coefficients(self.prices.len(), standardized);
        let prices = self.prices.iter().zip(change);
        prices
            .map(|(price_s, change)| price_s * (1.0 + change))
            .collect()
    }

    /// Returns the standard deviation of a measured time with this error.
    fn deviation(&self, error: f64) -> f64 {
        const MOST: f64 = 1.345;
        let measured = self.known.measured;
        measured * (error.abs() / (MOST * measured)).max(1.0).sqrt()
    }
}
