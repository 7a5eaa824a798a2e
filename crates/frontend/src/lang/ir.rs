//! Represents checked code of the cost language. Conversions that are implicit in C are explicit
//! casts here, so the operands of an operator have the same type and handlers only need to print
//! the code.

use crate::index::{FunctionIndex, GlobalIndex, ParameterIndex, TableIndex};
use std::collections::BTreeSet;

/// The types of the cost language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// A 64-bit integer with wrapping arithmetic.
    Int,
    /// A 64-bit floating-point number (IEEE 754).
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
    /// A nonnegative real number: a Rust `f64` literal without a suffix, with the digits that the
    /// author wrote (`3.14`, `1e-6`).
    Real(String),
    /// `true` or `false`.
    Bool(bool),
    /// The value of a scalar variable.
    Variable(Variable),
    /// The value of an array element. The run stops if the index is out of range.
    Index(Variable, Box<Expression>),
    /// A conversion as in C: int to real, real to int (toward zero, saturating), bool to int or
    /// real, and int or real to bool (`!= 0`). The expression's `ty` is the type that it converts
    /// to.
    Cast(Box<Expression>),
    /// An operator with an operand of the expression's type.
    Unary(UnaryOp, Box<Expression>),
    /// An operator on two operands of the same type.
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `condition ? then : otherwise`
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A call of a cost function.
    Call(FunctionIndex, Vec<Expression>),
    /// A call of a function of the runtime.
    Builtin(Builtin, Vec<Expression>),
    /// A random number from a distribution.
    Draw(Variate, Vec<Expression>),
    /// A process's neighbor on a Cartesian grid, such as `grid_left(pid, nx, ny, periodic)`. The
    /// arguments are the process, one to three grid sizes, and a bool. The run stops if a size is
    /// invalid.
    Neighbor(Neighbor, Vec<Expression>),
    /// `interpolate("table.csv", x)` or `interpolate("table.csv", x, y)`: looks up a value in a
    /// table. The fields are the table, the curve between its points, and the arguments.
    Interpolate(TableIndex, Curve, Vec<Expression>),
    /// `clc("2*CMLL,ANDL")`: the time that these operations take on the run's machine, in seconds.
    /// It is the sum of each operation's count times its price.
    Clc(Vec<Usage>),
    /// `rud("disk", "N*bytes,2*seeks")`: the time that a device of the machine takes for these
    /// resource data, in seconds.
    Rud(DeviceName, Vec<Usage>),
}

/// Identifies a custom device and, if the workload chooses one, its model.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceName {
    /// Name of the device.
    pub device: String,
    /// Name of the model; `None` if the workload doesn't choose one.
    pub model: Option<String>,
}

impl DeviceName {
    /// Combines this device with the names of the resource data in `usages`.
    pub fn with(&self, usages: &[Usage]) -> DeviceUse {
        let resources = usages.iter().map(|usage| usage.opcode.clone());
        (self.clone(), resources.collect())
    }
}

/// A device, and the names of the resource data that it is used with.
pub type DeviceUse = (DeviceName, Vec<String>);

/// How many times an operation is used, or how much of a device's resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    /// The count or amount, an expression of real type.
    pub count: Expression,
    /// Name of the operation, or of the device's resource.
    pub opcode: String,
}

/// What a name in an expression refers to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A global variable of the program.
    Global(GlobalIndex),
    /// A model parameter, which is read-only.
    Parameter(ParameterIndex),
    /// A variable of an enclosing diagram, by its name in the model.
    Local(String),
    /// An argument of the function, or a variable that this code declares.
    Own(String),
    /// A read-only integer that the system defines, such as `pid`.
    System(System),
}

prophet_text::named_enum! {
    /// System-defined names. All have integer values.
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
        /// Any source or any tag of a receive. Not allowed elsewhere.
        Any = "ANY",
        /// No process (-1). A message to or from it isn't sent.
        ProcNull = "PROC_NULL",
    }
}

prophet_text::named_enum! {
    /// How values between the points of a table are interpolated.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Curve {
        /// Straight lines, the default.
        Linear = "linear",
        /// Cubic curves that don't rise or fall where the points don't.
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
    /// Operators with two operands, spelled as in C and Rust.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the variants say it")]
    pub enum BinaryOp {
        // For ints and reals. Ints wrap, and dividing an int by zero stops the run.
        Add = "+",
        Subtract = "-",
        Multiply = "*",
        Divide = "/",
        Remainder = "%",
        // For ints. The number of bits to shift is taken modulo 64.
        ShiftLeft = "<<",
        ShiftRight = ">>",
        // For ints and bools. Both operands are always evaluated.
        BitAnd = "&",
        BitOr = "|",
        BitXor = "^",
        // For any scalars. The result is a bool.
        Equal = "==",
        NotEqual = "!=",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        // For bools. The second operand is evaluated only if it makes a difference.
        And = "&&",
        Or = "||",
    }
}

prophet_text::named_enum! {
    /// Functions of the runtime, implemented by `libm`. Parameters and results are reals unless
    /// noted otherwise.
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
        /// `abs` of an int. The result is an int, and wraps.
        AbsInt = "abs",
        /// `max` of two ints.
        MaxInt = "max",
        /// `min` of two ints.
        MinInt = "min",
    }
}

prophet_text::named_enum! {
    /// Distributions of random numbers. Parameters are reals unless noted otherwise.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Variate {
        /// `uniform(low, high)`
        Uniform = "uniform",
        /// `exponential(mean)`
        Exponential = "exponential",
        /// `normal(mean, deviation)`
        Normal = "normal",
        /// `lognormal(mu, sigma)`, with the mean and the deviation of the logarithm.
        Lognormal = "lognormal",
        /// `gamma(shape, scale)`
        Gamma = "gamma",
        /// `erlang(k, mean)`, the sum of `k` exponential variates. `k` is an int, and `mean` is the
        /// mean of the sum.
        Erlang = "erlang",
        /// `weibull(shape, scale)`
        Weibull = "weibull",
        /// `triangular(low, mode, high)`
        Triangular = "triangular",
        /// `poisson(mean)`, which returns an int.
        Poisson = "poisson",
        /// `bernoulli(probability)`, which returns a bool.
        Bernoulli = "bernoulli",
    }
}

prophet_text::named_enum! {
    /// Directions to neighbors on a Cartesian grid. The first coordinate varies fastest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Neighbor {
        /// To the first coordinate minus 1.
        Left = "grid_left",
        /// To the first coordinate plus 1.
        Right = "grid_right",
        /// To the second coordinate minus 1.
        Up = "grid_up",
        /// To the second coordinate plus 1.
        Down = "grid_down",
        /// To the third coordinate minus 1.
        Front = "grid_front",
        /// To the third coordinate plus 1.
        Back = "grid_back",
    }
}

impl Neighbor {
    /// Maximum number of dimensions of a grid.
    pub const DIMENSIONS_MAX: usize = 3;

    /// Returns the minimum number of grid dimensions for this direction.
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
    /// Declares a variable of this code. Without a value, it is zero or false at first.
    Declare {
        /// Name of the variable.
        name: String,
        /// Type of the variable.
        ty: Type,
        /// Initial value; always `None` for arrays.
        value: Option<Expression>,
    },
    /// `variable = value` or `variable[index] = value`. Compound assignments are expanded.
    Assign {
        /// The variable to assign to.
        target: Variable,
        /// Index of the element if the variable is an array.
        index: Option<Expression>,
        /// The new value. It has the target's type.
        value: Expression,
    },
    /// Evaluates an expression for its effects.
    Evaluate(Expression),
    /// `if condition { … } else { … }`
    If {
        /// The condition, of type bool.
        condition: Expression,
        /// Statements to run if the condition holds.
        then: Vec<Statement>,
        /// Statements to run otherwise; can be empty.
        otherwise: Vec<Statement>,
    },
    /// `while condition { …; step }`. A `continue` runs `step` first, as in C's `for`.
    While {
        /// The condition, of type bool.
        condition: Expression,
        /// Whether the body runs once before the first test, as in C's `do`.
        body_first: bool,
        /// Statements to repeat.
        body: Vec<Statement>,
        /// Assignments and expressions to run after each iteration. Empty if `body_first` is set.
        step: Vec<Statement>,
    },
    /// `break`: leaves the innermost loop.
    Break,
    /// `continue`: starts the next iteration of the innermost loop.
    Continue,
    /// `return value`. Only allowed in functions.
    Return(Expression),
    /// `{ … }`
    Block(Vec<Statement>),
}

/// What a piece of code needs in order to run. The needs of called functions aren't included;
/// [`crate::resolve`] adds them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
pub struct Needs {
    /// Whether the code reads or writes global variables or parameters.
    pub globals: bool,
    /// Whether the code reads system-defined names.
    pub system: bool,
    /// Whether the code draws random numbers.
    pub stream: bool,
    /// Whether the code can stop the run, because of a loop, a division or an index.
    pub fallible: bool,
    /// Operations that the machine must have prices for.
    pub opcodes: BTreeSet<String>,
    /// Custom devices that the code uses, with their resource data.
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

    /// Adds the needs of `other`, except its calls.
    pub(crate) fn merge_all_but_calls(&mut self, other: &Self) {
        self.globals |= other.globals;
        self.system |= other.system;
        self.stream |= other.stream;
        self.fallible |= other.fallible;
        self.opcodes.extend(other.opcodes.iter().cloned());
        self.devices.extend(other.devices.iter().cloned());
    }
}
