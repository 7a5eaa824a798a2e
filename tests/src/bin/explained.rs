//! Executes a bit of everything; `tests/reports.rs` checks the report.

use prophet_runtime::{
    ActionPlus, ActivityPlus, AllReduce, ByMachine, Element, Message, Model, ModelElement,
    Parallel, Parameter, ProcessCtx, SendRecv, Stopped, Threads, Value,
};

const STEP: ActivityPlus = ActivityPlus::new(0, "Step", 10);
const WORK: ActionPlus = ActionPlus::new(1, "Work", 11);
const SHIFT: SendRecv = SendRecv::new(2, "Shift", 12);
const SUM: AllReduce = AllReduce::new(3, "Sum", 13);
const TEAM: Parallel = Parallel::new(4, "Team", 14);
const PART: ActionPlus = ActionPlus::new(5, "Part", 15);
const MODEL: Model = Model::new("Explained", &[Parameter::new("HOLD", Value::Real(0.0))], 7);

/// A user-defined element that holds a resource.
struct Save(Element);

impl ModelElement for Save {
    fn element(&self) -> &Element {
        &self.0
    }

    fn kind(&self) -> &'static str {
        "save"
    }
}

const SAVE: Save = Save(Element {
    index: 6,
    name: "Save",
    id: 16,
});

async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    for _ in 0..20 {
        STEP.execute(ctx, step(ctx)).await?;
    }
    let hold_s = ctx.real_parameter(0);
    if hold_s > 0.0 {
        ctx.execute(&SAVE, ctx.hold(hold_s)).await?;
    }
    if ctx.num_threads().0 == 1 {
        return Ok(());
    }
    TEAM.execute(ctx, Threads::Default, async |ctx| {
        if hold_s > 0.0 {
            ctx.execute(&SAVE, ctx.hold(hold_s)).await?;
        }
        PART.execute(ctx, 0.25 + 0.5 * ctx.tid().real()).await
    })
    .await
}

async fn step(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let (pid, processes) = (ctx.pid().0, ctx.num_processes().0);
    WORK.execute(ctx, 0.01 * (ctx.pid().real() + 1.0)).await?;
    let (next, last) = ((pid + 1) % processes, (pid + processes - 1) % processes);
    let message = Message::bytes(1_000_000);
    SHIFT.execute(ctx, next, last, message, ByMachine).await?;
    SUM.execute(ctx, 8, ByMachine).await
}

fn main() -> std::process::ExitCode {
    prophet_runtime::main(&MODEL, program)
}
