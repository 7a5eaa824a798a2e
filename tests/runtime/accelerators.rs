//! Tests accelerators beyond what scenarios test: machine files, results, and random programs.
#![expect(clippy::float_cmp, reason = "times are exact")]

mod machine;
mod random;
mod results;

use prophet_runtime::{
    Accelerator, CopyMemory, DeviceLink, Engine, Kernel, Model, Outcome, ProcessCtx,
    ProcessProgram, Queues, RecordEvent, Simulation, Stopped, Synchronize, System,
};

const MODEL: Model = Model::new("Accelerators", &[], 5);
const IN: CopyMemory = CopyMemory::new(0, "In", 1);
const OUT: CopyMemory = CopyMemory::new(1, "Out", 2);
const KERNEL: Kernel = Kernel::new(2, "Kernel", 3);
const EVENT: RecordEvent = RecordEvent::new(3, "Event", 4);
const WAIT: Synchronize = Synchronize::new(4, "Wait", 5);

/// A device on which it takes a second to copy a byte, or to process a byte or a 64-bit operation
/// in a kernel.
fn gpu() -> Accelerator {
    let link = DeviceLink {
        latency_s: 0.0,
        bandwidth: 1.0,
    };
    let mut gpu = Accelerator::new("gpu", 1.0, link);
    gpu.peaks[0] = Some(1.0);
    gpu
}

/// Processes on nodes with two CPUs and this accelerator each.
fn system(gpu: Accelerator, processes: u32) -> System {
    let mut system = System::new(processes.div_ceil(2), 2, processes, 1);
    system.accelerators = [gpu].into();
    system
}

/// Runs a program in both engines, which must agree to the last bit.
fn run(system: &System, program: &impl ProcessProgram) -> Outcome {
    crate::engines::run_both(&MODEL, system, program)
}

fn time(gpu: Accelerator, program: impl ProcessProgram) -> f64 {
    run(&system(gpu, 1), &program).predicted_time_s
}
