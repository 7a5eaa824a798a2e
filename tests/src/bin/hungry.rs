//! Requests more memory than the machine has; `tests/interrupt.rs` checks how the program ends.

use prophet_runtime::{ActionPlus, Model, ProcessCtx, Stopped};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const MODEL: Model = Model::new("Hungry", &[], 1);

async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    // This is more than a process can address.
    let values = vec![0.0_f64; 1 << 56];
    WORK.execute(ctx, values[usize::from(ctx.pid().0 == 1)])
        .await
}

fn main() -> std::process::ExitCode {
    prophet_runtime::main(&MODEL, program)
}
