//! Tests faults in the model's own code.

use std::error::Error as _;
use std::num::ParseIntError;

use prophet_runtime::{
    ActionPlus, Array, Fault, FaultKind, Int, Model, Node, Simulation, System, div, in_function,
};

use crate::failures::failure;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 10);
const DECISION: Node = Node::new(4, "", 4711);

#[test]
fn a_fault_in_a_cost_function_names_its_element() {
    let text = failure(1, async |ctx| {
        WORK.execute(ctx, 1.0).await?;
        WORK.execute(ctx, Err(FaultKind::DivisionByZero.into()))
            .await
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
        let weights = Array::<f64, 10>::named("WEIGHTS");
        ctx.at(&WORK);
        weights.set(-1, 0.5)?;
        Ok(())
    });
    assert_eq!(
        text,
        "index -1 is out of range: the array `WEIGHTS` has 10 values, counted from 0\n  \
         at 0 s of simulated time, process 0, action+ `Work` (id 10)"
    );
}

#[test]
fn a_fault_in_a_cost_function_names_the_function_that_met_it() {
    fn share(processes: Int) -> Result<f64, Fault> {
        in_function("Share", || Ok(div(32, processes)?.real()))
    }
    fn cost(processes: Int) -> Result<f64, Fault> {
        in_function("Cost", || Ok(2.0 * share(processes)?))
    }
    let text = failure(1, async |ctx| WORK.execute(ctx, cost(Int(0))).await);
    assert_eq!(
        text,
        "integer division by zero\n  \
         at 0 s of simulated time, process 0, action+ `Work` (id 10)\n  \
         in the function `Share`"
    );
}

#[test]
fn an_error_of_an_element_of_the_user_is_told_with_the_element_and_comes_back() {
    let model = Model::new("Own", &[], 1);
    let run = Simulation::new(&model, System::default()).run(async |ctx| {
        ctx.hold(1.0).await?;
        ctx.at(&WORK);
        "seven".parse::<u32>()?;
        Ok(())
    });
    let failure = run.expect_err("that is no number");
    assert_eq!(
        failure.to_string(),
        "invalid digit found in string\n  \
         at 1 s of simulated time, process 0, action+ `Work` (id 10)"
    );
    let source = failure.source().expect("it has a source");
    assert!(source.is::<ParseIntError>());
}

#[test]
fn a_process_that_overlooks_its_failure_is_stopped_all_the_same() {
    let text = failure(1, async |ctx| {
        let _ = WORK.execute(ctx, -1.0).await;
        Ok(())
    });
    assert!(text.starts_with("negative cost"), "{text}");
}

#[test]
fn a_decision_without_a_name_is_named_by_its_id() {
    let text = failure(1, async |ctx| {
        WORK.execute(ctx, 0.125).await?;
        Err(DECISION.stuck(ctx))
    });
    assert_eq!(
        text,
        "no guard holds, and there is no else branch: draw one, or a guard that holds here\n  \
         at 125 ms of simulated time, process 0, node `` (id 4711)"
    );
}
