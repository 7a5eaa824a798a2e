//! Tests that both engines give the same results for every program that the local engine accepts.
//!
//! `cargo test -p prophet-runtime --release --test all engines -- --ignored` tries many more
//! programs than the default tests.

mod bounds;
mod choice;
mod collectives;
mod known;
mod random;
mod repeated;
mod threads;
mod traces;

use prophet_runtime::{Engine, Failure, Model, Outcome, Simulation, System};

use prophet_runtime::ProcessProgram;

const MODEL: Model = Model::new("Engines", &[], collectives::ELEMENTS);

fn run_by(
    engine: Engine,
    system: &System,
    program: impl ProcessProgram,
) -> Result<Outcome, Failure> {
    run_of(&MODEL, engine, system, program)
}

fn run_of(
    model: &Model,
    engine: Engine,
    system: &System,
    program: impl ProcessProgram,
) -> Result<Outcome, Failure> {
    Simulation::new(model, system.clone())
        .with_engine(engine)
        .run(program)
}

/// Returns everything in an outcome that must not depend on the engine and its threads, to the last
/// bit.
fn essence(mut outcome: Outcome) -> String {
    outcome.evaluation.engine = "any".into();
    outcome.evaluation.why_not_local = None;
    outcome.evaluation.events = 0;
    (
        outcome.evaluation.threads,
        outcome.evaluation.why_one_thread,
    ) = (1, None);
    format!("{outcome:#?}")
}

/// Runs a program in both engines, checks that they agree, and returns the result.
fn run_by_both(system: &System, program: &impl ProcessProgram) -> Outcome {
    run_both(&MODEL, system, program)
}

/// Like [`run_by_both`], with any model.
pub(crate) fn run_both(model: &Model, system: &System, program: &impl ProcessProgram) -> Outcome {
    let run = |engine| run_of(model, engine, system, program).expect("the program ends");
    let (event, local) = (run(Engine::Event), run(Engine::Local));
    assert_eq!(
        (&*event.evaluation.engine, &*local.evaluation.engine),
        ("event", "local")
    );
    assert_eq!(essence(event), essence(local.clone()));
    local
}

async fn poll_once<F: Future + Unpin>(mut future: F) {
    std::future::poll_fn(|cx| {
        let _ = std::pin::Pin::new(&mut future).poll(cx);
        std::task::Poll::Ready(())
    })
    .await;
}
