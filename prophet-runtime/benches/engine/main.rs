use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// CPU time of this thread.
struct Instant(f64);
impl Instant {
    fn now() -> Self {
        Self(cpu_s())
    }
    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::from_secs_f64(cpu_s() - self.0)
    }
}
fn cpu_s() -> f64 {
    std::thread::yield_now();
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split_whitespace().next().unwrap().parse::<f64>().unwrap() * 1e-9
}

use prophet_runtime::*;
use std::hint::black_box;

fn the_loop(n: u64, holds: u64) -> f64 {
    let mut g = Generator::new(1, 0, 1);
    let mut heap: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::with_capacity(n as usize);
    for i in 0..n {
        heap.push(Reverse((g.exponential(1.0).unwrap().to_bits(), i)));
    }
    let start = Instant::now();
    for _ in 0..holds {
        let Reverse((t, i)) = heap.pop().unwrap();
        let t = f64::from_bits(t) + g.exponential(1.0).unwrap();
        heap.push(Reverse((t.to_bits(), i)));
    }
    black_box(&heap);
    start.elapsed().as_secs_f64() / holds as f64
}
const MODEL: Model = Model {
    name: "Hold",
    parameters: &[],
    elements: 0,
};
fn hold(n: u32, holds: u64) -> f64 {
    use std::cell::{Cell, RefCell};
    let g = RefCell::new(Generator::new(1, 0, 1));
    let left = Cell::new(holds);
    let start = Cell::new(None);
    let end = Cell::new(0.0);
    let started = Cell::new(false);
    let sim = Simulation::new(&MODEL, System::new(1, n, n, 1));
    sim.run(async |ctx| {
        let t = g.borrow_mut().exponential(1.0)?;
        ctx.hold(t).await?;
        if !started.get() {
            started.set(true);
            start.set(Some(Instant::now()));
        }
        loop {
            let l = left.get();
            if l == 0 {
                if end.get() == 0.0 {
                    end.set(
                        start
                            .take()
                            .map(|i: Instant| {
                                let e = i.elapsed().as_secs_f64();
                                start.set(Some(i));
                                e
                            })
                            .unwrap(),
                    );
                }
                break;
            }
            left.set(l - 1);
            let t = g.borrow_mut().exponential(1.0)?;
            ctx.hold(t).await?;
        }
        if l_end(&left) {}
        Ok(())
    })
    .unwrap();
    end.get() / holds as f64
}
fn l_end(_: &std::cell::Cell<u64>) -> bool {
    false
}
fn main() {
    let only: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse().ok())
        .collect();
    for (n, h) in [
        (1, 3_000_000),
        (30, 2_000_000),
        (100, 2_000_000),
        (300, 2_000_000),
        (1000, 2_000_000),
        (10_000, 2_000_000),
        (100_000, 1_000_000),
        (1_000_000, 1_000_000),
    ] {
        if !only.is_empty() && !only.contains(&n) {
            continue;
        }
        let mut r: Vec<(f64, f64, f64)> = (0..3)
            .map(|_| {
                let a = the_loop(n, h);
                let b = hold(n as u32, h);
                (a / b, a, b)
            })
            .collect();
        r.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (q, a, b) = r[1];
        println!(
            "{n}: loop {:.1} ns, engine {:.1} ns, ratio {q:.2}",
            a * 1e9,
            b * 1e9
        );
    }
}
