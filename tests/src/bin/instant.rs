//! Runs without advancing time; `tests/interrupt.rs` stops it before the runtime detects that.

use prophet_runtime::{ActionPlus, Model, ProcessCtx, Stopped};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const MODEL: Model = Model::new("Instant", &[], 1);

async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    loop {
        WORK.execute(ctx, 0.0).await?;
    }
}

fn main() -> std::process::ExitCode {
    prophet_runtime::main(&MODEL, program)
}
