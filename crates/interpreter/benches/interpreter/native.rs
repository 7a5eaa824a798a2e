//! Contains this bench's own models as programs, as in their generated crates.

/// A loop that contains only a collective.
pub(crate) mod allreduce {
    use prophet_runtime::{AllReduce, ByMachine, LoopPlus, Model, ProcessCtx, Stopped, iterations};

    pub(crate) const MODEL: Model = Model::new("Allreduce", &[], 2);
    const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
    const ROUND: LoopPlus = LoopPlus::new(1, "Round", 2);

    pub(crate) async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
        for _ in iterations(100) {
            ctx.turn(&ROUND)?;
            SUM.execute(ctx, 8, ByMachine).await?;
        }
        Ok(())
    }
}

pub(crate) mod costs {
    use prophet_runtime::{
        ActionPlus, Fault, Int, LoopPlus, Model, ProcessCtx, Steps, Stopped, in_function,
        iterations, math,
    };

    pub(crate) const MODEL: Model = Model::new("Costs", &[], 2);
    const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
    const ROUND: LoopPlus = LoopPlus::new(1, "Round", 2);

    fn decay(from: Int) -> Result<f64, Fault> {
        in_function("Decay", || {
            let mut steps = Steps::default();
            let mut sum = 0.0;
            {
                let mut i = Int(1);
                while i <= 1000 {
                    steps.count()?;
                    let x = (from + i).real() * 1e-3;
                    sum += math::exp(-x) * math::sqrt(x);
                    i += 1;
                }
            }
            Ok(sum * 1e-6)
        })
    }

    pub(crate) async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
        for round in iterations(100) {
            ctx.turn(&ROUND)?;
            WORK.execute(ctx, decay(round)).await?;
        }
        Ok(())
    }
}
