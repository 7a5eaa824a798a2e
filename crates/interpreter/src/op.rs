//! Defines the interpreter's instructions.

use prophet_frontend::lang::ir::{Builtin, Curve, Neighbor, System, Variate};

/// A register: a word in the frame of a function call or a diagram execution.
///
/// A word contains an int, the bits of a real, 0 or 1 for a bool, or the address of a variable.
pub(crate) type Reg = u32;

/// A position in the code; during compilation, the number of a label.
pub(crate) type Pc = u32;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Scalar {
    Int,
    Real,
    Bool,
}

/// An instruction. All operands are registers, unless documented otherwise.
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

    /// Loads a global variable or parameter by address.
    Global {
        to: Reg,
        address: u32,
    },
    SetGlobal {
        address: u32,
        from: Reg,
    },
    /// Loads a variable of an enclosing diagram; `place` contains its address.
    Outer {
        to: Reg,
        place: Reg,
    },
    SetOuter {
        place: Reg,
        from: Reg,
    },
    /// Loads an array item; `array` is the array's number.
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

    /// Calls a math function for ints or reals, with arguments in registers from `first` on.
    Math {
        to: Reg,
        first: Reg,
        of: Builtin,
    },
    /// Draws from a distribution, with parameters in registers from `first` on.
    Draw {
        to: Reg,
        first: Reg,
        of: Variate,
    },
    /// Finds a neighbor on a grid with `dimensions` dimensions. The process, the sizes and the
    /// periodicity are in registers from `first` on.
    Neighbor {
        to: Reg,
        first: Reg,
        of: Neighbor,
        dimensions: u8,
    },
    /// Looks up a table by number, at the point in registers from `first` on.
    Interpolate {
        to: Reg,
        table: u32,
        first: Reg,
        curve: Curve,
    },
    /// Adds the price of an operation by number; a cost uses it `uses` times.
    Price {
        to: Reg,
        opcode: u32,
        uses: Reg,
    },
    /// Marks a position in the uses of a cost's operations, for a trace.
    Uses {
        to: Reg,
    },
    /// Multiplies or divides the counts of the operations since a position, for a trace.
    ScaleUses {
        of: [Reg; 2],
        divides: bool,
    },
    /// Loads a name that the system defines.
    System {
        to: Reg,
        name: System,
    },
    Parameter {
        to: Reg,
        parameter: u32,
        ty: Scalar,
    },
    /// Converts a real to a process number.
    Whole {
        to: Reg,
        a: Reg,
    },
    /// Calls a function by number, with arguments in registers from `first` on.
    Call {
        to: Reg,
        function: u32,
        first: Reg,
    },
    /// Calls a function for a price; a fault is kept for its element.
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

    /// Names the element that runs next.
    At {
        element: u32,
    },
    /// Draws random numbers for that element from now on.
    Stream {
        element: u32,
    },
    /// Counts an iteration of the loop at that element.
    Turn {
        element: u32,
    },
    /// Stops the run because no guard of the decision with that number is true.
    Stuck {
        decision: u32,
    },
    Execute {
        execution: u32,
    },
    Region {
        region: u32,
    },
    /// Gives tokens to parts of the enclosing region, by the number of the pass.
    Pass {
        pass: u32,
    },
    /// Executes a diagram by the number of the call.
    Enter {
        call: u32,
    },
    Leave,
    /// Lets the run be observed at the point with that number.
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
