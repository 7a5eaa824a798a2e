//! Tests users' own errors, which end a run and are returned with its failure.

use std::error::Error as _;
use std::fmt;

use prophet_sim::failure::Cause;
use prophet_sim::{Failure, Process, Stopped};

use crate::study::failure;

#[derive(Debug, PartialEq)]
struct SoldOut {
    wanted: u32,
}

impl fmt::Display for SoldOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tickets are wanted", self.wanted)
    }
}

impl std::error::Error for SoldOut {}

fn sell(left: &mut u32, wanted: u32) -> Result<(), SoldOut> {
    *left = left.checked_sub(wanted).ok_or(SoldOut { wanted })?;
    Ok(())
}

/// Gets errors of both kinds, and passes them on.
async fn cashier(me: Process<'_>, mut left: u32) -> Result<(), Stopped> {
    loop {
        me.hold(1.5).await?;
        sell(&mut left, 2)?;
    }
}

#[test]
fn an_error_ends_the_run_and_comes_back_with_its_type() {
    let failed: Failure = failure(&(), async |sim, ()| {
        sim.spawn(async |me| me.hold(9.0).await);
        sim.spawn(|me| cashier(me, 5));
        sim.hold(9.0).await
    });
    assert_eq!(failed.error(), Some(&SoldOut { wanted: 2 }));
    assert_eq!(failed.error::<fmt::Error>(), None);
    assert_eq!((failed.process, failed.time_s), (Some(2), 4.5));
    assert_eq!(
        failed.to_string(),
        "2 tickets are wanted\n  at 4.5 s of simulated time, process 2"
    );
    let source = failed.source().expect("it has a source");
    assert_eq!(source.to_string(), "2 tickets are wanted");
}

#[test]
fn the_first_error_is_the_failure() {
    let failed = failure(&(), async |sim, ()| {
        // What the simulation has found takes precedence over what the process returns.
        sim.hold(-1.0).await.map_err(|_| SoldOut { wanted: 1 })?;
        Ok(())
    });
    assert_eq!(*failed.cause, Cause::Seconds(-1.0));
    assert!(failed.source().is_none());
    assert_eq!(failed.error::<SoldOut>(), None);
}

#[test]
fn errors_are_equal_to_themselves_alone() {
    let failed = || failure(&(), async |_, ()| Err(SoldOut { wanted: 3 }.into()));
    let (one, other) = (failed(), failed());
    assert_eq!(one, one.clone());
    assert_ne!(one, other);
}

#[test]
fn the_failure_of_a_run_can_end_another() {
    let failed = failure(&(), async |_, ()| {
        let inner = failure(&(), async |_, ()| Err(SoldOut { wanted: 3 }.into()));
        Err(inner.into())
    });
    let inner: &Failure = failed.error().expect("a failure");
    assert_eq!(inner.error(), Some(&SoldOut { wanted: 3 }));
}
