//! The checked form of the cost language. C's conversions have become explicit casts, so that every
//! operator has operands of one type and a handler only has to print.

use std::collections::BTreeSet;

/// The types of the cost language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// 64-bit, wraps.
    Int,
    /// IEEE double.
    Real,
    /// True or false.
    Bool,
    /// So many values of a scalar type.
    Array(Box<Type>, usize),
}

/// What a function takes and gives.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// Its name in the model.
    pub name: String,
    /// Names and types of its arguments; scalars.
    pub arguments: Vec<(String, Type)>,
    /// Its result; a scalar.
    pub result: Type,
}

/// A typed expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Its type.
    pub ty: Type,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExpressionKind {
    /// An integer.
    Int(i64),
    /// A real number, not negative: a Rust `f64` literal without suffix, the author's digits kept
    /// (`3.14`, `1e-6`).
    Real(String),
    /// `true` or `false`.
    Bool(bool),
    /// The value of a scalar variable.
    Variable(Variable),
    /// The value of an array's element; out of range stops the run.
    Index(Variable, Box<Expression>),
    /// A conversion as C makes it: int to real, real to int (towards zero, saturating), bool to
    /// either, either to bool (`!= 0`). The target is the expression's `ty`.
    Cast(Box<Expression>),
    /// An operator on one operand of the expression's type.
    Unary(UnaryOp, Box<Expression>),
    /// An operator on two operands of one type.
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `condition ? then : otherwise`.
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    /// A call of a cost function, by its index in the program.
    Call(usize, Vec<Expression>),
    /// A call of a function that the runtime has.
    Builtin(Builtin, Vec<Expression>),
    /// A draw from a distribution.
    Draw(Variate, Vec<Expression>),
    /// `interpolate("table.csv", x)`: the index of the table in the program, and `x`.
    Interpolate(usize, Box<Expression>),
}

/// What a name in an expression stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A global variable, by its index in the program.
    Global(usize),
    /// A model parameter, by its index in the program; read only.
    Parameter(usize),
    /// A variable of the enclosing diagrams, by the name the model gives it.
    Local(String),
    /// An argument of the function, or a variable declared in this piece of code.
    Own(String),
    /// What the machine and the unit are; read only, an integer.
    System(System),
}

/// The names that the system defines; all are integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the contract's own names")]
pub enum System {
    Uid,
    Pid,
    Tid,
    Nid,
    NumNodes,
    NumCpus,
    NumProcesses,
    NumThreads,
    /// The source of a receive from whoever sends, or the tag of one of any; only known there.
    Any,
}

impl System {
    /// All of them with their names in the cost language.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Uid, "uid"),
        (Self::Pid, "pid"),
        (Self::Tid, "tid"),
        (Self::Nid, "nid"),
        (Self::NumNodes, "NUM_NODES"),
        (Self::NumCpus, "NUM_CPUS"),
        (Self::NumProcesses, "NUM_PROCESSES"),
        (Self::NumThreads, "NUM_THREADS"),
        (Self::Any, "ANY"),
    ];

    /// Its name in the cost language; the runtime has it in lower case.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Operators on one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-x` on ints and reals.
    Negate,
    /// `!x` on bools.
    Not,
    /// `~x` on ints.
    Complement,
}

/// Operators on two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants say it")]
pub enum BinaryOp {
    // Ints (wrapping; division by zero stops the run) and reals.
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    // Ints; a shift's distance is taken modulo 64.
    ShiftLeft,
    ShiftRight,
    // Ints and bools, both operands evaluated.
    BitAnd,
    BitOr,
    BitXor,
    // Any scalars; the result is a bool.
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    // Bools, the second operand evaluated only if needed.
    And,
    Or,
}

/// Functions of the runtime, through `libm`; all take reals and give a real unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are C's own names")]
pub enum Builtin {
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atan2,
    Atanh,
    Cbrt,
    Ceil,
    Copysign,
    Cos,
    Cosh,
    Erf,
    Erfc,
    Exp,
    Exp2,
    Expm1,
    Fabs,
    Fdim,
    Floor,
    Fma,
    Fmax,
    Fmin,
    Fmod,
    Hypot,
    Lgamma,
    Log,
    Log10,
    Log1p,
    Log2,
    Pow,
    Rint,
    Round,
    Sin,
    Sinh,
    Sqrt,
    Tan,
    Tanh,
    Tgamma,
    Trunc,
    /// `abs`, on an int (wraps), gives an int.
    AbsInt,
    /// `max` of two ints.
    MaxInt,
    /// `min` of two ints.
    MinInt,
}

/// Distributions; arguments are reals unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variate {
    /// `uniform(low, high)`.
    Uniform,
    /// `exponential(mean)`.
    Exponential,
    /// `normal(mean, deviation)`.
    Normal,
    /// `lognormal(mu, sigma)` of the logarithm.
    Lognormal,
    /// `gamma(shape, scale)`.
    Gamma,
    /// `erlang(k, mean)`: the sum of `k` (int) exponentials; `mean` is the sum's.
    Erlang,
    /// `weibull(shape, scale)`.
    Weibull,
    /// `triangular(low, mode, high)`.
    Triangular,
    /// `poisson(mean)`, gives an int.
    Poisson,
    /// `bernoulli(probability)`, gives a bool.
    Bernoulli,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// A variable of this piece of code; without a value it starts at zero or false.
    Declare {
        /// Its name.
        name: String,
        /// Its type.
        ty: Type,
        /// Its first value; scalars only.
        value: Option<Expression>,
    },
    /// `variable = value`, or `variable[index] = value`. Compound assignments are spelled out.
    Assign {
        /// What is assigned to.
        target: Variable,
        /// Which element of it, if it is an array.
        index: Option<Expression>,
        /// The value, of the target's type.
        value: Expression,
    },
    /// An expression for its effects.
    Evaluate(Expression),
    /// `if condition { … } else { … }`.
    If {
        /// A bool.
        condition: Expression,
        /// What to do if it holds.
        then: Vec<Statement>,
        /// What to do if not; may be empty.
        otherwise: Vec<Statement>,
    },
    /// `while condition { …; step }`; `continue` runs `step` first (C's `for`).
    While {
        /// A bool.
        condition: Expression,
        /// Whether the body runs before the first test (C's `do`).
        body_first: bool,
        /// What to repeat.
        body: Vec<Statement>,
        /// What to do behind each turn: assignments and values alone. Empty if `body_first`.
        step: Vec<Statement>,
    },
    /// `break` out of the innermost loop.
    Break,
    /// `continue` with the innermost loop.
    Continue,
    /// `return value`, in functions only.
    Return(Expression),
    /// `{ … }`.
    Block(Vec<Statement>),
}

/// What a piece of code needs from its surroundings; computed over calls too by [`crate::resolve`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of each other"
)]
pub struct Needs {
    /// It reads or writes global variables or parameters.
    pub globals: bool,
    /// It reads system names.
    pub system: bool,
    /// It draws random numbers.
    pub stream: bool,
    /// It can stop the run: a division or index that can fail, a loop.
    pub fallible: bool,
    /// The cost functions it calls itself; those that these call are not among them.
    pub calls: BTreeSet<usize>,
}

impl Needs {
    /// Adds what `other` needs.
    pub fn merge(&mut self, other: &Self) {
        self.merge_all_but_calls(other);
        self.calls.extend(&other.calls);
    }

    /// Adds what `other`, which it calls, needs.
    pub(crate) fn merge_all_but_calls(&mut self, other: &Self) {
        self.globals |= other.globals;
        self.system |= other.system;
        self.stream |= other.stream;
        self.fallible |= other.fallible;
    }
}
