//! Points of a sweep: values of axes, their combinations, samples of them.

mod axis;
mod points;
mod sample;
mod value;

pub use axis::Axis;
pub use points::{POINTS_MAX, Place, Space};
pub use sample::{Design, Sample};
pub(crate) use value::shown;
pub use value::{Form, Value};
