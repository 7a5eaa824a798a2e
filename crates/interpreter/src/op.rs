//! Defines the interpreter's instructions.

use prophet_frontend::lang::ir::{Builtin, Curve, Neighbor, System, Variate};

/// A register: a word in the frame of a function call, or of a diagram's execution.
///
/// A word contains an int, the bits of a real, 0 or 1 for a bool, or the address of a variable.
pub(crate) type Reg = u32;

/// A position in the code or, during compilation, the number of a label.
pub(crate) type Pc = u32;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Scalar {
    Int,
    Real,
    Bool,
}

/// An instruction. Operands are registers unless noted otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    Const {
        to: Reg,
        bits: u64,
    },
    Move {
        to: Reg,
        from: Reg,
    },
    Zero {
        from: Reg,
        length: u32,
    },

    /// Loads a global variable or a parameter from its address.
    Global {
        to: Reg,
        address: u32,
    },
    SetGlobal {
        address: u32,
        from: Reg,
    },
    /// Loads a variable of an enclosing diagram. Its address is in the register `place`.
    Outer {
        to: Reg,
        place: Reg,
    },
    SetOuter {
        place: Reg,
        from: Reg,
    },
    /// Loads an array item. `array` is the number of the array.
    Get {
        to: Reg,
        array: u32,
        index: Reg,
    },
    Set {
        array: u32,
        index: Reg,
        from: Reg,
    },

    AddInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    SubInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    MulInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    DivInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    RemInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Shl {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Shr {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    NegInt {
        to: Reg,
        a: Reg,
    },
    Complement {
        to: Reg,
        a: Reg,
    },
    NotBool {
        to: Reg,
        a: Reg,
    },
    EqInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    NeInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    LtInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    LeInt {
        to: Reg,
        a: Reg,
        b: Reg,
    },

    AddReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    SubReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    MulReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    DivReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    RemReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    NegReal {
        to: Reg,
        a: Reg,
    },
    EqReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    NeReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    LtReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    LeReal {
        to: Reg,
        a: Reg,
        b: Reg,
    },

    IntToReal {
        to: Reg,
        a: Reg,
    },
    RealToInt {
        to: Reg,
        a: Reg,
    },
    IntToBool {
        to: Reg,
        a: Reg,
    },
    RealToBool {
        to: Reg,
        a: Reg,
    },

    /// Calls a math function of ints or reals. Its arguments are in the registers from `first` on.
    Math {
        to: Reg,
        first: Reg,
        of: Builtin,
    },
    /// Draws from a distribution. Its parameters are in the registers from `first` on.
    Draw {
        to: Reg,
        first: Reg,
        of: Variate,
    },
    /// Finds a neighbor on a grid with `dimensions` dimensions. The process, the sizes, and whether
    /// the grid is periodic are in the registers from `first` on.
    Neighbor {
        to: Reg,
        first: Reg,
        of: Neighbor,
        dimensions: u8,
    },
    /// Looks up a table at a point. `table` is its number. The coordinates are in the registers
    /// from `first` on.
    Interpolate {
        to: Reg,
        table: u32,
        first: Reg,
        curve: Curve,
    },
    /// Adds the price of an operation. `opcode` is its number. The register `uses` contains how
    /// many times a cost uses the operation.
    Price {
        to: Reg,
        opcode: u32,
        uses: Reg,
    },
    /// Marks a position among the operations that a cost uses, for traces.
    Uses {
        to: Reg,
    },
    /// Multiplies or divides the counts of operations since a mark, for traces.
    ScaleUses {
        of: [Reg; 2],
        divides: bool,
    },
    /// Loads a system-defined name.
    System {
        to: Reg,
        name: System,
    },
    Parameter {
        to: Reg,
        parameter: u32,
        ty: Scalar,
    },
    /// Converts a real to the number of a process. Fails if it isn't whole.
    Whole {
        to: Reg,
        a: Reg,
    },
    /// Calls a function. `function` is its number. The arguments are in the registers from `first`
    /// on.
    Call {
        to: Reg,
        function: u32,
        first: Reg,
    },
    /// Calls a function to compute a price. A fault is kept, so that the element can report it.
    Try {
        to: Reg,
        function: u32,
        first: Reg,
    },
    Return {
        from: Reg,
    },
    /// Counts an iteration of a loop in a piece of code.
    Count {
        steps: Reg,
    },

    Jump {
        to: Pc,
    },
    JumpIf {
        a: Reg,
        to: Pc,
    },
    JumpUnless {
        a: Reg,
        to: Pc,
    },
    JumpEqInt {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpNeInt {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpLtInt {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpLeInt {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpEqReal {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpNeReal {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpLtReal {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpLeReal {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpNotLtReal {
        a: Reg,
        b: Reg,
        to: Pc,
    },
    JumpNotLeReal {
        a: Reg,
        b: Reg,
        to: Pc,
    },

    /// Sets the element to name in errors of the code after it.
    At {
        element: u32,
    },
    /// Draws random numbers for this element from now on.
    Stream {
        element: u32,
    },
    /// Counts an iteration of the loop at this element.
    Turn {
        element: u32,
    },
    /// Stops the run because none of this decision's guards holds.
    Stuck {
        decision: u32,
    },
    Execute {
        execution: u32,
    },
    Region {
        region: u32,
    },
    /// Passes tokens to parts of the region around it. `pass` is the number of the pass.
    Pass {
        pass: u32,
    },
    /// Executes a diagram. `call` is the number of the call.
    Enter {
        call: u32,
    },
    Leave,
    /// A point where the run can be observed.
    Point {
        point: u32,
    },
}

impl Op {
    pub(crate) fn target(&mut self) -> Option<&mut Pc> {
        match self {
            Self::Jump { to }
            | Self::JumpIf { to, .. }
            | Self::JumpUnless { to, .. }
            | Self::JumpEqInt { to, .. }
            | Self::JumpNeInt { to, .. }
            | Self::JumpLtInt { to, .. }
            | Self::JumpLeInt { to, .. }
            | Self::JumpEqReal { to, .. }
            | Self::JumpNeReal { to, .. }
            | Self::JumpLtReal { to, .. }
            | Self::JumpLeReal { to, .. }
            | Self::JumpNotLtReal { to, .. }
            | Self::JumpNotLeReal { to, .. } => Some(to),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_two_words() {
        assert_eq!(size_of::<Op>(), 16);
    }
}
