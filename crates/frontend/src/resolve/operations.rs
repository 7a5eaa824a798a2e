//! Turns costs that consist of operations into cost functions, because the listings in the papers
//! show one for each element.

use std::collections::BTreeMap;

use super::Resolver;
use super::names::{is_identifier, plain};
use crate::lang::ir::{Expression, ExpressionKind as Kind, Signature, Statement, Type, Variable};
use crate::program::{Function, FunctionIndex, ListPlace as _};
use prophet_model::model::{Code, Element, Language};
use prophet_model::source::Text;

impl Resolver<'_> {
    /// Replaces an element's cost with a call of a new cost function, if the cost uses operations.
    /// The function is named after the element, such as `FWork` for `Work`. Its arguments are the
    /// diagram variables that the cost reads.
    pub(super) fn named_cost(
        &mut self,
        element: &Element,
        cost: &Text,
        price: Expression,
    ) -> Expression {
        let mut uses = false;
        price.visit(&mut |it| uses |= matches!(it.kind, Kind::Clc(_)));
        let name = format!("F{}", element.name);
        if !uses || price.ty != Type::Real || !is_identifier(&name) {
            return price;
        }
        let mut locals = BTreeMap::new();
        let mut body = price.clone();
        if !own(&mut body, &mut locals) {
            // Functions can't have arrays as arguments.
            return price;
        }
        let body = vec![Statement::Return(body)];
        let arguments: Vec<(String, Type)> = locals.into_iter().collect();
        let call = |function| Expression {
            kind: Kind::Call(function, arguments.iter().map(argument).collect()),
            ty: Type::Real,
        };
        let same = |it: &Function| it.body == body && it.signature.arguments == arguments;
        if let Some((known, _)) = self.program.functions.entries().find(|it| same(it.1)) {
            return call(known);
        }
        let needs = self.needs_of_statements(&body);
        let index = FunctionIndex::new(self.program.functions.len());
        self.program.functions.push(Function {
            signature: Signature {
                name: self.free_name(&name),
                arguments: arguments.clone(),
                result: Type::Real,
            },
            body,
            needs,
            used: true,
            source: Code {
                language: Language::C,
                text: cost.clone(),
            },
            comment: Some(format!("The operations of {}.", element.name)),
        });
        self.note_differing_function(index);
        call(index)
    }

    /// Derives a name that differs from all functions in every target's spelling.
    fn free_name(&self, name: &str) -> String {
        let functions = &self.program.functions;
        let is_taken = |name: &str| {
            functions
                .iter()
                .any(|it| plain(&it.signature.name) == plain(name))
        };
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }
}

fn argument((name, ty): &(String, Type)) -> Expression {
    Expression {
        kind: Kind::Variable(Variable::Local(name.clone())),
        ty: ty.clone(),
    }
}

/// Turns diagram variables into arguments. Returns `false` if one of them is an array.
fn own(expression: &mut Expression, locals: &mut BTreeMap<String, Type>) -> bool {
    match &mut expression.kind {
        Kind::Int(_) | Kind::Real(_) | Kind::Bool(_) => true,
        Kind::Variable(variable) => {
            if let Variable::Local(name) = variable {
                locals.insert(name.clone(), expression.ty.clone());
                *variable = Variable::Own(name.clone());
            }
            true
        }
        Kind::Index(array, index) => !matches!(array, Variable::Local(_)) && own(index, locals),
        Kind::Cast(operand) | Kind::Unary(_, operand) => own(operand, locals),
        Kind::Binary(_, left, right) => own(left, locals) && own(right, locals),
        Kind::If(condition, then, otherwise) => {
            { [condition, then, otherwise].into_iter() }.all(|it| own(it, locals))
        }
        Kind::Call(_, all)
        | Kind::Builtin(_, all)
        | Kind::Draw(_, all)
        | Kind::Neighbor(_, all)
        | Kind::Interpolate(_, _, all) => all.iter_mut().all(|it| own(it, locals)),
        Kind::Clc(all) | Kind::Rud(_, all) => all.iter_mut().all(|it| own(&mut it.count, locals)),
    }
}
