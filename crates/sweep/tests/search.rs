//! Searches of spaces by numbers alone, without models.

mod fronts;
mod minimum;
mod sensitivity;
