//! Measures how much memory a process takes, apart from its own future.

use std::cell::Cell;

use prophet_runtime::{Model, ProcessCtx, Simulation, Stopped, System};
use prophet_testing::skip;

const MODEL: Model = Model::new("Memory", &[], 0);
const PROCESSES: u32 = 200_000;

/// Returns the resident memory of this process in bytes, or `None` if the system doesn't report it.
fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<usize>().ok()? * 1024)
}

/// Holds for a different time in each process, so that the event list contains all processes.
async fn holds(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    for _ in 0..3 {
        ctx.hold(1.0 + ctx.pid().real() * 1e-6).await?;
    }
    Ok(())
}

fn run(processes: u32, program: impl AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>) {
    let system = System::new(1, processes, processes, 1);
    let outcome = Simulation::new(&MODEL, system).run(program);
    assert!(outcome.is_ok(), "{outcome:?}");
}

#[test]
fn a_process_has_at_most_160_bytes_beyond_its_future() {
    let future_bytes = Cell::new(0);
    run(1, async |ctx| {
        let future = async {
            holds(ctx).await?;
            let _ = resident_bytes();
            Ok::<(), Stopped>(())
        };
        future_bytes.set(size_of_val(&future));
        future.await
    });
    let Some(before_bytes) = resident_bytes() else {
        skip("this system does not tell how much memory is resident");
        return;
    };
    let after_bytes = Cell::new(0);
    run(PROCESSES, async |ctx| {
        holds(ctx).await?;
        if ctx.pid() == i64::from(PROCESSES) / 2 {
            after_bytes.set(resident_bytes().unwrap_or(0));
        }
        Ok(())
    });
    let used_bytes = after_bytes.get().saturating_sub(before_bytes);
    let per_process = used_bytes / PROCESSES as usize;
    let future_bytes = future_bytes.get();
    eprintln!("{per_process} bytes a process, {future_bytes} of them its future");
    assert!(per_process >= future_bytes, "the futures are counted");
    assert!(
        per_process - future_bytes <= 160,
        "{per_process} bytes, {future_bytes} in a future"
    );
}
