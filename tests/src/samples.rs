//! Interprets the samples without checked-in crates. Each is a module with the same interface as a
//! sample's crate.

use std::sync::LazyLock;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Model, ProcessCtx, Stopped};

use crate::root;

fn interpreted(name: &str) -> Interpreted {
    let file = format!("sample-models/{name}.uml");
    let checked = check_by(&RuleSet::shipped(), &root().join(&file), None);
    let checked = checked.expect("the sample can be read");
    Interpreted::new(&checked, &file, false).expect("the sample can be interpreted")
}

macro_rules! samples {
    ($($name:ident)*) => {
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(#[allow(missing_docs, reason = "the sample's page tells")]
        pub mod $name {
            use super::*;

            static CODE: LazyLock<Interpreted> =
                LazyLock::new(|| interpreted(stringify!($name)));
            pub static MODEL: LazyLock<&'static Model> = LazyLock::new(|| CODE.model());

            #[expect(clippy::missing_errors_doc, reason = "as a crate's")]
            pub async fn program(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
                CODE.run(ctx).await
            }
        })*
    };
}

samples! {
    contention fsdp gpu_stencil halo hybrid kernel6_detailed master_worker megatron oversubscribed
    pingpong schedules stream summa sweep3d wavefront
}
