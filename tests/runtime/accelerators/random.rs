//! Tests random programs. Both engines must agree. If each engine of a device has one queue, a
//! recurrence over the operations, in the order in which they are issued, gives all times.

use std::collections::BTreeMap;

use super::*;
use proptest::prelude::*;

#[derive(Debug, Clone, Copy)]
enum Op {
    Kernel {
        stream: i64,
        seconds: f64,
        share: f64,
    },
    Copy {
        stream: i64,
        seconds: f64,
        to_host: bool,
    },
    Record {
        stream: i64,
        event: i64,
    },
    StreamWaits {
        stream: i64,
        event: i64,
    },
    WaitForEvent {
        event: i64,
    },
    WaitForStream {
        stream: i64,
    },
    WaitForDevice,
    Hold {
        seconds: f64,
    },
}

fn op() -> impl Strategy<Value = Op> {
    let (stream, event) = (0..4_i64, 0..4_i64);
    let seconds = prop_oneof![Just(0.0), Just(1.0), 0.0..2.0_f64];
    let share = prop_oneof![Just(1.0), Just(0.5), 0.1..1.0_f64];
    let work = (stream.clone(), seconds.clone());
    prop_oneof![
        (work.clone(), share).prop_map(|((stream, seconds), share)| Op::Kernel {
            stream,
            seconds,
            share
        }),
        (work, any::<bool>()).prop_map(|((stream, seconds), to_host)| Op::Copy {
            stream,
            seconds,
            to_host
        }),
        (stream.clone(), event.clone()).prop_map(|(stream, event)| Op::Record { stream, event }),
        (stream.clone(), event.clone())
            .prop_map(|(stream, event)| Op::StreamWaits { stream, event }),
        event.prop_map(|event| Op::WaitForEvent { event }),
        stream.prop_map(|stream| Op::WaitForStream { stream }),
        Just(Op::WaitForDevice),
        seconds.prop_map(|seconds| Op::Hold { seconds }),
    ]
}

async fn execute(ctx: &ProcessCtx<'_>, op: Op) -> Result<(), Stopped> {
    match op {
        Op::Kernel {
            stream,
            seconds,
            share,
        } => {
            KERNEL
                .execute(ctx, seconds)
                .stream(stream)
                .share(share)
                .await
        }
        Op::Copy {
            stream,
            seconds,
            to_host: false,
        } => IN.execute(ctx, seconds).stream(stream).await,
        Op::Copy {
            stream, seconds, ..
        } => OUT.execute(ctx, seconds).to_host().stream(stream).await,
        Op::Record { stream, event } => EVENT.execute(ctx).event(event).stream(stream).await,
        Op::StreamWaits { stream, event } => WAIT.execute(ctx).event(event).stream(stream).await,
        Op::WaitForEvent { event } => WAIT.execute(ctx).event(event).await,
        Op::WaitForStream { stream } => WAIT.execute(ctx).stream(stream).await,
        Op::WaitForDevice => WAIT.execute(ctx).await,
        Op::Hold { seconds } => ctx.hold(seconds).await,
    }
}

/// Computes the host's time after a program with that recurrence.
fn recurrence(ops: &[Op], launch_s: f64) -> f64 {
    let (mut host_s, mut engines_s) = (0.0_f64, [0.0_f64; 3]);
    let (mut streams_s, mut events_s) = (BTreeMap::new(), BTreeMap::new());
    let at = |times_s: &BTreeMap<i64, f64>, number: i64| times_s.get(&number).copied();
    for op in ops {
        let (engine, stream, seconds) = match *op {
            Op::Kernel {
                stream, seconds, ..
            } => (0, stream, seconds),
            Op::Copy {
                stream,
                seconds,
                to_host,
            } => (1 + usize::from(to_host), stream, seconds),
            Op::Record { stream, event } => {
                events_s.insert(event, at(&streams_s, stream).unwrap_or(0.0));
                continue;
            }
            Op::StreamWaits { stream, event } => {
                let event_s = at(&events_s, event).unwrap_or(0.0);
                let stream_s = at(&streams_s, stream).unwrap_or(0.0);
                streams_s.insert(stream, event_s.max(stream_s));
                continue;
            }
            Op::WaitForEvent { event } => {
                host_s = host_s.max(at(&events_s, event).unwrap_or(0.0));
                continue;
            }
            Op::WaitForStream { stream } => {
                host_s = host_s.max(at(&streams_s, stream).unwrap_or(0.0));
                continue;
            }
            Op::WaitForDevice => {
                host_s = streams_s.values().copied().fold(host_s, f64::max);
                continue;
            }
            Op::Hold { seconds } => {
                host_s += seconds;
                continue;
            }
        };
        host_s += launch_s;
        let stream_s = at(&streams_s, stream).unwrap_or(0.0);
        let start_s = host_s.max(stream_s).max(engines_s[engine]);
        engines_s[engine] = start_s + seconds;
        streams_s.insert(stream, start_s + seconds);
    }
    host_s
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(64)))]

    #[test]
    fn engines_agree(
        programs in prop::collection::vec(prop::collection::vec(op(), 0..40), 1..4),
        launch_s in prop_oneof![Just(0.0), 0.0..1.0_f64],
        copy_engines in 1..4_u32,
        by_engine in any::<bool>(),
    ) {
        let queues = [Queues::Stream, Queues::Engine][usize::from(by_engine)];
        let count = 2;
        let gpu = Accelerator { count, launch_s, copy_engines, queues, ..gpu() };
        let processes = u32::try_from(programs.len()).expect("there are few");
        run(&system(gpu, processes), &async |ctx: &ProcessCtx<'_>| {
            let pid = usize::try_from(i64::from(ctx.pid())).expect("it is not negative");
            for op in &programs[pid] {
                execute(ctx, *op).await?;
            }
            Ok(())
        });
    }

    #[test]
    fn one_queue_for_each_engine_is_a_recurrence(
        ops in prop::collection::vec(op(), 0..60),
        launch_s in prop_oneof![Just(0.0), 0.0..1.0_f64],
    ) {
        let gpu = Accelerator { launch_s, queues: Queues::Engine, ..gpu() };
        let found = time(gpu, async |ctx| {
            for op in &ops {
                let op = match *op {
                    Op::Kernel { stream, seconds, .. } => {
                        Op::Kernel { stream, seconds, share: 1.0 }
                    }
                    other => other,
                };
                execute(ctx, op).await?;
            }
            Ok(())
        });
        let expected = recurrence(&ops, launch_s);
        prop_assert!((found - expected).abs() <= 1e-9 * expected.max(1.0), "{found} {expected}");
    }
}
