//! Identifies a model's elements, and the requests of the operations that they begin.

use super::number::Int;

/// Identifies an element of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// Index among the model's elements, unique and below `u32::MAX`.
    pub index: u32,
    /// The element's name in the model.
    pub name: &'static str,
    /// The element's id in the model, which also determines its random streams.
    pub id: i64,
}

/// An element of a model, which reports and messages can name.
///
/// To define a custom element, implement this trait, and use the waits of
/// [`ProcessCtx`](crate::ProcessCtx):
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
    /// Returns the identity of the element.
    fn element(&self) -> &Element;

    /// Returns the stereotype, in lower case.
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
    /// Requests with several names, each with its index.
    Several(&'static [(u32, &'static str)]),
}

impl Requested {
    /// Returns the names of the requests; `None` stands for any name.
    pub(crate) fn names(self) -> impl Iterator<Item = Option<RequestName>> {
        let (one, several): (_, &[_]) = match self {
            Self::All => (Some(None), &[]),
            Self::One(name) => (Some(Some(name)), &[]),
            Self::Several(names) => (None, names),
        };
        let named = |&(index, name)| Some(RequestName { index, name });
        one.into_iter().chain(several.iter().map(named))
    }

    /// Returns the position of a name among the requests, starting at 0.
    pub(crate) fn place(self, name: u32) -> Int {
        let mut places = (0..).zip(self.names().flatten());
        let place = places.find(|(_, request)| request.index == name);
        Int(place.map_or(0, |(place, _)| place))
    }
}
