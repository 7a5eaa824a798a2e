//! Tests that MPI's guarantees also hold on shared links.

use prophet_testing::assert_near;

use super::*;

#[test]
fn collectives_send_their_messages_over_the_links() {
    use prophet_runtime::AllToAll;
    const ALL: AllToAll = AllToAll::new(6, "All", 7);
    let network = "shared:topology=star,latency=0,bandwidth=1B/s";
    let mut system = apart(4, network);
    system
        .algorithms
        .choose("alltoall=linear")
        .expect("it is one");
    let outcome = run_on(system, async |ctx| ALL.execute(ctx, 8, ByMachine).await);
    // Each process sends three blocks of 8 bytes over a link of its own.
    assert!((outcome.predicted_time_s - 24.0).abs() < 1e-12);
}

/// Each process sends to all others, above and below the eager limit, and receives what arrives.
pub(crate) async fn exchange(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let all = i64::from(ctx.num_processes());
    for other in (0..all).filter(|other| ctx.pid() != *other) {
        let bytes = if other % 2 == 0 { 100 } else { 3 };
        LATER
            .execute(ctx, other, Message::bytes(bytes), ByMachine)
            .await?;
    }
    WORK.execute(ctx, 0.5 * f64::from(ctx.pid() == 1)).await?;
    for _ in 1..all {
        RECV.execute(ctx, prophet_runtime::ANY, Message::any_size(), ByMachine)
            .await?;
    }
    WAIT.execute(ctx).await
}

#[test]
fn a_trace_changes_nothing_and_is_whole() {
    let network = "shared:topology=star,latency=1s,bandwidth=10B/s,o=0.25s,eager=10B";
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut trace = prophet_runtime::Trace::new(folder.join("links.arrow"));
    let simulation = Simulation::new(&MODEL, apart(6, network));
    let plain = simulation.run(exchange).expect("it ends");
    let traced = simulation
        .run_traced(exchange, &mut trace)
        .expect("it ends");
    assert_eq!(plain, traced);
    let records = *trace.written().as_ref().expect("it is written");
    let mut reader =
        prophet_trace::TraceReader::open(&folder.join("links.arrow")).expect("it is one");
    let (mut seen, mut batch) = (0, Vec::new());
    while reader
        .next_batch(&mut batch)
        .expect("it is whole and in order")
    {
        seen += batch.len() as u64;
        batch.clear();
    }
    assert_eq!(seen, records);
}

#[test]
fn a_message_alone_is_as_fast_as_without_others() {
    let ends_of = |network: &str| {
        let outcome = run_on(apart(2, network), async |ctx| {
            for round in 0..10 {
                let other = 1 - ctx.pid();
                if ctx.pid() == round % 2 {
                    SEND.execute(ctx, other, Message::bytes(1000), ByMachine)
                        .await?;
                } else {
                    RECV.execute(ctx, other, Message::any_size(), ByMachine)
                        .await?;
                }
            }
            Ok(())
        });
        outcome.predicted_time_s
    };
    let shared = ends_of("shared:topology=star,latency=0.5us,bandwidth=1GB/s");
    let hockney = ends_of("hockney:latency=1us,bandwidth=1GB/s");
    assert_near(shared, hockney, 1e-12);
}
