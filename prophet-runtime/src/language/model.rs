//! Describes a model, as its generated crate declares it.

use prophet_machine::hardware::{Hardware, HardwareModel};
use prophet_machine::value::Value;

use crate::language::device_use::DeviceUse;
use crate::language::number::Int;
use crate::language::opcode::Opcode;

/// A description of a model, such as its name, elements, and parameters. Generated crates define it
/// as a constant.
///
/// ```
/// use prophet_runtime::{Model, Parameter, Value};
///
/// const MODEL: Model = Model::new("Lapw0", &[Parameter::new("NAT", Value::Int(32))], 12);
/// assert_eq!(MODEL.parameters[0].default.to_string(), "32");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// The name of the model.
    pub name: &'static str,
    /// The model's parameters, in the order of their indices.
    pub parameters: &'static [Parameter],
    /// The number of elements. All element indices are less than this.
    pub elements: u32,
    /// Drawings of the activity diagrams, beginning with the main diagram. Some or all can be
    /// missing.
    pub drawings: &'static [Drawing],
    /// Where the parts of the model are in its file, in the format of the generator's map. Empty if
    /// there is no map.
    pub map: &'static str,
    /// Whether the model waits for any of several requests; see [`Self::waits_for_any()`].
    pub waits_for_any: bool,
    /// Loops whose iterations never repeat earlier ones, each with its name and the reason.
    pub simulated: &'static [(&'static str, &'static str)],
    /// Where the costs that the prediction uses come from, if they aren't the model's own.
    /// Otherwise empty.
    pub costs: &'static str,
    /// What is assumed because the drawing doesn't say it, as sentences.
    pub assumptions: &'static [&'static str],
    /// The operations that the machine must have prices for, in the order of their indices.
    pub opcodes: &'static [Opcode],
    /// The uses of custom devices, in the order of their indices.
    pub uses: &'static [DeviceUse],
    /// Hardware models in addition to those that are built in.
    pub hardware: Hardware,
}

impl Model {
    /// Creates a model with this name, these parameters, and this number of elements.
    pub const fn new(name: &'static str, parameters: &'static [Parameter], elements: u32) -> Self {
        Self {
            name,
            parameters,
            elements,
            drawings: &[],
            map: "",
            waits_for_any: false,
            simulated: &[],
            costs: "",
            assumptions: &[],
            opcodes: &[],
            uses: &[],
            hardware: Hardware::NONE,
        }
    }

    /// Adds the map that the generator wrote next to the code.
    ///
    /// Failures can then name lines in the model file. An invalid map has no effect.
    #[must_use]
    pub const fn mapped(self, map: &'static str) -> Self {
        Self { map, ..self }
    }

    /// Adds drawings of the model's diagrams for reports.
    #[must_use]
    pub const fn drawn(self, drawings: &'static [Drawing]) -> Self {
        Self { drawings, ..self }
    }

    /// Declares that the model uses [`Wait::any`](crate::Wait::any), which waits for any of several
    /// requests.
    ///
    /// The runtime then has to keep each non-blocking send until a wait completes it.
    #[must_use]
    pub const fn waits_for_any(self) -> Self {
        Self {
            waits_for_any: true,
            ..self
        }
    }

    /// Lists the loops whose iterations never repeat earlier ones, each with the reason. Runs with
    /// repetition report these.
    #[must_use]
    pub const fn simulates(self, loops: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            simulated: loops,
            ..self
        }
    }

    /// Describes where the costs that the prediction uses come from, if they aren't the model's
    /// own, for example from assumed steps. The text is part of each result.
    #[must_use]
    pub const fn costs(self, costs: &'static str) -> Self {
        Self { costs, ..self }
    }

    /// Lists what is assumed because the drawing doesn't say it. These sentences are part of each
    /// result.
    #[must_use]
    pub const fn assumes(self, assumptions: &'static [&'static str]) -> Self {
        Self {
            assumptions,
            ..self
        }
    }

    /// Declares the operations that the model uses. If the machine lacks a price for one, runs fail
    /// before they start.
    #[must_use]
    pub const fn opcodes(self, opcodes: &'static [Opcode]) -> Self {
        Self { opcodes, ..self }
    }

    /// Declares the uses of custom devices. If no hardware model can simulate one, runs fail before
    /// they start.
    #[must_use]
    pub const fn uses(self, uses: &'static [DeviceUse]) -> Self {
        Self { uses, ..self }
    }

    /// Adds hardware models from other crates that a machine can select.
    #[must_use]
    pub const fn hardware(self, models: &'static [&'static [HardwareModel]]) -> Self {
        Self {
            hardware: Hardware::new(models),
            ..self
        }
    }

    /// Returns the default values of the parameters.
    pub fn defaults(&self) -> Vec<Value> {
        self.parameters
            .iter()
            .map(|parameter| parameter.default)
            .collect()
    }
}

/// A drawing of an activity diagram, for reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// The name of the activity.
    pub name: &'static str,
    /// The drawing as SVG. Each element is a group with `class="element"`, and with the element's
    /// id in `data-element`.
    pub svg: &'static str,
}

impl Drawing {
    /// Creates the drawing of an activity.
    pub const fn new(name: &'static str, svg: &'static str) -> Self {
        Self { name, svg }
    }
}

/// A parameter of a model: a read-only variable that can be set for each run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The parameter's name in the model.
    pub name: &'static str,
    /// The default value. Its type is the type of the parameter.
    pub default: Value,
    /// Whether the parameter has no default, so that each run must set it. `default` is then only
    /// used for its type.
    pub is_required: bool,
    /// What the parameter means, for `--help`. Empty if there is no description.
    pub about: &'static str,
}

impl Parameter {
    /// Creates a parameter with a default value.
    pub const fn new(name: &'static str, default: Value) -> Self {
        Self {
            name,
            default,
            is_required: false,
            about: "",
        }
    }

    /// Sets what `--help` says about the parameter.
    #[must_use]
    pub const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Creates a parameter without a default. Each run must set it to a value of the type of `of`.
    pub const fn required(name: &'static str, of: Value) -> Self {
        Self {
            is_required: true,
            ..Self::new(name, of)
        }
    }
}

impl From<Int> for Value {
    fn from(value: Int) -> Self {
        Self::Int(value.0)
    }
}
