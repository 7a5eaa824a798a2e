//! Tests that predictions of measured scales from smaller ones are as good as promised.

use std::path::Path;

use prophet_accuracy::Places;
use prophet_accuracy::sets::SPLITS;

#[test]
fn larger_scales_are_predicted_as_promised() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = Places { root };
    let (mut held, mut count, mut product) = (0, 0, 1.0);
    for split in &SPLITS {
        let outcome = match split.outcome(&places) {
            Ok(outcome) => outcome,
            Err(reason) => {
                // All tests that use the folder next to the checkout do this.
                eprintln!("skipped: {reason}");
                return;
            }
        };
        let error = outcome.errors.mean_percent();
        assert!(error <= split.extra_p, "{}: {error} %", split.name);
        assert!(error < outcome.naive().mean, "{}: {error} %", split.name);
        assert_eq!(outcome.negative, 0, "{}", split.name);
        held += outcome.held;
        count += outcome.errors.count();
        product *= error;
    }
    assert!(f64::powf(product, 0.2) <= 18.0);
    let permille = 1000 * held / count;
    assert!((800..=970).contains(&permille), "{held} of {count} held");
}
