//! Tests mailboxes: matches, receives with deadlines, and statistics.

use prophet_sim::Mailbox;

use crate::study::{Diary, run};

#[test]
fn a_match_leaves_the_others_in_their_order() {
    let orders = Mailbox::new("orders");
    run(&orders, async |sim, orders| {
        for number in 0..5 {
            orders.send(&sim, number);
        }
        assert_eq!(orders.receive_where(&sim, |n| n % 2 == 1).await?, 1);
        assert_eq!(orders.receive(&sim).await?, 0);
        assert_eq!(orders.receive_where(&sim, |n| *n > 3).await?, 4);
        assert_eq!(orders.try_receive(&sim), Some(2));
        assert_eq!((orders.len(), orders.receive(&sim).await?), (1, 3));
        assert_eq!(orders.try_receive(&sim), None);
        Ok(())
    });
}

#[test]
fn a_value_goes_to_the_first_whom_it_suits() {
    let (orders, diary) = (Mailbox::new("orders"), Diary::default());
    run(&(orders, diary), async |sim, (orders, diary)| {
        sim.spawn(async |me| {
            assert_eq!(orders.receive_where(&me, |n| *n == 9).await?, 9);
            diary.note(&me, "picky");
            Ok(())
        });
        sim.spawn(async |me| {
            assert_eq!(orders.receive(&me).await?, 5);
            diary.note(&me, "any");
            Ok(())
        });
        sim.hold(1.0).await?;
        orders.send(&sim, 5);
        sim.hold(1.0).await?;
        orders.send(&sim, 9);
        Ok(())
    });
    run(&Mailbox::new("orders"), async |sim, orders| {
        let timed = sim.timeout(3.0, orders.receive_where(&sim, |n: &i32| *n == 2));
        orders.send(&sim, 1);
        assert_eq!((timed.await?, sim.now_s()), (None, 3.0));
        assert_eq!((orders.len(), orders.queue_len()), (1, 0));
        Ok(())
    });
}

#[test]
fn a_value_whose_receiver_is_gone_suits_the_next_or_stays_the_oldest() {
    let orders = Mailbox::new("orders");
    run(&orders, async |sim, orders| {
        let gone = sim.spawn(async |me| orders.receive(&me).await.map(drop));
        let picky = sim.spawn(async |me| orders.receive_where(&me, |n| *n == 3).await.map(drop));
        sim.hold(1.0).await?;
        orders.send(&sim, 1);
        orders.send(&sim, 2);
        gone.terminate();
        assert_eq!((orders.receive(&sim).await?, orders.len()), (1, 1));
        orders.send(&sim, 3);
        picky.join(&sim).await?;
        assert_eq!(orders.receive(&sim).await?, 2);
        Ok(())
    });
}

#[test]
fn its_statistics_are_those_of_values() {
    let orders = Mailbox::new("orders");
    run(&orders, async |sim, orders| {
        orders.send(&sim, ());
        orders.send(&sim, ());
        sim.hold(1.0).await?;
        orders.receive(&sim).await?;
        sim.hold(3.0).await?;
        orders.receive(&sim).await
    });
    let statistics = orders.statistics();
    assert_eq!((statistics.mean_busy, statistics.completions), (1.25, 2));
    assert_eq!(
        (statistics.mean_response_s, statistics.utilization),
        (2.5, 0.0)
    );
}
