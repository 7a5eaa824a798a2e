//! Represents the checked cost language. C's implicit conversions are explicit casts here, so both
//! operands of an operator have the same type, and handlers only need to print the code.

use crate::index::{FunctionIndex, GlobalIndex, ParameterIndex, TableIndex};
use std::collections::BTreeSet;

/// The types of the cost language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A 64-bit integer with wrapping arithmetic.
    Int,
    /// An IEEE double.
    Real,
    /// A truth value.
    Bool,
    /// An array of a scalar type, with its length.
    Array(Box<Type>, usize),
}

/// Name, parameters and result of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// Name in the model.
    pub name: String,
    /// Names and types of the parameters, which are scalars.
    pub arguments: Vec<(String, Type)>,
    /// Type of the result, which is a scalar.
    pub result: Type,
}

/// A typed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// What the expression computes.
    pub kind: ExpressionKind,
    /// Type of the value.
    pub ty: Type,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    /// An integer.
    Int(i64),
    /// A nonnegative real number, as a Rust `f64` literal without a suffix that keeps the author's
    /// digits (`3.14`, `1e-6`).
    Real(String),
    /// `true` or `false`.
    Bool(bool),
    /// The value of a scalar variable.
    Variable(Variable),
    /// The value of an array element. An index out of range stops the run.
    Index(Variable, Box<Expression>),
    /// A conversion as in C: int to real, real to int (toward zero, saturating), bool to int or
    /// real, and int or real to bool (`!= 0`). The target is the expression's `ty`.
    Cast(Box<Expression>),
    /// An operator on one operand of the expression's type.
    Unary(UnaryOp, Box<Expression>),
    /// An operator on two operands of the same type.
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `condition ? then : otherwise`.
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A call of one of the program's cost functions.
    Call(FunctionIndex, Vec<Expression>),
    /// A call of a runtime function.
    Builtin(Builtin, Vec<Expression>),
    /// A draw from a distribution.
    Draw(Variate, Vec<Expression>),
    /// `grid_left(pid, nx, ny, periodic)`: a process's neighbor on a Cartesian grid. The arguments
    /// are the process, one to three grid sizes, and a bool. Invalid sizes stop the run.
    Neighbor(Neighbor, Vec<Expression>),
    /// `interpolate("table.csv", x)` or `interpolate("table.csv", x, y)`: one of the program's
    /// tables, the curve between its points, and the arguments x and y.
    Interpolate(TableIndex, Curve, Vec<Expression>),
    /// `clc("2*CMLL,ANDL")`: the time of these operations on the run's machine in seconds, which is
    /// the sum of their counts times their prices.
    Clc(Vec<Usage>),
    /// `rud("disk", "N*bytes,2*seeks")`: the time that one of the machine's devices takes for these
    /// resource data, in seconds.
    Rud(DeviceName, Vec<Usage>),
}

/// The name of a custom device, and of its model if the workload chooses one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceName {
    /// Name of the device.
    pub device: String,
    /// Name of the model; `None` if the workload doesn't choose one.
    pub model: Option<String>,
}

impl DeviceName {
    /// Returns this device together with the names of the resource data in `usages`.
    pub fn with(&self, usages: &[Usage]) -> DeviceUse {
        let resources = usages.iter().map(|usage| usage.opcode.clone());
        (self.clone(), resources.collect())
    }
}

/// A device that is used, with the names of its resource data.
pub type DeviceUse = (DeviceName, Vec<String>);

/// A use of an operation whose time the machine defines, or of a device's resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    /// How often it is used, as a real expression.
    pub count: Expression,
    /// Name of the operation, or of the device's resource.
    pub opcode: String,
}

/// What a variable name in an expression refers to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A global variable of the program.
    Global(GlobalIndex),
    /// A model parameter of the program; read-only.
    Parameter(ParameterIndex),
    /// A variable of the enclosing diagrams, identified by its name in the model.
    Local(String),
    /// An argument of the function, or a variable declared in this code.
    Own(String),
    /// A property of the machine or the unit; a read-only integer.
    System(System),
}

prophet_text::named_enum! {
    /// Names that the system defines; all of them have integer values.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[expect(missing_docs, reason = "the variants are the contract's own names")]
    pub enum System {
        Uid = "uid",
        Pid = "pid",
        Tid = "tid",
        Nid = "nid",
        NumNodes = "NUM_NODES",
        NumCpus = "NUM_CPUS",
        NumProcesses = "NUM_PROCESSES",
        NumThreads = "NUM_THREADS",
        /// Any sender as the source of a receive, or any tag; not allowed elsewhere.
        Any = "ANY",
        /// No process (-1): messages to and from it aren't sent.
        ProcNull = "PROC_NULL",
    }
}

prophet_text::named_enum! {
    /// How values between the points of a table are interpolated.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Curve {
        /// Straight lines, the default.
        Linear = "linear",
        /// Cubic curves that rise and fall only where the points do.
        Monotone = "monotone",
    }
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x` on ints and reals.
    Negate,
    /// `!x` on bools.
    Not,
    /// `~x` on ints.
    Complement,
}

prophet_text::named_enum! {
    /// Operators with two operands, named as in C and Rust.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the variants say it")]
    pub enum BinaryOp {
        // Ints (wrapping; division by zero stops the run) and reals.
        Add = "+",
        Subtract = "-",
        Multiply = "*",
        Divide = "/",
        Remainder = "%",
        // Ints; a shift's distance is taken modulo 64.
        ShiftLeft = "<<",
        ShiftRight = ">>",
        // Ints and bools, both operands evaluated.
        BitAnd = "&",
        BitOr = "|",
        BitXor = "^",
        // Any scalars; the result is a bool.
        Equal = "==",
        NotEqual = "!=",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        // Bools, the second operand evaluated only if needed.
        And = "&&",
        Or = "||",
    }
}

prophet_text::named_enum! {
    /// Functions of the runtime, which come from `libm`. Unless stated otherwise, all parameters
    /// and the result are reals.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[expect(missing_docs, reason = "the variants are C's own names")]
    pub enum Builtin {
        Acos = "acos",
        Acosh = "acosh",
        Asin = "asin",
        Asinh = "asinh",
        Atan = "atan",
        Atan2 = "atan2",
        Atanh = "atanh",
        Cbrt = "cbrt",
        Ceil = "ceil",
        Copysign = "copysign",
        Cos = "cos",
        Cosh = "cosh",
        Erf = "erf",
        Erfc = "erfc",
        Exp = "exp",
        Exp2 = "exp2",
        Expm1 = "expm1",
        Fabs = "fabs",
        Fdim = "fdim",
        Floor = "floor",
        Fma = "fma",
        Fmax = "fmax",
        Fmin = "fmin",
        Fmod = "fmod",
        Hypot = "hypot",
        Lgamma = "lgamma",
        Log = "log",
        Log10 = "log10",
        Log1p = "log1p",
        Log2 = "log2",
        Pow = "pow",
        Rint = "rint",
        Round = "round",
        Sin = "sin",
        Sinh = "sinh",
        Sqrt = "sqrt",
        Tan = "tan",
        Tanh = "tanh",
        Tgamma = "tgamma",
        Trunc = "trunc",
        /// `abs` of an int, which wraps; returns an int.
        AbsInt = "abs",
        /// `max` of two ints.
        MaxInt = "max",
        /// `min` of two ints.
        MinInt = "min",
    }
}

prophet_text::named_enum! {
    /// Distributions that random numbers are drawn from. Unless stated otherwise, parameters are
    /// reals.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Variate {
        /// `uniform(low, high)`.
        Uniform = "uniform",
        /// `exponential(mean)`.
        Exponential = "exponential",
        /// `normal(mean, deviation)`.
        Normal = "normal",
        /// `lognormal(mu, sigma)`; the parameters are the mean and deviation of the logarithm.
        Lognormal = "lognormal",
        /// `gamma(shape, scale)`.
        Gamma = "gamma",
        /// `erlang(k, mean)`: the sum of `k` exponential variates (an int). The sum has the mean
        /// `mean`.
        Erlang = "erlang",
        /// `weibull(shape, scale)`.
        Weibull = "weibull",
        /// `triangular(low, mode, high)`.
        Triangular = "triangular",
        /// `poisson(mean)`, returns an int.
        Poisson = "poisson",
        /// `bernoulli(probability)`, returns a bool.
        Bernoulli = "bernoulli",
    }
}

prophet_text::named_enum! {
    /// Directions to neighbors on a Cartesian grid whose first coordinate varies fastest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Neighbor {
        /// The first coordinate minus 1.
        Left = "grid_left",
        /// The first coordinate plus 1.
        Right = "grid_right",
        /// The second coordinate minus 1.
        Up = "grid_up",
        /// The second coordinate plus 1.
        Down = "grid_down",
        /// The third coordinate minus 1.
        Front = "grid_front",
        /// The third coordinate plus 1.
        Back = "grid_back",
    }
}

impl Neighbor {
    /// Maximum number of dimensions of a grid.
    pub const DIMENSIONS_MAX: usize = 3;

    /// Returns the smallest number of grid dimensions that this direction requires.
    pub const fn dimensions_min(self) -> usize {
        match self {
            Self::Left | Self::Right => 1,
            Self::Up | Self::Down => 2,
            Self::Front | Self::Back => 3,
        }
    }
}

/// A statement of the cost language.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// Declares a variable of this code. Without a value, it starts as zero or false.
    Declare {
        /// Name.
        name: String,
        /// Type.
        ty: Type,
        /// Initial value; only for scalars.
        value: Option<Expression>,
    },
    /// `variable = value` or `variable[index] = value`. Compound assignments are expanded.
    Assign {
        /// The assigned variable.
        target: Variable,
        /// Index of the element, if the variable is an array.
        index: Option<Expression>,
        /// The value, which has the target's type.
        value: Expression,
    },
    /// Evaluates an expression for its effects.
    Evaluate(Expression),
    /// `if condition { … } else { … }`.
    If {
        /// A bool.
        condition: Expression,
        /// Statements to run if it holds.
        then: Vec<Statement>,
        /// Statements to run otherwise; can be empty.
        otherwise: Vec<Statement>,
    },
    /// `while condition { …; step }`. A `continue` runs `step` first, as in C's `for`.
    While {
        /// A bool.
        condition: Expression,
        /// Whether the body runs before the first test (C's `do`).
        body_first: bool,
        /// Statements to repeat.
        body: Vec<Statement>,
        /// Statements that run after each iteration: only assignments and values. Empty if
        /// `body_first`.
        step: Vec<Statement>,
    },
    /// `break`: leaves the innermost loop.
    Break,
    /// `continue`: starts the innermost loop's next iteration.
    Continue,
    /// `return value`; only in functions.
    Return(Expression),
    /// `{ … }`.
    Block(Vec<Statement>),
}

/// What a piece of code needs from its surroundings. [`crate::resolve`] adds what the called
/// functions need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
pub struct Needs {
    /// Whether the code reads or writes global variables or parameters.
    pub globals: bool,
    /// Whether the code reads names that the system defines.
    pub system: bool,
    /// Whether the code draws random numbers.
    pub stream: bool,
    /// Whether the code can stop the run, because it contains a loop, or a division or index that
    /// can fail.
    pub fallible: bool,
    /// Operations whose times the machine must define.
    pub opcodes: BTreeSet<String>,
    /// Custom devices that the code uses.
    pub devices: BTreeSet<DeviceUse>,
    /// Cost functions that the code calls directly.
    pub calls: BTreeSet<FunctionIndex>,
}

impl Needs {
    /// Adds the needs of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.merge_all_but_calls(other);
        self.calls.extend(&other.calls);
    }

    /// Adds the needs of `other`, except for the functions that it calls.
    pub(crate) fn merge_all_but_calls(&mut self, other: &Self) {
        self.globals |= other.globals;
        self.system |= other.system;
        self.stream |= other.stream;
        self.fallible |= other.fallible;
        self.opcodes.extend(other.opcodes.iter().cloned());
        self.devices.extend(other.devices.iter().cloned());
    }
}
