use prophet_machine::accelerator::DeviceLink;

use super::*;

const STREAM: Named = (0, 1);
const OTHER: Named = (0, 2);

fn device(copy_engines: u32, queues: Queues) -> Device {
    let link = DeviceLink {
        latency_s: 0.0,
        bandwidth: 1.0,
    };
    let gpu = Accelerator {
        copy_engines,
        queues,
        ..Accelerator::new("gpu", 1.0, link)
    };
    Device::new(&gpu, true)
}

fn work(engine: Engine, seconds: f64) -> Work {
    Work {
        engine,
        seconds,
        share: 1.0,
        element: 0,
    }
}

/// Returns when all operations of the process have ended, in seconds.
fn end_s(device: &mut Device) -> f64 {
    let mut end_s = 0.0;
    while device.pending() > 0 {
        end_s = device.next_s();
        device.advance(end_s);
    }
    end_s
}

#[test]
fn engines_overlap_and_streams_are_in_order() {
    let mut one = device(1, Queues::Stream);
    for (stream, engine) in [
        (STREAM, Engine::ToDevice),
        (STREAM, Engine::Compute),
        (STREAM, Engine::ToHost),
        (OTHER, Engine::ToDevice),
        (OTHER, Engine::Compute),
        (OTHER, Engine::ToHost),
    ] {
        one.issue(0.0, stream, work(engine, 1.0));
    }
    assert_eq!(end_s(&mut one).to_bits(), 4.0_f64.to_bits());
    // With one queue for all streams, the copy back waits for its kernel and holds up the other
    // copies.
    let mut queued = device(1, Queues::Engine);
    for stream in [STREAM, OTHER] {
        for engine in [Engine::ToDevice, Engine::Compute, Engine::ToHost] {
            queued.issue(0.0, stream, work(engine, 1.0));
        }
    }
    assert_eq!(end_s(&mut queued).to_bits(), 6.0_f64.to_bits());
}

#[test]
fn steps_of_time_do_not_matter() {
    let run = |steps: &[f64]| {
        let mut device = device(2, Queues::Stream);
        for (number, stream) in (0_u32..).zip([STREAM, OTHER, STREAM, OTHER]) {
            let engine = [Engine::Compute, Engine::ToDevice][usize::from(number % 2 == 1)];
            let event = (0, i64::from(number));
            device.issue(0.0, stream, work(engine, 0.1 * f64::from(number + 1)));
            device.record(0.0, stream, event);
            device.wait_in_stream(0.0, OTHER, event);
        }
        for step in steps {
            device.advance(*step);
        }
        end_s(&mut device).to_bits()
    };
    assert_eq!(run(&[]), run(&[0.05, 0.1, 0.1 + 1e-17, 0.25, 0.3, 0.45]));
}

#[test]
fn nothing_is_kept_of_what_is_over() {
    let mut device = device(2, Queues::Stream);
    for number in 0..1000 {
        let now_s = f64::from(number);
        device.issue(now_s, (0, i64::from(number)), work(Engine::Compute, 0.5));
        device.record(now_s, (0, i64::from(number)), (0, i64::from(number)));
    }
    device.advance(1e9);
    let left = [device.open.len(), device.last.len(), device.events.len()];
    assert_eq!(left, [0, 0, 0]);
}

#[test]
fn shares_add_up_to_the_device() {
    let mut device = device(2, Queues::Stream);
    for stream in 0..20 {
        let kernel = Work {
            share: 0.1,
            ..work(Engine::Compute, 1.0)
        };
        device.issue(0.0, (0, stream), kernel);
    }
    assert_eq!(end_s(&mut device).to_bits(), 2.0_f64.to_bits());
}
