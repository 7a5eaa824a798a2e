//! Random C expressions, as text that the front end accepts.

use prophet_model::model::Language;

/// The variables: `GV`, `k` are ints, `P` a double, `ok` a bool, `A` doubles, `I` ints.
#[derive(Debug, Clone)]
pub(super) struct Variables {
    pub(super) gv: i64,
    pub(super) k: i64,
    pub(super) p: f64,
    pub(super) ok: bool,
    pub(super) a: [f64; 8],
    pub(super) i: [i64; 4],
}

/// A C expression.
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

/// A small generator of random numbers (splitmix64), so that a case is one seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 33).expect("31 bits fit") % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
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

    /// Draws an expression; of an integer or truth value if `whole`.
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
                // Wider shifts are undefined in C, and shifts of its 32-bit truth values short.
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
    /// Renders the text, with the parentheses that C needs and no others, and its precedence.
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

/// Draws a case, unless it divides by a constant zero, which the front end refuses.
pub(super) fn case(seed: u64) -> Option<(String, C, Variables)> {
    let mut dice = Dice(seed);
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

/// Draws the text of an expression that the front end accepts.
pub(crate) fn random_expression(seed: u64) -> Option<String> {
    case(seed).map(|(text, ..)| text)
}
