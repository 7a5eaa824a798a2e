//! Runs forever; `tests/interrupt.rs` stops it.

use prophet_runtime::{ActionPlus, BRecv, BSend, Message, Model, ProcessCtx, Stopped};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(1, "Send", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const MODEL: Model = Model::new("Endless", &[], 3);

async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let (pid, processes) = (ctx.pid().0, ctx.num_processes().0);
    loop {
        WORK.execute(ctx, 1e-3).await?;
        let message = Message::bytes(8);
        SEND.execute(ctx, (pid + 1) % processes, message, 1e-6)
            .await?;
        RECV.execute(ctx, (pid + processes - 1) % processes, message, 1e-6)
            .await?;
    }
}

fn main() -> std::process::ExitCode {
    prophet_runtime::main(&MODEL, program)
}
