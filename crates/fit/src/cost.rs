//! Fits cost functions to measurements, displays them, and writes them into models.
//!
//! | module | is |
//! |---|---|
//! | `names` | names of parameters and elements, converted to the cost language |
//! | `fitted` | a cost function with all remarks about it |
//! | `plot`, `page` | a page with curves, and its plots |
//! | `insertion` | inserting a cost function into a model file |

pub(crate) mod fitted;
pub(crate) mod insertion;
mod names;
mod page;
mod plot;

pub use fitted::{FittedCost, Place, Prediction, Wanted, fits};
pub use insertion::Insertion;
pub use page::{POLICY, page};
