//! `cargo xtask`: the command lines of Performance Prophet.

fn main() {}
