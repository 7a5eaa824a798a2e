//! Describes the operations of a model. The machine contains their prices.

use crate::language::element::Element;

/// An operation that the machine has a price for, such as a multiplication of two reals.
///
/// ```
/// use prophet_runtime::{ActionPlus, Model, Opcode, Simulation, System};
///
/// const BLOCK: ActionPlus = ActionPlus::new(0, "Block", 1);
/// const CMLL: Opcode = Opcode::new(0, "CMLL");
/// const MODEL: Model = Model::new("Loops", &[], 1).opcodes(&[CMLL]);
///
/// let mut system = System::default();
/// system.prices.set("CMLL", 0.5e-6);
/// let run = Simulation::new(&MODEL, system).run(async |ctx| {
///     BLOCK.execute(ctx, ctx.clc(&[(2e6, CMLL)])).await
/// });
/// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opcode {
    pub(crate) index: u32,
    /// The operation's name in the machine's prices.
    pub name: &'static str,
    /// The first element that uses the operation, and its stereotype.
    pub(crate) user: Option<(&'static str, Element)>,
}

impl Opcode {
    /// Creates an operation with this index among the model's operations.
    pub const fn new(index: u32, name: &'static str) -> Self {
        Self {
            index,
            name,
            user: None,
        }
    }

    /// Sets the first element that uses the operation, for the message about a missing price: its
    /// stereotype, name, and id.
    #[must_use]
    pub const fn used_by(self, kind: &'static str, name: &'static str, id: i64) -> Self {
        let user = Some((kind, Element { index: 0, name, id }));
        Self { user, ..self }
    }
}
