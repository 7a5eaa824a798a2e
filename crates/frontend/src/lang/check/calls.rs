//! Checks calls: finds the called function, and checks the arguments.

use super::{At, Checker, TypedExpression, cast, did_you_mean, typed};
use crate::lang::constant::{Constant, constant};
use crate::lang::ir::{Builtin, Curve, Expression, ExpressionKind, Neighbor, Type, Variate};
use crate::lang::names::{self, Callee};
use prophet_model::diagnostic::Advice;
use prophet_model::diagnostic::catalogue::lang as rules;

impl Checker<'_> {
    /// Checks a call of the function `name`, given its checked arguments. Calls of `interpolate`
    /// and `clc` are checked elsewhere.
    pub(in crate::lang) fn call(
        &mut self,
        name: &str,
        at: At,
        arguments: Vec<TypedExpression>,
    ) -> Option<Expression> {
        let scope = self.scope;
        let Some(callee) = names::function(name, scope) else {
            return self.unknown_function(name, at);
        };
        match callee {
            Callee::Cost(index, signature) => {
                let types: Vec<Type> = signature.arguments.iter().map(|a| a.1.clone()).collect();
                let arguments = self.arguments(name, at, arguments, &types)?;
                let kind = ExpressionKind::Call(index, arguments);
                Some(typed(kind, signature.result.clone()))
            }
            Callee::Real(builtin) => self.builtin(name, at, builtin, arguments),
            Callee::ToInt(builtin) => {
                let call = self.builtin(name, at, builtin, arguments)?;
                Some(cast(call, &Type::Int))
            }
            Callee::Abs => self.overloaded(name, at, (Builtin::AbsInt, Builtin::Fabs), arguments),
            Callee::Max => self.overloaded(name, at, (Builtin::MaxInt, Builtin::Fmax), arguments),
            Callee::Min => self.overloaded(name, at, (Builtin::MinInt, Builtin::Fmin), arguments),
            Callee::Draw(variate) => {
                let places: Vec<At> = arguments.iter().map(|it| it.at).collect();
                let arguments = self.arguments(name, at, arguments, variate.parameters())?;
                self.probability(variate, &arguments, &places)?;
                Some(typed(
                    ExpressionKind::Draw(variate, arguments),
                    variate.result(),
                ))
            }
            Callee::Neighbor(of) => self.neighbor(of, at, arguments),
            Callee::Clc => self.not_one_string(at),
            Callee::Rud => self.not_strings(at),
            Callee::Interpolate => {
                let message = "the first argument of `interpolate` must be a file name in quotes";
                let help = "write `interpolate(\"table.csv\", x)`";
                self.error(&rules::TYPE_MISMATCH, at, message, help)
            }
        }
    }

    /// Reports a probability that is known and out of range.
    fn probability(
        &mut self,
        variate: Variate,
        arguments: &[Expression],
        places: &[At],
    ) -> Option<()> {
        let given = arguments.first().and_then(constant);
        match (variate, given, places) {
            (Variate::Bernoulli, Some(Constant::Real(value)), &[at])
                if !(0.0..=1.0).contains(&value) =>
            {
                let message = format!("the probability {value} is out of range (0 to 1)");
                let help = "write a probability such as `bernoulli(0.5)`";
                self.error(&rules::CERTAIN_FAULT, at, message, help)
            }
            _ => Some(()),
        }
    }

    /// Checks a call that computes a process's neighbor. Its arguments are the process, the grid's
    /// sizes, and whether the grid is periodic.
    fn neighbor(
        &mut self,
        of: Neighbor,
        at: At,
        arguments: Vec<TypedExpression>,
    ) -> Option<Expression> {
        let (given, min) = (arguments.len(), of.dimensions_min());
        let dimensions = given.saturating_sub(2);
        if !(min..=Neighbor::DIMENSIONS_MAX).contains(&dimensions) {
            let sizes = ["nx", "ny", "nz"][..min].join(", ");
            let (name, numbers) = (
                of.name(),
                match min {
                    1 => "one to three sizes",
                    2 => "two or three sizes",
                    _ => "three sizes",
                },
            );
            let message = format!(
                "`{name}` takes a process, {numbers} of the grid, and whether the grid is \
                 periodic, but {given} arguments are given"
            );
            let help = format!("write it as `{name}(pid, {sizes}, false)`");
            return self.error(&rules::ARGUMENT_COUNT, at, message, help);
        }
        let places: Vec<At> = arguments.iter().map(|argument| argument.at).collect();
        let mut types = vec![Type::Int; given];
        types[given - 1] = Type::Bool;
        let arguments = self.arguments(of.name(), at, arguments, &types)?;
        for (size, at) in arguments.iter().zip(places).take(given - 1).skip(1) {
            if let Some(Constant::Int(number)) = constant(size)
                && number < 1
            {
                let message = format!("a grid of {number} processes is empty");
                let help = "each size of a grid must be at least 1";
                return self.error(&rules::CERTAIN_FAULT, at, message, help);
            }
        }
        Some(typed(ExpressionKind::Neighbor(of, arguments), Type::Int))
    }

    /// Returns `true` if `name` is the built-in `interpolate`, rather than a cost function with
    /// that name.
    pub(in crate::lang) fn is_interpolate(&self, name: &str) -> bool {
        names::function(name, self.scope) == Some(Callee::Interpolate)
    }

    /// Checks `interpolate(file, x)` or `interpolate(file, x, y)`, with or without the name of a
    /// curve at the end. Strings with escapes are `None`.
    pub(in crate::lang) fn interpolate(
        &mut self,
        call: At,
        (file, at): (Option<&str>, At),
        arguments: Vec<TypedExpression>,
        curve: Option<(Option<&str>, At)>,
    ) -> Option<Expression> {
        let given = arguments.len();
        if given == 0 || given > 2 {
            let message =
                format!("`interpolate` takes one or two numbers after its table, not {given}");
            return self.error(&rules::ARGUMENT_COUNT, call, message, "");
        }
        let Some(file) = file else {
            let message = "a table's name must be one string without escapes";
            return self.error(&rules::UNKNOWN_TABLE, at, message, "");
        };
        let curve = curve.map_or(Some(Curve::Linear), |(name, at)| self.curve(name, at));
        let Some((table, needed)) = self.scope.tables.get(file).copied() else {
            let message = format!("cannot find the table `{file}`");
            let help = "put the file next to the model";
            return self.error(&rules::UNKNOWN_TABLE, at, message, help);
        };
        if let Some(needed) = needed.filter(|needed| *needed != given) {
            let columns = needed + 1;
            let message =
                format!("`{file}` has {columns} columns: the lookup takes {needed}, not {given}");
            return self.error(&rules::ARGUMENT_COUNT, at, message, "");
        }
        let reals = arguments.into_iter().map(|it| self.coerce(it, &Type::Real));
        let reals: Vec<Option<Expression>> = reals.collect();
        let reals = reals.into_iter().collect::<Option<_>>()?;
        let kind = ExpressionKind::Interpolate(table, curve?, reals);
        Some(typed(kind, Type::Real))
    }

    fn curve(&mut self, name: Option<&str>, at: At) -> Option<Curve> {
        let curve = name.and_then(Curve::of_name);
        if curve.is_none() {
            let help = "the curves are \"linear\" (the default) and \"monotone\"";
            return self.not_allowed(at, "this curve", help);
        }
        curve
    }

    pub(in crate::lang) fn unknown_function<T>(&mut self, name: &str, at: At) -> Option<T> {
        let (message, advice) = if self.knows(name) {
            (
                format!("`{name}` is a variable and cannot be called"),
                Advice::default(),
            )
        } else {
            let advice = match (name, names::similar_function(name, self.scope)) {
                ("exp10" | "pow10", _) => "write `pow(10, x)`".into(),
                ("sqr" | "square", _) => "write `pow(x, 2)`".into(),
                (_, None) => "docs/cost-language.md lists the functions".into(),
                (_, similar) => did_you_mean(similar),
            };
            (format!("unknown function `{name}`"), advice)
        };
        self.error(&rules::UNKNOWN_FUNCTION, at, message, advice)
    }

    /// Checks a call of a function with real parameters.
    pub(in crate::lang) fn builtin(
        &mut self,
        name: &str,
        at: At,
        builtin: Builtin,
        arguments: Vec<TypedExpression>,
    ) -> Option<Expression> {
        let types = vec![Type::Real; builtin.arity()];
        let arguments = self.arguments(name, at, arguments, &types)?;
        let kind = ExpressionKind::Builtin(builtin, arguments);
        Some(typed(kind, Type::Real))
    }

    /// Checks a call of a function that has a variant for integers and a variant for reals.
    pub(in crate::lang) fn overloaded(
        &mut self,
        name: &str,
        at: At,
        (ints, reals): (Builtin, Builtin),
        arguments: Vec<TypedExpression>,
    ) -> Option<Expression> {
        let real = if self.is_strict() {
            arguments
                .first()
                .is_some_and(|a| a.expression.ty == Type::Real)
        } else {
            arguments.iter().any(|a| a.expression.ty == Type::Real)
        };
        if real {
            return self.builtin(name, at, reals, arguments);
        }
        let types = vec![Type::Int; ints.arity()];
        let arguments = self.arguments(name, at, arguments, &types)?;
        Some(typed(ExpressionKind::Builtin(ints, arguments), Type::Int))
    }

    fn arguments(
        &mut self,
        name: &str,
        at: At,
        arguments: Vec<TypedExpression>,
        types: &[Type],
    ) -> Option<Vec<Expression>> {
        if arguments.len() != types.len() {
            let (takes, given) = (types.len(), arguments.len());
            let plural = if takes == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {takes} argument{plural}, not {given}");
            return self.error(&rules::ARGUMENT_COUNT, at, message, "");
        }
        let mut converted = Vec::with_capacity(types.len());
        for (argument, ty) in arguments.into_iter().zip(types) {
            converted.push(self.coerce(argument, ty));
        }
        converted.into_iter().collect()
    }
}
