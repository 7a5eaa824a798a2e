//! Evaluates expressions on a stack machine.

/// The value of a name in an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Number(f64),
    Text(&'a str),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Op {
    Number(f64),
    Text(String),
    Name(usize),
    Negate,
    Not,
    Binary(Binary),
    /// Tests whether two texts are equal (`true`) or different (`false`).
    Same(bool),
    Call(Function),
    /// Replaces three values with the second one if the first one holds, or otherwise with the
    /// third one.
    Choose,
}

impl Op {
    pub(super) const fn name(&self) -> Option<usize> {
        match self {
            Self::Name(index) => Some(*index),
            _ => None,
        }
    }
}

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Binary {
        Add = "+",
        Subtract = "-",
        Multiply = "*",
        Divide = "/",
        Remainder = "%",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        Equal = "==",
        NotEqual = "!=",
        And = "&&",
        Or = "||",
    }
}

impl Binary {
    pub(super) fn of(mark: &str) -> Self {
        let found = Self::ALL.into_iter().find(|it| it.name() == mark);
        found.unwrap_or_else(|| unreachable!("{mark} stands between no values"))
    }
}

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Function {
        Abs = "abs",
        Ceil = "ceil",
        Exp = "exp",
        Floor = "floor",
        Log = "log",
        Log10 = "log10",
        Log2 = "log2",
        Max = "max",
        Min = "min",
        Pow = "pow",
        Round = "round",
        Sqrt = "sqrt",
    }
}

impl Function {
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    pub(super) const fn is_open(self) -> bool {
        matches!(self, Self::Max | Self::Min)
    }

    pub(super) const fn arguments(self) -> usize {
        match self {
            Self::Max | Self::Min | Self::Pow => 2,
            _ => 1,
        }
    }

    fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Abs => a.abs(),
            Self::Ceil => a.ceil(),
            Self::Exp => libm::exp(a),
            Self::Floor => a.floor(),
            Self::Log => libm::log(a),
            Self::Log10 => libm::log10(a),
            Self::Log2 => libm::log2(a),
            Self::Max => largest(a, b),
            Self::Min => -largest(-a, -b),
            Self::Pow => libm::pow(a, b),
            Self::Round => a.round(),
            Self::Sqrt => a.sqrt(),
        }
    }
}

/// Returns the larger of two numbers, or NaN if either is NaN.
fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// A value on the stack: a number, or a condition. A condition is 1 or 0, and has a distance from
/// holding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) number: f64,
    pub(super) margin: f64,
}

impl Item {
    const fn number(number: f64) -> Self {
        Self {
            number,
            margin: f64::NAN,
        }
    }

    /// Creates a condition from its distance from holding. It holds if the distance is at most 0.
    fn condition(margin: f64) -> Self {
        let holds = if margin.is_nan() {
            f64::NAN
        } else {
            f64::from(u8::from(margin <= 0.0))
        };
        Self {
            number: holds,
            margin,
        }
    }
}

pub(super) fn evaluate(code: &[Op], values: &[Value<'_>]) -> Item {
    let (mut stack, mut texts): (Vec<Item>, Vec<&str>) = (Vec::new(), Vec::new());
    for op in code {
        match op {
            Op::Number(value) => stack.push(Item::number(*value)),
            Op::Text(text) => texts.push(text),
            Op::Name(index) => match values[*index] {
                Value::Number(value) => stack.push(Item::number(value)),
                Value::Text(text) => texts.push(text),
            },
            Op::Same(equal) => {
                let (b, a) = (texts.pop(), texts.pop());
                let holds = (a == b) == *equal;
                stack.push(Item::condition(f64::from(u8::from(!holds))));
            }
            Op::Negate | Op::Not | Op::Call(_) | Op::Binary(_) | Op::Choose => {
                let Some(item) = apply(op, &mut stack) else {
                    return Item::number(f64::NAN);
                };
                stack.push(item);
            }
        }
    }
    stack.pop().unwrap_or(Item::number(f64::NAN))
}

/// Applies an operation to the top of the stack. Returns `None` if the kind of a value has changed
/// since the expression was parsed.
fn apply(op: &Op, stack: &mut Vec<Item>) -> Option<Item> {
    let top = stack.pop()?;
    Some(match op {
        Op::Negate => Item::number(-top.number),
        Op::Not => negated(top),
        Op::Call(function) if function.arguments() == 1 => {
            Item::number(function.value(top.number, 0.0))
        }
        Op::Call(function) => Item::number(function.value(stack.pop()?.number, top.number)),
        Op::Binary(binary) => binary_value(*binary, stack.pop()?, top),
        _ => {
            let then = stack.pop()?;
            let condition = stack.pop()?.number;
            if condition.is_nan() {
                Item::number(f64::NAN)
            } else if condition > 0.0 {
                then
            } else {
                top
            }
        }
    })
}

/// Negates a condition. At the boundary, where a condition holds with distance 0, its negation gets
/// the smallest positive distance.
fn negated(item: Item) -> Item {
    Item::condition(if item.margin == 0.0 {
        f64::MIN_POSITIVE
    } else {
        -item.margin
    })
}

fn binary_value(binary: Binary, a: Item, b: Item) -> Item {
    let (x, y) = (a.number, b.number);
    match binary {
        Binary::Add => Item::number(x + y),
        Binary::Subtract => Item::number(x - y),
        Binary::Multiply => Item::number(x * y),
        Binary::Divide => Item::number(x / y),
        Binary::Remainder => Item::number(x % y),
        Binary::LessEqual => Item::condition(distance(x, y)),
        Binary::GreaterEqual => Item::condition(distance(y, x)),
        Binary::Less => negated(Item::condition(distance(y, x))),
        Binary::Greater => negated(Item::condition(distance(x, y))),
        Binary::Equal => Item::condition(distance(x, y).abs()),
        Binary::NotEqual => negated(Item::condition(distance(x, y).abs())),
        Binary::And => Item::condition(largest(a.margin, b.margin)),
        Binary::Or => Item::condition(-largest(-a.margin, -b.margin)),
    }
}

/// Returns by how much the first number is too large. The result is 0 only if they are equal.
#[expect(clippy::float_cmp, reason = "equal numbers are equal to the bit")]
fn distance(x: f64, y: f64) -> f64 {
    if x == y {
        return 0.0;
    }
    let by_ratio = x > 0.0 && y > 0.0 && x.is_finite() && y.is_finite();
    let distance = if by_ratio {
        libm::log(x) - libm::log(y)
    } else {
        x - y
    };
    // The logarithms of neighboring numbers can be equal.
    if distance == 0.0 {
        f64::MIN_POSITIVE.copysign(if x > y { 1.0 } else { -1.0 })
    } else {
        distance
    }
}
