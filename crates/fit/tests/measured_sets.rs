//! Predictions of measured scales from smaller ones, against those of Extra-P and naive ones.

#![allow(clippy::cast_precision_loss, reason = "counts are small")]
#![allow(clippy::float_cmp, reason = "scales are whole numbers")]

mod sets;

use std::path::Path;

use sets::SPLITS;

#[test]
fn larger_scales_are_predicted_as_promised() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/measurements");
    let (mut held, mut count, mut product) = (0, 0, 1.0);
    for split in &SPLITS {
        let Some(outcome) = split.outcome(&folder) else {
            // As all tests of the folder beside the checkout do.
            eprintln!("skipped: no {}", folder.display());
            return;
        };
        let error = outcome.mean_percent();
        assert!(error <= split.extra_p, "{}: {error} %", split.name);
        assert!(error < split.naive, "{}: {error} %", split.name);
        assert_eq!(outcome.negative, 0, "{}", split.name);
        held += outcome.held;
        count += outcome.errors.len();
        product *= error;
    }
    assert!(product.powf(0.2) <= 18.0);
    let share = f64::from(u32::try_from(held).expect("few")) / count as f64;
    assert!((0.8..=0.97).contains(&share), "{held} of {count} held");
}
