//! Systems for models whose operations a machine has to price.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use prophet_runtime::{Accelerator, Machine, Model, Prices, System};

/// A system of these numbers of nodes, CPUs a node, processes and threads for a model: with its
/// parameters without flags, and with [`prices`] and [`accelerators`].
pub fn system(model: &Model, sizes: [u32; 4]) -> System {
    let [nodes, cpus, processes, threads] = sizes;
    let mut system = System::new(nodes, cpus, processes, threads);
    system.parameters = model.defaults();
    system.prices = prices(model);
    system.accelerators = accelerators();
    system
}

/// Accelerators of a real machine.
///
/// # Panics
///
/// If the library lacks that machine.
pub fn accelerators() -> Arc<[Accelerator]> {
    let machine = Machine::preset("alps-gh200").expect("there is one of that name");
    machine.accelerators
}

/// Prices of a model's operations: each its own, of the order of a real one.
pub fn prices(model: &Model) -> Prices {
    let mut prices = Prices::default();
    for (opcode, n) in model.opcodes.iter().zip(1_u32..) {
        prices.set(opcode.name, f64::from(n) * 1e-9);
    }
    prices
}

/// The flags by which programs of other targets get these prices, from a file in `folder`; none for
/// a model without operations.
///
/// # Panics
///
/// If the file cannot be written.
pub fn machine_flags(model: &Model, folder: &Path) -> Vec<String> {
    if model.opcodes.is_empty() {
        return Vec::new();
    }
    let mut text =
        "name = \"priced\"\nsource = \"a test\"\n[operations]\nunit = \"s\"\n".to_owned();
    for (name, price_s) in prices(model).iter() {
        writeln!(text, "{name} = {price_s:e}").expect("it is text");
    }
    let path = folder.join("priced.toml");
    std::fs::write(&path, text).expect("a file can be written");
    vec!["--machine".to_owned(), path.display().to_string()]
}
