//! The integration tests as one program, so that they are linked once.

mod calls;
mod fold;
mod layers;
mod otf2;
mod random;
mod replay;
mod result;
mod ring;
mod smpi;
mod tasks;
