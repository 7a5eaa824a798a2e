//! Random choices.

use prophet_sim::variates::Generator;

/// A number from 0 to below 1.
pub(crate) fn unit(generator: &mut Generator) -> f64 {
    generator.uniform(0.0, 1.0).expect("1 is above 0")
}

/// An index below `count`, which is not 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it lies between 0 and the count"
)]
pub(crate) fn below(generator: &mut Generator, count: usize) -> usize {
    ((unit(generator) * count as f64) as usize).min(count - 1)
}

/// Puts a list into a random order (Fisher and Yates).
pub(crate) fn shuffle<T>(list: &mut [T], generator: &mut Generator) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(generator, last + 1));
    }
}

/// Latin hypercube sample: places in the unit cube, of which each lies in its own slice of every
/// dimension (`McKay`, Beckman and Conover, Technometrics 21, 1979).
pub(crate) fn latin(count: usize, dimensions: usize, generator: &mut Generator) -> Vec<Vec<f64>> {
    let mut places = vec![vec![0.0; dimensions]; count];
    for dimension in 0..dimensions {
        let mut slices: Vec<usize> = (0..count).collect();
        shuffle(&mut slices, generator);
        for (place, slice) in places.iter_mut().zip(slices) {
            place[dimension] = (slice as f64 + unit(generator)) / count as f64;
        }
    }
    places
}
