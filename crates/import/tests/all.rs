//! The integration tests as one program, so that they are linked once.

mod calls;
mod fold;
mod otf2;
mod random;
mod replay;
mod result;
mod ring;
mod smpi;
mod tasks;

/// A module imports modules of its own layer and of those below it.
#[test]
fn layers_hold() {
    prophet_testing::assert_documented_layers();
}
