//! The instructions of the code that the interpreter runs.

use prophet_frontend::lang::ir::{Builtin, Curve, Neighbor, System, Variate};

/// A register: a word of the frame that belongs to a function's call or a diagram's execution.
///
/// A word holds an int, the bits of a real, 0 or 1 for a bool, or the address of a variable.
pub(crate) type Reg = u32;

/// A place in the code; while code is being made, the number of a label.
pub(crate) type Pc = u32;

/// The type of a parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scalar {
    Int,
    Real,
    Bool,
}

/// One instruction. All operands are registers, unless their documentation says otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    Const {
        to: Reg,
        bits: u64,
    },
    /// Copies a word.
    Move {
        to: Reg,
        from: Reg,
    },
    /// Sets `length` words to zero.
    Zero {
        from: Reg,
        length: u32,
    },

    /// Loads a global variable or parameter, by its address.
    Global {
        to: Reg,
        address: u32,
    },
    /// Stores to a global variable, by its address.
    SetGlobal {
        address: u32,
        from: Reg,
    },
    /// Loads a variable of an enclosing diagram; `place` holds its address.
    Outer {
        to: Reg,
        place: Reg,
    },
    /// Stores to a variable of an enclosing diagram.
    SetOuter {
        place: Reg,
        from: Reg,
    },
    /// Loads a value of an array, by the array's number.
    Get {
        to: Reg,
        array: u32,
        index: Reg,
    },
    /// Stores to a value of an array.
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

    /// A function of ints or reals, whose arguments are in registers from `first` on.
    Math {
        to: Reg,
        first: Reg,
        of: Builtin,
    },
    /// A draw from a distribution, whose parameters are in registers from `first` on.
    Draw {
        to: Reg,
        first: Reg,
        of: Variate,
    },
    /// A neighbor on a grid of that many dimensions: the process, the sizes and whether it is
    /// periodic are in registers from `first` on.
    Neighbor {
        to: Reg,
        first: Reg,
        of: Neighbor,
        dimensions: u8,
    },
    /// A value of a table, by the table's number; it is looked up by registers from `first` on.
    Interpolate {
        to: Reg,
        table: u32,
        first: Reg,
        curve: Curve,
    },
    /// The price of an operation, by its number, which a cost uses as often as `uses` says.
    Price {
        to: Reg,
        opcode: u32,
        uses: Reg,
    },
    /// The place in the uses of a cost's operations, for a trace.
    Uses {
        to: Reg,
    },
    /// Multiplies or divides the counts of the operations since a place, for a trace.
    ScaleUses {
        /// The uses, and the factor.
        of: [Reg; 2],
        divides: bool,
    },
    /// A name that the system defines.
    System {
        to: Reg,
        name: System,
    },
    /// A parameter of the model, as a value of that type.
    Parameter {
        to: Reg,
        parameter: u32,
        ty: Scalar,
    },
    /// The process whose number is a real.
    Whole {
        to: Reg,
        a: Reg,
    },
    /// Calls a function, by its number, with arguments in registers from `first` on.
    Call {
        to: Reg,
        function: u32,
        first: Reg,
    },
    /// Calls a function for a price: a fault is kept for its element.
    Try {
        to: Reg,
        function: u32,
        first: Reg,
    },
    /// Ends a function with a result.
    Return {
        from: Reg,
    },
    /// Counts a turn of a loop in a piece of code.
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

    /// Names the element whose code runs next.
    At {
        element: u32,
    },
    /// Draws for that element from now on.
    Stream {
        element: u32,
    },
    /// Counts a turn of the loop at that element.
    Turn {
        element: u32,
    },
    /// Stops the run: no guard of the decision of that number holds.
    Stuck {
        decision: u32,
    },
    /// Executes an element, by the number of the execution.
    Execute {
        execution: u32,
    },
    /// Executes a region, by its number.
    Region {
        region: u32,
    },
    /// Gives tokens to parts of the region around, by the number of the pass.
    Pass {
        pass: u32,
    },
    /// Executes a diagram, by the number of the call.
    Enter {
        call: u32,
    },
    /// Ends the diagram.
    Leave,
    /// Lets the run be looked at, at the point of that number.
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
