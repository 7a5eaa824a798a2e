//! Simulates the accelerators of all nodes.

pub(crate) mod device;
use prophet_machine::accelerator::Accelerator;
use prophet_machine::system::System;
use prophet_map::Map;

use std::cell::RefCell;

use prophet_result::AcceleratorOutcome;
use prophet_trace::Operation;

use device::{Device, Done};

pub(crate) type Devices = Map<(u32, u32), Device>;

#[derive(Debug)]
pub(crate) struct Accelerators {
    counts: Vec<u32>,
    /// For each process, the number of processes with lower numbers on its node.
    places: Vec<u32>,
    processes: Vec<u32>,
    traced: bool,
    /// The devices, by node and number. Created when a process first uses them.
    devices: RefCell<Devices>,
}

impl Accelerators {
    /// Creates the accelerators, or returns `None` if the machine has none.
    pub(crate) fn new(system: &System, traced: bool) -> Option<Self> {
        if system.accelerators.is_empty() {
            return None;
        }
        let count = |nid| system.accelerators_of(nid).map(|(_, it)| it.count).sum();
        let (places, processes) = system.places();
        Some(Self {
            counts: (0..system.nodes).map(count).collect(),
            places,
            processes,
            traced,
            devices: RefCell::default(),
        })
    }

    pub(crate) fn count(&self, nid: u32) -> u32 {
        self.counts.get(nid as usize).copied().unwrap_or(0)
    }

    /// Returns the device of a process that doesn't select one. A node's devices are assigned to
    /// its processes in turn.
    pub(crate) fn default_of(&self, (pid, nid): (u32, u32)) -> u32 {
        let place = self.places.get(pid as usize).copied().unwrap_or(0);
        place.checked_rem(self.count(nid)).unwrap_or(0)
    }

    /// Returns `true` if no other process uses this device, either by default or by the same rule.
    /// By this rule, process i of n on a node has the devices i, i + n, i + 2n, and so on.
    pub(crate) fn is_of(&self, (pid, nid): (u32, u32), number: u32) -> bool {
        let processes = self.processes.get(nid as usize).copied().unwrap_or(1);
        let place = self.places.get(pid as usize).copied().unwrap_or(0);
        processes <= self.count(nid) && number % processes.max(1) == place
    }

    /// Takes the operations of traced devices at the end of a run, sorted by device and end.
    pub(crate) fn take_operations(&self, end_s: f64) -> Vec<Operation> {
        let mut all = Vec::new();
        let mut devices = self.devices.borrow_mut();
        let places: Vec<(u32, u32)> = devices.keys().copied().collect();
        for (node, device) in places {
            let operation = |done: Done| Operation {
                node,
                device,
                engine: u32::try_from(done.engine).unwrap_or(u32::MAX),
                pid: done.stream.0,
                stream: u32::try_from(done.stream.1).unwrap_or(u32::MAX),
                element: done.element,
                start_s: done.start_s,
                end_s: done.end_s,
            };
            let done = devices.get_mut(&(node, device));
            let done = done.into_iter().flat_map(|of| of.take_done(end_s));
            all.extend(done.map(operation));
        }
        all
    }

    pub(crate) fn take(&self) -> Devices {
        self.devices.take()
    }

    pub(crate) fn with<T>(
        &self,
        system: &System,
        at: (u32, u32),
        act: impl FnOnce(&mut Device) -> T,
    ) -> Option<T> {
        let (_, of) = system.accelerator(at)?;
        let mut devices = self.devices.borrow_mut();
        let device = devices.get_or_insert_with(at, || Device::new(of, self.traced));
        Some(act(device))
    }
}

/// Returns how much each kind of device was used up to the end of a run.
pub(crate) fn used(system: &System, devices: Devices, end_s: f64) -> Vec<AcceleratorOutcome> {
    let outcome = |of: &Accelerator| AcceleratorOutcome {
        name: of.name.clone(),
        devices: 0,
        copy_engines: of.copy_engines,
        kernels_s: 0.0,
        copies_s: 0.0,
        memory_bytes: 0,
    };
    let mut outcomes: Vec<_> = system.accelerators.iter().map(outcome).collect();
    for (at, mut device) in devices {
        if let Some((kind, _)) = system.accelerator(at) {
            let (kernels_s, copies_s) = device.busy_s(end_s);
            let outcome = &mut outcomes[kind];
            outcome.devices += 1;
            outcome.kernels_s += kernels_s;
            outcome.copies_s += copies_s;
            let needed = u64::try_from(device.needed()).unwrap_or(u64::MAX);
            outcome.memory_bytes = outcome.memory_bytes.max(needed);
        }
    }
    outcomes.retain(|it| it.devices > 0);
    outcomes
}
