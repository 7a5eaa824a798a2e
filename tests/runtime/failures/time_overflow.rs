//! Simulated time beyond all numbers.

use prophet_runtime::ActionPlus;

use crate::failures::failure;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 10);

#[test]
fn time_stays_finite() {
    let text = failure(1, async |ctx| {
        WORK.execute(ctx, 1.5e308).await?;
        WORK.execute(ctx, 1.5e308).await
    });
    assert!(
        text.starts_with("the simulated time is no longer a finite number\n"),
        "{text}"
    );
    assert!(
        text.ends_with("process 0, action+ `Work` (id 10)"),
        "{text}"
    );
}
