//! The integration tests as one program, so that they are linked once.

mod against_simgrid;
mod closed_forms;
mod layers;
mod packets;
mod phased;
mod reference;
mod scenario;
mod simgrid;
