//! Provides machines for models with operations, whose prices the machine must define.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use prophet_runtime::{Accelerator, Machine, Model, Prices, System};

/// Returns a system for a model. `sizes` contains the numbers of nodes, CPUs per node, processes
/// and threads. Parameters have their default values. Prices and accelerators come from [`prices`]
/// and [`accelerators`].
pub fn system(model: &Model, sizes: [u32; 4]) -> System {
    let [nodes, cpus, processes, threads] = sizes;
    let mut system = System::new(nodes, cpus, processes, threads);
    system.parameters = model.defaults();
    system.prices = prices(model);
    system.accelerators = accelerators();
    system
}

/// Returns the accelerators of a real machine.
///
/// # Panics
///
/// Panics if there is no such machine.
pub fn accelerators() -> Arc<[Accelerator]> {
    let machine = Machine::preset("alps-gh200").expect("there is one of that name");
    machine.accelerators
}

/// Returns prices for a model's operations. They are all different, and have a realistic magnitude.
pub fn prices(model: &Model) -> Prices {
    let mut prices = Prices::default();
    for (opcode, n) in model.opcodes.iter().zip(1_u32..) {
        prices.set(opcode.name, f64::from(n) * 1e-9);
    }
    prices
}

/// Writes these prices to a file in `folder`, and returns the flags with which other targets'
/// programs use them. Returns no flags if the model contains no operations.
///
/// # Panics
///
/// Panics if the file can't be written.
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
