//! Adds the points where a run can be observed.

use prophet_frontend::lang::constant::Constant;
use prophet_frontend::program::{ElementIndex, Step};

use super::unit::{NamedVariable, Unit};
use super::{Compiler, count, scalar};
use crate::op::{Op, Scalar};
use crate::place::{ArrayPlace, Place};
use crate::watch::{Point, Scope, Visible};

impl Compiler<'_> {
    /// Lists the parameters and global variables, which are visible everywhere.
    pub(super) fn common(&mut self) {
        let program = self.program;
        for (at, parameter) in (0..).zip(&program.parameters) {
            let of = match parameter.default {
                Constant::Int(_) => Scalar::Int,
                Constant::Real(_) => Scalar::Real,
                Constant::Bool(_) => Scalar::Bool,
            };
            let seen = self.visible(&parameter.name, Scope::Run, of, Place::Global(at).into());
            self.code.common.push(seen);
        }
        for (index, global) in program.globals.entries() {
            let variable = self.globals[index];
            let of = scalar(&global.ty);
            let seen = self.visible(&global.name, Scope::Process, of, variable);
            self.code.common.push(seen);
        }
    }

    fn visible(&self, name: &str, scope: Scope, of: Scalar, variable: NamedVariable) -> Visible {
        let (place, length) = match variable {
            NamedVariable::Scalar(place) => (place, None),
            NamedVariable::Array(array) => {
                let array = self.code.arrays[array as usize];
                let place = match array.place {
                    ArrayPlace::Own(reg) => Place::Own(reg),
                    ArrayPlace::Global(address) => Place::Global(address),
                    ArrayPlace::Outer(reg) => Place::Outer(reg),
                };
                (place, Some(array.length))
            }
        };
        Visible {
            name: name.to_owned(),
            scope,
            of,
            place,
            length,
        }
    }
}

impl Unit<'_, '_> {
    pub(super) fn point(&mut self, element: ElementIndex) {
        let compiler = &mut *self.compiler;
        if !compiler.observed {
            return;
        }
        let visible = self.scopes.visible().into_iter();
        let visible = visible
            .map(|(name, (variable, of))| compiler.visible(name, Scope::Diagram, of, variable));
        let point = Point {
            element: compiler.program.elements[element].id,
            visible: visible.collect(),
        };
        let points = &mut compiler.code.points;
        points.push(point);
        let point = count(points.len() - 1);
        self.emit(Op::Point { point });
    }

    /// Adds a [`Self::point`] after the code of an element that isn't executed otherwise.
    pub(super) fn point_behind(&mut self, step: &Step, next: Option<&Step>) {
        let Step::Code(code) = step else {
            return;
        };
        if next.and_then(begun) != Some(code.element) {
            self.point(code.element);
        }
    }
}

fn begun(step: &Step) -> Option<ElementIndex> {
    match step {
        Step::Code(it) => Some(it.element),
        Step::Execute(it) => Some(it.element),
        Step::Call(it) => Some(it.element),
        Step::Region(it) => Some(it.element),
        Step::Branch(it) => Some(it.element),
        Step::Repeat(it) => Some(it.element),
        _ => None,
    }
}
