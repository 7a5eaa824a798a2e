//! Tests the hub with real threads.

use std::thread;

use super::hub::{End, Hub, Woken};

/// Threads pass on numbers, and each number determines the next thread. Returns the sum of the
/// numbers that have arrived when the run ends.
fn pass_on(threads: usize, numbers: u64) -> u64 {
    let hub = Hub::new(threads);
    let work = |me: usize| {
        let (mut sum, mut mail) = (0, Vec::new());
        if me == 0 {
            hub.send(
                threads - 1,
                &mut (0..numbers).map(|it| (it, 8_u32)).collect(),
            );
        }
        loop {
            match hub.park(me, false) {
                Woken::Mail => hub.take(me, &mut mail),
                Woken::End(end) => {
                    assert_eq!(end, End::Idle);
                    return sum;
                }
                woken => panic!("{woken:?}"),
            }
            for (number, left) in mail.drain(..) {
                sum += number;
                if left > 0 {
                    let to = (number.wrapping_mul(u64::from(left) + 7)) % threads as u64;
                    hub.send(usize::try_from(to).unwrap(), &mut vec![(number, left - 1)]);
                }
            }
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map(|me| scope.spawn(move || work(me)))
            .collect();
        let own = work(0);
        own + others.into_iter().map(|it| it.join().unwrap()).sum::<u64>()
    })
}

#[test]
fn all_mail_arrives_and_the_run_ends() {
    for threads in 1..=8 {
        for numbers in [0, 1, 5, 300] {
            let all = (0..numbers).sum::<u64>() * 9;
            assert_eq!(pass_on(threads, numbers), all, "{threads} threads");
        }
    }
}

#[test]
fn ranks_that_stand_aside_go_on_when_nobody_else_does() {
    let hub = Hub::<()>::new(2);
    hub.set_flooded(0, true);
    thread::scope(|scope| {
        let other = scope.spawn(|| (hub.park(1, true), hub.park(1, false)));
        assert_eq!(hub.park(0, false), Woken::End(End::Idle));
        let ended = Woken::End(End::Idle);
        assert_eq!(other.join().unwrap(), (Woken::Aside, ended));
    });
}

#[test]
fn ranks_that_stand_aside_go_on_when_no_thread_is_flooded() {
    let hub = Hub::<()>::new(2);
    assert_eq!(hub.park(1, true), Woken::Aside);
    hub.set_flooded(0, true);
    thread::scope(|scope| {
        let other = scope.spawn(|| hub.park(1, true));
        hub.set_flooded(0, false);
        assert_eq!(other.join().unwrap(), Woken::Aside);
    });
}

#[test]
fn an_end_wakes_everybody_and_the_first_one_counts() {
    let hub = Hub::<()>::new(3);
    hub.set_flooded(0, true);
    thread::scope(|scope| {
        let others = [1, 2].map(|me| {
            let hub = &hub;
            scope.spawn(move || hub.park(me, false))
        });
        hub.stop(End::Early);
        hub.stop(End::Abandoned);
        for other in others {
            assert_eq!(other.join().unwrap(), Woken::End(End::Early));
        }
    });
}
