//! Creates random C expressions that the front end accepts, and evaluates them by C's rules.

use prophet_model::model::Language;
use prophet_testing::Random;

/// The variables: `GV` and `k` are ints, `P` is a double, `ok` is a bool, `A` contains doubles, and
/// `I` contains ints.
#[derive(Debug, Clone)]
pub(super) struct Variables {
    pub(super) gv: i64,
    pub(super) k: i64,
    pub(super) p: f64,
    pub(super) ok: bool,
    pub(super) a: [f64; 8],
    pub(super) i: [i64; 4],
}

#[derive(Debug, Clone)]
pub(super) enum C {
    Int(i64),
    Real(f64),
    Name(&'static str),
    Item(&'static str, Box<C>),
    Unary(&'static str, Box<C>),
    Binary(&'static str, Box<C>, Box<C>),
    Conditional(Box<C>, Box<C>, Box<C>),
    Cast(&'static str, Box<C>),
    Call(&'static str, Vec<C>),
}

struct Dice(Random);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.0.pick(from)
    }

    fn int(&mut self) -> i64 {
        let few = [0, 1, 2, 3, 7, 63, 64, 1000, 4_294_967_296, i64::MAX];
        self.pick(&few)
    }

    fn real(&mut self) -> f64 {
        self.pick(&[0.0, 0.5, 1.0, 2.75, 1e-3, 1e10, 1e300, 9.5e18])
    }

    fn variables(&mut self) -> Variables {
        let sign = |dice: &mut Self, value: i64| if dice.roll(2) == 0 { value } else { !value };
        let real = |dice: &mut Self| {
            let value = dice.real();
            if dice.roll(2) == 0 { value } else { -value }
        };
        Variables {
            gv: {
                let v = self.int();
                sign(self, v)
            },
            k: {
                let v = self.int();
                sign(self, v)
            },
            p: real(self),
            ok: self.roll(2) == 0,
            a: std::array::from_fn(|_| real(self)),
            i: std::array::from_fn(|_| {
                let v = self.int();
                sign(self, v)
            }),
        }
    }

    fn boxed(&mut self, depth: usize, whole: bool) -> Box<C> {
        Box::new(self.expression(depth, whole))
    }

    /// Creates a random expression. With `whole`, it is an integer or a truth value.
    fn expression(&mut self, depth: usize, whole: bool) -> C {
        if depth == 0 {
            return match self.roll(if whole { 4 } else { 7 }) {
                0 => C::Int(self.int()),
                1 => C::Name(self.pick(&["GV", "k"])),
                2 => C::Name(self.pick(&["ok", "true", "false"])),
                3 => C::Item("I", Box::new(C::Int(self.int() & 3))),
                4 => C::Real(self.real()),
                5 => C::Name("P"),
                _ => C::Item("A", Box::new(C::Int(self.int() & 7))),
            };
        }
        let depth = depth - 1;
        match self.roll(12) {
            0 => C::Unary(self.pick(&["-", "+"]), self.boxed(depth, whole)),
            1 => C::Unary("!", self.boxed(depth, false)),
            2 => C::Unary("~", self.boxed(depth, true)),
            3 | 4 => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
                C::Binary(op, self.boxed(depth, false), self.boxed(depth, false))
            }
            5 => {
                let op = self.pick(&["%", "&", "|", "^"]);
                C::Binary(op, self.boxed(depth, true), self.boxed(depth, true))
            }
            6 => {
                // In C, larger shifts are undefined, and truth values are shifted in 32 bits.
                let by = C::Binary("&", self.boxed(depth, true), Box::new(C::Int(63)));
                let value = C::Cast("long", self.boxed(depth, true));
                C::Binary(self.pick(&["<<", ">>"]), Box::new(value), Box::new(by))
            }
            7 => C::Conditional(
                self.boxed(depth, false),
                self.boxed(depth, whole),
                self.boxed(depth, whole),
            ),
            8 if whole => C::Cast(self.pick(&["long", "bool"]), self.boxed(depth, false)),
            8 => C::Cast(
                self.pick(&["long", "bool", "double"]),
                self.boxed(depth, false),
            ),
            9 if whole => {
                let arguments = vec![self.expression(depth, true), self.expression(depth, true)];
                C::Call(self.pick(&["min", "max"]), arguments)
            }
            9 => {
                let argument = self.expression(depth, false);
                C::Call(self.pick(&["fabs", "floor", "sqrt"]), vec![argument])
            }
            _ => {
                let op = self.pick(&["+", "-", "*", "/"]);
                C::Binary(op, self.boxed(depth, whole), self.boxed(depth, whole))
            }
        }
    }
}

impl C {
    /// Renders the expression with only the parentheses that C needs. Also returns its precedence.
    fn text(&self) -> (String, u32) {
        let inner = |operand: &C, least: u32| {
            let (text, binds) = operand.text();
            if binds < least {
                format!("({text})")
            } else {
                text
            }
        };
        match self {
            Self::Int(value) => (format!("{value}L"), 16),
            Self::Real(value) => (format!("{value:?}"), 16),
            Self::Name(name) => ((*name).to_owned(), 16),
            Self::Item(name, index) => (format!("{name}[{}]", index.text().0), 16),
            Self::Unary(op, operand) => (format!("{op} {}", inner(operand, 14)), 14),
            Self::Cast(ty, operand) => (format!("({ty}){}", inner(operand, 14)), 14),
            Self::Binary(op, left, right) => {
                let binds = precedence(op);
                let (left, right) = (inner(left, binds), inner(right, binds + 1));
                (format!("{left} {op} {right}"), binds)
            }
            Self::Conditional(condition, then, otherwise) => {
                let condition = inner(condition, 3);
                let (then, otherwise) = (inner(then, 2), inner(otherwise, 2));
                (format!("{condition} ? {then} : {otherwise}"), 2)
            }
            Self::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|a| a.text().0).collect();
                (format!("{name}({})", arguments.join(", ")), 16)
            }
        }
    }
}

fn precedence(op: &str) -> u32 {
    match op {
        "*" | "/" | "%" => 13,
        "+" | "-" => 12,
        "<<" | ">>" => 11,
        "<" | "<=" | ">" | ">=" => 10,
        "==" | "!=" => 9,
        "&" => 8,
        "^" => 7,
        "|" => 6,
        "&&" => 5,
        _ => 4,
    }
}

impl Variables {
    fn value(&self, name: &str) -> V {
        match name {
            "GV" => V::Int(self.gv),
            "k" => V::Int(self.k),
            "P" => V::Real(self.p),
            "ok" => V::Int(i64::from(self.ok)),
            "true" => V::Int(1),
            _ => V::Int(0),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum V {
    Int(i64),
    Real(f64),
}

impl C {
    /// Evaluates the expression by C's rules with wrapping 64-bit integers; `None` if it divides an
    /// integer by zero. Sets `undefined` if the result depends on the compiler.
    pub(super) fn run(&self, on: &Variables, undefined: &mut bool) -> Option<V> {
        Some(match self {
            Self::Int(value) => V::Int(*value),
            Self::Real(value) => V::Real(*value),
            Self::Name(name) => on.value(name),
            Self::Item(name, index) => {
                let V::Int(index) = index.run(on, undefined)? else {
                    panic!("indices are ints");
                };
                let index = usize::try_from(index).expect("indices are small");
                match *name {
                    "A" => V::Real(on.a[index]),
                    _ => V::Int(on.i[index]),
                }
            }
            Self::Unary(op, operand) => match (*op, operand.run(on, undefined)?) {
                ("-", V::Int(value)) => V::Int(value.wrapping_neg()),
                ("-", V::Real(value)) => V::Real(-value),
                ("+", value) => value,
                ("!", value) => V::Int(i64::from(!truth(value))),
                ("~", V::Int(value)) => V::Int(-1 - value),
                other => panic!("{other:?}"),
            },
            Self::Cast(ty, operand) => {
                let value = operand.run(on, undefined)?;
                match *ty {
                    "double" => V::Real(real(value)),
                    "bool" => V::Int(i64::from(truth(value))),
                    _ => V::Int(whole(value, undefined)),
                }
            }
            Self::Conditional(condition, then, otherwise) => {
                let branch = if truth(condition.run(on, undefined)?) {
                    then
                } else {
                    otherwise
                };
                let value = branch.run(on, undefined)?;
                if then.is_real() || otherwise.is_real() {
                    V::Real(real(value))
                } else {
                    value
                }
            }
            Self::Call(name, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(argument.run(on, undefined)?);
                }
                match (*name, values.as_slice()) {
                    ("min", [V::Int(a), V::Int(b)]) => V::Int(if a < b { *a } else { *b }),
                    ("max", [V::Int(a), V::Int(b)]) => V::Int(if a > b { *a } else { *b }),
                    ("fabs", [a]) => V::Real(real(*a).abs()),
                    ("floor", [a]) => V::Real(real(*a).floor()),
                    ("sqrt", [a]) => V::Real(real(*a).sqrt()),
                    other => panic!("{other:?}"),
                }
            }
            Self::Binary(op, left, right) => {
                let left = left.run(on, undefined)?;
                match *op {
                    "&&" if !truth(left) => V::Int(0),
                    "||" if truth(left) => V::Int(1),
                    "&&" | "||" => V::Int(i64::from(truth(right.run(on, undefined)?))),
                    _ => operate(op, left, right.run(on, undefined)?, undefined)?,
                }
            }
        })
    }

    fn is_real(&self) -> bool {
        match self {
            Self::Int(_) => false,
            Self::Real(_) => true,
            Self::Name(name) | Self::Item(name, _) => matches!(*name, "P" | "A"),
            Self::Unary(op, operand) => *op != "!" && operand.is_real(),
            Self::Cast(ty, _) => *ty == "double",
            Self::Conditional(_, a, b) => a.is_real() || b.is_real(),
            Self::Call(name, _) => !matches!(*name, "min" | "max"),
            Self::Binary(op, a, b) => {
                matches!(*op, "+" | "-" | "*" | "/") && (a.is_real() || b.is_real())
            }
        }
    }
}

fn truth(value: V) -> bool {
    match value {
        V::Int(value) => value != 0,
        V::Real(value) => value != 0.0,
    }
}

#[expect(clippy::cast_precision_loss, reason = "C rounds as well")]
pub(super) fn real(value: V) -> f64 {
    match value {
        V::Int(value) => value as f64,
        V::Real(value) => value,
    }
}

/// Converts a value to an integer, rounding toward zero. If the value is out of range, C doesn't
/// define the result; it saturates here.
fn whole(value: V, undefined: &mut bool) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    match value {
        V::Int(value) => value,
        V::Real(value) => {
            let inside = (-LIMIT..LIMIT).contains(&value);
            *undefined |= !inside;
            if value.is_nan() {
                0
            } else if value >= LIMIT {
                i64::MAX
            } else if value < -LIMIT {
                i64::MIN
            } else {
                let text = format!("{:.0}", value.trunc());
                text.parse().expect("it is in range")
            }
        }
    }
}

#[expect(clippy::float_cmp, reason = "it is C's comparison")]
fn operate(op: &str, left: V, right: V, undefined: &mut bool) -> Option<V> {
    let (V::Int(a), V::Int(b)) = (left, right) else {
        let (a, b) = (real(left), real(right));
        let truth = match op {
            "+" => return Some(V::Real(a + b)),
            "-" => return Some(V::Real(a - b)),
            "*" => return Some(V::Real(a * b)),
            "/" => return Some(V::Real(a / b)),
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            ">=" => a >= b,
            "==" => a == b,
            _ => a != b,
        };
        return Some(V::Int(i64::from(truth)));
    };
    let wide = |value: i128| {
        let low = u64::try_from(value & i128::from(u64::MAX)).expect("64 bits are left");
        i64::from_ne_bytes(low.to_ne_bytes())
    };
    let (x, y) = (i128::from(a), i128::from(b));
    Some(V::Int(match op {
        "+" => wide(x + y),
        "-" => wide(x - y),
        "*" => wide(x * y),
        "/" | "%" if b == 0 => return None,
        "/" | "%" => {
            *undefined |= a == i64::MIN && b == -1;
            wide(if op == "/" { x / y } else { x % y })
        }
        "<<" => wide(x << b),
        ">>" => a >> b,
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<" => i64::from(a < b),
        "<=" => i64::from(a <= b),
        ">" => i64::from(a > b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        _ => i64::from(a != b),
    }))
}

/// Creates a random case; `None` if it divides by a constant zero, which the front end rejects.
pub(super) fn case(seed: u64) -> Option<(String, C, Variables)> {
    let mut dice = Dice(Random(seed));
    let on = dice.variables();
    let depth = 1 + dice.roll(5);
    let expression = dice.expression(depth, false);
    let text = expression.text().0;
    let (_, messages) = super::read(&text, Language::C, super::As::Real);
    if messages.iter().any(|m| m.starts_with("PM0212")) {
        return None;
    }
    Some((text, expression, on))
}

/// Creates the text of a random expression that the front end accepts.
pub(crate) fn random_expression(seed: u64) -> Option<String> {
    case(seed).map(|(text, ..)| text)
}
