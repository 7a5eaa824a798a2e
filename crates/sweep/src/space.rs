//! Defines the points of a sweep: the values of its axes, and their combinations or samples of
//! them.

mod axis;
mod points;
mod sample;
mod value;

pub use axis::Axis;
pub(crate) use axis::place_at;
pub use points::{AxisPlace, POINTS_MAX, Space};
pub use sample::{Sample, SampleDesign};
pub(crate) use value::shown;
pub use value::{AxisForm, AxisValue};
