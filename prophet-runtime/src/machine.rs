//! Machine as described: its parts, its files, and a layout on it.

pub(crate) mod accelerator;
pub(crate) mod algorithm;
pub(crate) mod algorithms;
pub(crate) mod binding;
pub(crate) mod cache;
pub(crate) mod change;
pub(crate) mod changes;
pub(crate) mod described;
pub(crate) mod devices;
pub(crate) mod fabric;
pub(crate) mod groups;
pub(crate) mod mapping;
pub(crate) mod memory;
pub(crate) mod models;
pub(crate) mod network;
pub(crate) mod noise;
pub(crate) mod operation;
pub(crate) mod parts;
pub(crate) mod policy;
pub(crate) mod power;
pub(crate) mod prices;
pub(crate) mod protocol;
mod rule;
pub(crate) mod saturation;
pub(crate) mod source;
pub(crate) mod system;
pub(crate) mod tariff;
