//! Lists the UML properties that are supported or don't matter for a simulation. In activities,
//! other properties are reported, because they could matter.
//!
//! A list applies to both attributes and child elements, because tools can write properties as
//! either.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// An activity, or the content of a structured node.
    Activity,
    /// A partition or region.
    Group,
    Node,
    Edge,
    /// A variable, attribute or parameter.
    Variable,
    Function,
}

/// Returns `true` if a property, or a child element in this role, is supported or doesn't matter.
pub(super) fn is_known(context: Context, name: &str) -> bool {
    let list = match context {
        Context::Activity => ACTIVITY,
        Context::Group => GROUP,
        Context::Node => NODE,
        Context::Edge => EDGE,
        Context::Variable => VARIABLE,
        Context::Function => FUNCTION,
    };
    let is_classifier = matches!(context, Context::Activity | Context::Function);
    list.contains(&name) || COMMON.contains(&name) || (is_classifier && CLASSIFIER.contains(&name))
}

/// Properties that any UML element can have.
const COMMON: &[&str] = &include!("properties/common.in");

/// Properties of behaviors as classes. The simulation ignores them.
const CLASSIFIER: &[&str] = &include!("properties/classifier.in");

const ACTIVITY: &[&str] = &include!("properties/activity.in");

const GROUP: &[&str] = &include!("properties/group.in");

/// Properties of nodes, and roles of pins, because EMF doesn't write the types of pins.
const NODE: &[&str] = &include!("properties/node.in");

const EDGE: &[&str] = &include!("properties/edge.in");

const VARIABLE: &[&str] = &include!("properties/variable.in");

const FUNCTION: &[&str] = &["ownedParameter", "ownedParameterSet", "language", "body"];
