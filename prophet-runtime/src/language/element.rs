//! Identifies the elements of a model, and the requests of the operations that they begin.

use super::number::Int;

/// Identifies an element of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// The element's index in the model: unique and less than `u32::MAX`.
    pub index: u32,
    /// The element's name in the model.
    pub name: &'static str,
    /// The element's id in the model. It also determines the element's random streams.
    pub id: i64,
}

/// An element of a model, so that reports and messages can name it.
///
/// To define a custom element, implement this trait and use the methods of
/// [`ProcessCtx`](crate::ProcessCtx) that wait:
///
/// ```
/// use prophet_runtime::{Element, Model, ModelElement, ProcessCtx, Simulation, Stopped, System};
///
/// struct Pause(Element);
///
/// impl ModelElement for Pause {
///     fn element(&self) -> &Element {
///         &self.0
///     }
/// }
///
/// impl Pause {
///     async fn execute(&self, ctx: &ProcessCtx<'_>, seconds: f64) -> Result<(), Stopped> {
///         ctx.at(self);
///         ctx.hold(seconds).await
///     }
/// }
///
/// const PAUSE: Pause = Pause(Element { index: 0, name: "Pause", id: 1 });
/// let model = Model::new("Own", &[], 1);
/// let simulation = Simulation::new(&model, System::default());
/// let run = simulation.run(async |ctx| PAUSE.execute(ctx, -1.0).await);
/// assert!(run.unwrap_err().to_string().contains("element `Pause` (id 1)"));
/// ```
pub trait ModelElement {
    /// Returns the index, name, and id of the element.
    fn element(&self) -> &Element;

    /// Returns the element's stereotype, in lower case.
    fn kind(&self) -> &'static str {
        "element"
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestName {
    pub(crate) index: u32,
    pub(crate) name: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignalName {
    pub(crate) index: u32,
    pub(crate) name: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Requested {
    All,
    One(RequestName),
    /// Several requests, each with its index and name.
    Several(&'static [(u32, &'static str)]),
}

impl Requested {
    /// Returns the names of the requests, or a single `None` for any request.
    pub(crate) fn names(self) -> impl Iterator<Item = Option<RequestName>> {
        let (one, several): (_, &[_]) = match self {
            Self::All => (Some(None), &[]),
            Self::One(name) => (Some(Some(name)), &[]),
            Self::Several(names) => (None, names),
        };
        let named = |&(index, name)| Some(RequestName { index, name });
        one.into_iter().chain(several.iter().map(named))
    }

    /// Returns the position of a request among these, from 0.
    pub(crate) fn place(self, name: u32) -> Int {
        let mut places = (0..).zip(self.names().flatten());
        let place = places.find(|(_, request)| request.index == name);
        Int(place.map_or(0, |(place, _)| place))
    }
}
