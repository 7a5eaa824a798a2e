//! Faults in the model's own code.

use prophet_runtime::{ActionPlus, Fault};

use crate::failure;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 10);

#[test]
fn a_fault_in_a_cost_function_names_its_element() {
    let text = failure(1, async |ctx| {
        WORK.execute(ctx, 1.0).await?;
        WORK.execute(ctx, Err(Fault::DivisionByZero)).await
    });
    assert_eq!(
        text,
        "integer division by zero\n  \
         at 1 s of simulated time, process 0, action+ `Work` (id 10)"
    );
}

#[test]
fn a_fault_in_a_code_fragment_names_the_element_it_belongs_to() {
    let text = failure(1, async |ctx| {
        ctx.at(&WORK);
        Err(Fault::IndexOutOfRange)?;
        Ok(())
    });
    assert_eq!(
        text,
        "index out of range\n  at 0 s of simulated time, process 0, action+ `Work` (id 10)"
    );
}
