//! Rust text to the intermediate form, parsed by syn.
