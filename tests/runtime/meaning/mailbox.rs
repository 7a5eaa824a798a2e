//! Tests mailboxes: order, ties, and waits that are dropped.

use std::cell::RefCell;

use prophet_runtime::Mailbox;

use crate::meaning::{give_up, run, waste};

/// Runs a program in which process 0 sends 1, 2, and 3 at 1 s, and all others do `receive`. Returns
/// who got what.
fn deliveries(skip: &[i64]) -> Vec<(i64, u32)> {
    let mailbox = Mailbox::new("box");
    let got = RefCell::new(Vec::new());
    run(5, async |ctx| {
        let pid = ctx.pid().0;
        if pid == 0 {
            ctx.hold(1.0).await?;
            for value in 1..=3 {
                mailbox.send(ctx, value);
            }
        } else if skip.contains(&pid) {
            waste(mailbox.receive(ctx)).await;
        } else if pid < 4 || !skip.is_empty() {
            let value = mailbox.receive(ctx).await?;
            got.borrow_mut().push((pid, value));
        }
        Ok(())
    });
    assert_eq!(
        (mailbox.len(), mailbox.queue_len()),
        (skip.len().saturating_sub(1), 0)
    );
    got.into_inner()
}

#[test]
fn values_go_to_those_that_wait_in_their_order() {
    assert_eq!(deliveries(&[]), [(1, 1), (2, 2), (3, 3)]);
}

#[test]
fn a_value_given_to_a_wait_that_is_dropped_goes_to_the_next() {
    assert_eq!(deliveries(&[1]), [(2, 2), (3, 3), (4, 1)]);
    assert_eq!(deliveries(&[1, 3]), [(2, 2), (4, 1)]);
}

#[test]
fn values_wait_for_those_that_come_later() {
    let mailbox = Mailbox::new("box");
    run(2, async |ctx| {
        if ctx.pid() == 0 {
            mailbox.send(ctx, "one");
            mailbox.send(ctx, "two");
            return Ok(());
        }
        ctx.hold(1.0).await?;
        assert_eq!(mailbox.len(), 2);
        assert_eq!(mailbox.receive(ctx).await?, "one");
        assert_eq!(mailbox.receive(ctx).await?, "two");
        assert!(mailbox.is_empty());
        Ok(())
    });
}

#[test]
fn a_wait_that_is_dropped_gets_nothing() {
    let mailbox = Mailbox::new("box");
    run(2, async |ctx| {
        if ctx.pid() == 0 {
            give_up(mailbox.receive(ctx)).await;
            ctx.hold(2.0).await?;
            assert_eq!(mailbox.receive(ctx).await?, 7);
            assert_eq!(ctx.now_s(), 2.0);
        } else {
            ctx.hold(1.0).await?;
            mailbox.send(ctx, 7);
            assert_eq!(mailbox.len(), 1);
        }
        Ok(())
    });
}
