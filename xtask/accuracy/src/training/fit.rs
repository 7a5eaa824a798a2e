//! The fit of three prices: what is known of them beforehand counts as much as measurements do.

use super::{Layout, Sample};
use crate::least_squares::least_squares;

/// A price that is fitted.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// The operation.
    pub operation: &'static str,
    /// Seconds at the peak of the data sheet.
    pub peak_s: f64,
    /// The share of the peak that programs are known to reach.
    pub share: f64,
}

/// The prices that are fitted.
pub const PRICES: [Price; 3] = [
    // Large products of cuBLAS reach 250 to 280 of 312 TFLOP/s.
    Price {
        operation: "GFLOP",
        peak_s: 1e9 / 312e12,
        share: 0.85,
    },
    // Kernels that stream reach 1.6 of 2.04 TB/s.
    Price {
        operation: "HBM_GB",
        peak_s: 1e9 / 2.039e12,
        share: 0.8,
    },
    // NCCL's all-reduce of many megabytes on eight GPUs reaches 230 of 300 GB/s.
    Price {
        operation: "NVLINK_GB",
        peak_s: 1e9 / 300e9,
        share: 0.77,
    },
];

/// Knowledge before a fit.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// The prices that are fitted.
    pub prices: [Price; 3],
    /// Relative standard deviation of their shares.
    pub share: f64,
    /// Relative standard deviation of a measured time, and of what the model leaves out.
    pub measured: f64,
}

/// Knowledge of the rows of the sample `megatron`.
pub(super) const MEGATRON: Known = Known {
    prices: PRICES,
    share: 0.1,
    measured: 0.02,
};

/// The seconds of the three prices, in the order of [`PRICES`].
pub type Prices = [f64; 3];

/// Data sheets of the nodes of vTrain (J. Bang et al., 2024), eight A100 with four InfiniBand
/// interfaces, with the shares of the machine `a100`.
pub(super) const VTRAIN: Known = Known {
    prices: [
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
        },
    ],
    share: 0.1,
    measured: 0.05,
};

/// Data sheets of H100, and what benchmarks of kernels reach of them: 720 of 989 TFLOP/s of large
/// products (`SemiAnalysis`, "MI300X vs H100 vs H200", 2024); half of the 335 TFLOP/s of
/// `FlashAttention`-2, which is about twice as fast as its predecessor (T. Dao, 2023), the default
/// of llm-foundry's benchmarks. InfiniBand has the share of A100.
pub(super) const FSDP: Known = Known {
    prices: [
        Price {
            operation: "GFLOP",
            peak_s: 1e9 / 989e12,
            share: 0.728,
        },
        Price {
            operation: "ATTENTION_GFLOP",
            peak_s: 1e9 / 989e12,
            share: 0.169,
        },
        Price {
            operation: "IB_GB",
            peak_s: 1e9 / 50e9,
            share: 0.85,
        },
    ],
    share: 0.3,
    measured: 0.05,
};

impl Known {
    /// Prices that are known beforehand.
    pub fn prices_s(&self) -> Prices {
        self.prices.map(|price| price.peak_s / price.share)
    }
}

/// Fits the prices to rows, from what is known of them on.
pub fn fit(model: &Sample, rows: &[Layout]) -> Prices {
    let step = |prices, _| Local::new(model, rows, prices).step(rows, None);
    (0..6).fold(model.known.prices_s(), step)
}

/// The predictions near some prices: nearly linear in them, as almost all time is a sum.
#[derive(Debug, Clone)]
pub struct Local {
    known: Known,
    prices: Prices,
    /// Seconds of each row with these prices.
    pub predicted_s: Vec<f64>,
    /// Change of the prediction of each row as a price grows, relative to it.
    slopes: Vec<[f64; 3]>,
}

impl Local {
    /// Simulates each row with these prices, and with each of them a little higher.
    pub fn new(model: &Sample, rows: &[Layout], prices: Prices) -> Self {
        const STEP: f64 = 1e-3;
        let predict = |row| model.predict(row, prices);
        let predicted_s: Vec<_> = rows.iter().map(predict).collect();
        let slope = |row, at_s: f64, index: usize| {
            let mut near = prices;
            near[index] *= 1.0 + STEP;
            (model.predict(row, near) - at_s) / STEP
        };
        let pairs = rows.iter().zip(&predicted_s);
        let slopes = pairs.map(|(row, &at_s)| [0, 1, 2].map(|index| slope(row, at_s, index)));
        Self {
            known: model.known,
            prices,
            slopes: slopes.collect(),
            predicted_s,
        }
    }

    /// Prices with the least sum of squared relative errors, and deviations from what is known,
    /// each in standard deviations: a step of Gauss and Newton, without one row. Errors
    /// beyond 1.345 deviations weigh less (P. Huber, 1964), so that no odd row decides.
    pub fn step(&self, rows: &[Layout], without: Option<usize>) -> Prices {
        let measured = rows.iter().enumerate();
        let measured = measured.filter(|(index, _)| without != Some(*index));
        let measured = measured.map(|(index, row)| {
            let slope = self.slopes[index].map(|slope| slope / row.measured_s);
            let error = 1.0 - self.predicted_s[index] / row.measured_s;
            (slope, error, self.deviation(error))
        });
        let known = self
            .known
            .prices_s()
            .into_iter()
            .enumerate()
            .map(|(index, known_s)| {
                let mut slope = [0.0; 3];
                slope[index] = self.prices[index] / known_s;
                (slope, 1.0 - slope[index], self.known.share)
            });
        let standardized = measured
            .chain(known)
            .map(|(slope, error, deviation)| (slope.map(|it| it / deviation), error / deviation));
        let change = least_squares(standardized);
        [0, 1, 2].map(|index| self.prices[index] * (1.0 + change[index]))
    }

    /// Standard deviation of a measured time with this error.
    fn deviation(&self, error: f64) -> f64 {
        const MOST: f64 = 1.345;
        let measured = self.known.measured;
        measured * (error.abs() / (MOST * measured)).max(1.0).sqrt()
    }
}
