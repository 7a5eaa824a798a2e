//! Defines the types that generated code uses: numbers, faults, prices, and the model.

pub(crate) mod array;
pub(crate) mod device_use;
pub(crate) mod element;
pub(crate) mod fault;
pub(crate) mod grid;
pub mod math;
pub(crate) mod model;
pub(crate) mod number;
pub(crate) mod opcode;
pub(crate) mod place;
pub(crate) mod price;
pub(crate) mod region;
pub(crate) mod stream;
pub(crate) mod symmetry;
pub(crate) mod table;
pub(crate) mod threads;

pub(crate) use prophet_sim::Stopped;
