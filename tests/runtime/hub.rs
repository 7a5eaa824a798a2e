//! Tests the threads' hub in all interleavings that a model checker explores: no mail is lost, no
//! thread waits forever, and the run ends when nothing is left to do.

mod sync {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
    pub(super) use loom::sync::{Condvar, Mutex, MutexGuard};
}

#[path = "../../prophet-runtime/src/kernel/local/hub.rs"]
#[expect(dead_code, reason = "the runtime uses all of it")]
mod hub;

use hub::{End, Hub, Woken};
use loom::sync::Arc;
use loom::thread;

/// Explores what numbered threads can do. There are few preemptions, because most faults need only
/// a few.
fn explore<F>(threads: usize, preemptions: usize, act: F)
where
    F: Fn(&Hub<u32>, usize) + Send + Sync + Copy + 'static,
{
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(move || {
        let hub = Arc::new(Hub::new(threads));
        let others: Vec<_> = (1..threads)
            .map(|me| {
                let hub = Arc::clone(&hub);
                thread::spawn(move || act(&hub, me))
            })
            .collect();
        act(&hub, 0);
        for other in others {
            other.join().expect("no thread panics");
        }
    });
}

/// Passes numbers on until the run ends: each goes to the next thread, decremented, until it is 0.
/// Returns how many have arrived.
fn pass_on(hub: &Hub<u32>, me: usize, threads: usize) -> u32 {
    let (mut count, mut mail) = (0, Vec::new());
    loop {
        match hub.park(me, false) {
            Woken::Mail => hub.take(me, &mut mail),
            Woken::Aside | Woken::Look => {}
            Woken::End(end) => {
                assert_eq!(end, End::Idle);
                return count;
            }
        }
        for number in mail.drain(..) {
            count += 1;
            if number > 0 {
                hub.send((me + 1) % threads, &mut vec![number - 1]);
            }
        }
    }
}

#[test]
fn all_mail_of_two_threads_comes() {
    explore(2, 3, |hub, me| {
        if me == 0 {
            hub.send(1, &mut vec![2]);
        }
        let count = pass_on(hub, me, 2);
        assert_eq!(count, if me == 0 { 1 } else { 2 });
    });
}

#[test]
fn all_mail_of_three_threads_comes() {
    explore(3, 3, |hub, me| {
        if me == 0 {
            hub.send(1, &mut vec![2]);
        }
        assert_eq!(pass_on(hub, me, 3), 1);
    });
}

#[test]
fn threads_that_send_to_each_other_end() {
    explore(2, 3, |hub, me| {
        hub.send(1 - me, &mut vec![0, 1]);
        assert_eq!(pass_on(hub, me, 2), 3);
    });
}

#[test]
fn ranks_that_stand_aside_go_on() {
    explore(2, 3, |hub, me| {
        if me == 1 {
            let woken = hub.park(1, true);
            assert_eq!(woken, Woken::Aside);
            hub.send(0, &mut vec![0]);
            assert_eq!(hub.park(1, false), Woken::End(End::Idle));
            return;
        }
        hub.set_flooded(0, true);
        hub.set_flooded(0, false);
        assert_eq!(pass_on(hub, 0, 2), 1);
    });
}

#[test]
fn the_first_thread_looks_and_ends_the_run() {
    explore(2, 3, |hub, me| {
        if me == 1 {
            hub.show();
            while let woken = hub.park(1, false)
                && !matches!(woken, Woken::End(_))
            {}
            return;
        }
        loop {
            match hub.park(0, false) {
                Woken::Look => hub.stop(End::Early),
                Woken::End(End::Early | End::Idle) => return,
                woken => panic!("{woken:?}"),
            }
        }
    });
}
