//! Cost functions of measurements, for people and for models.
//!
//! | module | is |
//! |---|---|
//! | `names` | names of parameters and elements, made into names of the cost language |
//! | `fitted` | a cost function with all that is said of it |
//! | `plot`, `page` | a page with curves, and its drawings |
//! | `insertion` | a cost function in the file of a model |

pub(crate) mod fitted;
pub(crate) mod insertion;
mod names;
mod page;
mod plot;

pub use fitted::{FittedCost, Place, Prediction, Wanted, fits};
pub use insertion::Insertion;
pub use page::{POLICY, page};
