//! The integration tests as one program, so that they are linked once.

mod exports;
mod layers;
mod otf2;
mod pti;
