//! Tests programs beyond what scenarios test: waits that the model must announce, faults in a
//! color, and many drops.

use prophet_runtime::{
    Barrier, Engine, Int, Message, Model, NBRecv, Simulation, System, Wait, div,
};

use crate::meaning::{MODEL, ends, give_up, run, waste};

const ANY_OF: Model = Model::new("AnyOf", &[], 16).waits_for_any();
const A: NBRecv = NBRecv::new(1, "A", 2).request(0, "a");
const FIRST: Wait = Wait::new(4, "First", 5).requests(&[(0, "a"), (1, "b")]);
const ROW: Barrier = Barrier::new(0, "Row", 1);

#[test]
fn automatic_choice_runs_it_by_events() {
    let simulation = Simulation::new(&ANY_OF, System::new(1, 1, 1, 1));
    let simulation = simulation.with_engine(Engine::Auto);
    let outcome = simulation.run(async |ctx| {
        assert_eq!(FIRST.any(ctx).await?, Int(-1));
        Ok(())
    });
    assert_eq!(outcome.expect("it ends").evaluation.engine, "event");
}

#[test]
fn a_model_that_does_not_say_so_cannot() {
    const SILENT: Model = Model::new("Silent", &[], 16);
    let run = Simulation::new(&SILENT, System::default()).run(async |ctx| {
        A.execute(ctx, 0, Message::any_size(), 0.0).await?;
        FIRST.any(ctx).await.map(|_| ())
    });
    assert_eq!(
        run.expect_err("it does not say so").to_string(),
        "a model that waits for any of several requests must call `Model::waits_for_any`"
    );
}

#[test]
fn a_fault_in_the_expression_is_that_of_the_element() {
    let simulation = Simulation::new(&MODEL, System::new(2, 1, 2, 1));
    let zero = Int(0);
    let run =
        simulation.run(async |ctx| ROW.execute(ctx, 1.0).comm(|ctx| div(ctx.pid(), zero)).await);
    assert_eq!(
        run.expect_err("it divides by zero").to_string(),
        "integer division by zero\n  \
         at 0 s of simulated time, process 0, barrier `Row` (id 1)"
    );
}

#[test]
fn a_dropped_hold_takes_no_time() {
    let outcome = run(2, async |ctx| {
        for _ in 0..1000 {
            give_up(ctx.hold(50.0)).await;
        }
        ctx.hold(1.0).await?;
        give_up(ctx.hold(0.0)).await;
        waste(ctx.hold(0.0)).await;
        waste(ctx.hold(1.0)).await;
        Ok(())
    });
    assert_eq!(ends(&outcome), [2.0, 2.0]);
    assert!(outcome.evaluation.events < 20, "{:?}", outcome.evaluation);
}
