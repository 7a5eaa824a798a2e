//! Compares queues with theory, using 99% confidence intervals over independent replications.
//!
//! The seeds are fixed, so that no test fails by chance. With other seeds, one interval in a
//! hundred would miss its value even though the engine is correct. The service rate is 1. Each
//! replication starts empty, discards a warm-up, and is so long that what is left of the start's
//! effect is far smaller than the interval.

use std::cell::RefCell;

use prophet_sim::statistics::Tally;
use prophet_sim::variates::{Generator, OutOfRange};
use prophet_sim::{Discipline, Facility, Process, SharedFacility, Stopped, Study};

const LEVEL: f64 = 0.99;
const REPLICATIONS: u64 = 20;
const FIRST_SEED: u64 = 1_000;

fn check(what: &str, results: &Tally, theory: f64) {
    let interval = results.interval(LEVEL).expect("there are replications");
    assert!(
        interval.contains(theory),
        "{what}: {interval}, not {theory}"
    );
    let precise = interval.relative() < 0.1;
    assert!(precise, "{what}: {interval} tells little");
}

type Draw = fn(&mut Generator) -> Result<f64, OutOfRange>;

#[derive(Clone, Copy)]
struct Open {
    servers: u32,
    lambda: f64,
    service: Draw,
    horizon_s: f64,
}

const WARM_UP_S: f64 = 500.0;

#[derive(Default)]
struct Results {
    utilization: Tally,
    wait_s: Tally,
    response_s: Tally,
    number: Tally,
    waiting: Tally,
}

/// Records how long a customer waited, and counts customers who had to wait.
fn note(waits: &RefCell<(u32, Tally)>, queued_s: f64) {
    let mut waits = waits.borrow_mut();
    waits.0 += u32::from(queued_s > 0.0);
    waits.1.record(queued_s);
}

fn replicate(open: Open) -> Results {
    let mut results = Results::default();
    for seed in FIRST_SEED..FIRST_SEED + REPLICATIONS {
        let desk = Facility::new("desk", open.servers);
        let waits = RefCell::new((0_u32, Tally::new()));
        let study = Study::new().seed(seed).until(WARM_UP_S + open.horizon_s);
        let model = (&desk, &waits);
        let ended = study.run(&model, async |sim, (desk, waits)| {
            sim.spawn(async |me| {
                me.hold(WARM_UP_S).await?;
                desk.reset_statistics(&me);
                waits.replace((0, Tally::new()));
                Ok(())
            });
            let mut arrivals = sim.generator("arrivals");
            let mut services = sim.generator("services");
            loop {
                sim.hold(arrivals.exponential(1.0 / open.lambda)?).await?;
                let needed_s = (open.service)(&mut services)?;
                sim.spawn(async move |customer| {
                    let start_s = customer.now_s();
                    let server = desk.reserve(&customer).await?;
                    let queued_s = customer.now_s() - start_s;
                    note(waits, queued_s);
                    customer.hold(needed_s).await?;
                    server.release();
                    Ok(())
                });
            }
        });
        ended.expect("it ends at its limit");
        let statistics = desk.statistics();
        let (delayed, waits) = waits.into_inner();
        results.utilization.record(statistics.utilization);
        results.wait_s.record(waits.mean());
        results.response_s.record(statistics.mean_response_s);
        results
            .number
            .record(statistics.mean_busy + statistics.mean_queue);
        #[expect(clippy::cast_precision_loss, reason = "few")]
        results
            .waiting
            .record(f64::from(delayed) / waits.count() as f64);
    }
    results
}

#[test]
fn m_m_c() {
    for (servers, waiting, wait_s, number) in [
        (1, 0.8, 4.0, 4.0),
        (2, 0.711_111, 1.777_778, 4.444_444),
        (4, 0.596_432, 0.745_541, 5.585_730),
    ] {
        let lambda = 0.8 * f64::from(servers);
        let results = replicate(Open {
            servers,
            lambda,
            service: |services| services.exponential(1.0),
            horizon_s: 12_000.0 / f64::from(servers),
        });
        check("utilization", &results.utilization, 0.8);
        check("P(wait)", &results.waiting, waiting);
        check("Wq", &results.wait_s, wait_s);
        check("T", &results.response_s, wait_s + 1.0);
        check("L", &results.number, number);
    }
}

#[test]
fn m_d_1() {
    let results = replicate(Open {
        servers: 1,
        lambda: 0.8,
        service: |_| Ok(1.0),
        horizon_s: 8_000.0,
    });
    // rho / (2 (1 - rho))
    check("Wq", &results.wait_s, 2.0);
    check("T", &results.response_s, 3.0);
}

fn hyperexponential(services: &mut Generator) -> Result<f64, OutOfRange> {
    // Two phases with balanced means: p / rate = (1 - p) / rate'.
    let likely = 0.5 * (1.0 + libm_sqrt(3.0 / 5.0));
    if services.bernoulli(likely)? {
        services.exponential(0.5 / likely)
    } else {
        services.exponential(0.5 / (1.0 - likely))
    }
}

fn libm_sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// E[T] = E[S] / (1 - rho), whatever the distribution of services.
#[test]
fn m_g_1_processor_sharing() {
    let services: [(&str, Draw); 3] = [
        ("exponential", |services| services.exponential(1.0)),
        ("constant", |_| Ok(1.0)),
        ("hyperexponential", hyperexponential),
    ];
    for (what, service) in services {
        let mut response_s = Tally::new();
        for seed in FIRST_SEED..FIRST_SEED + REPLICATIONS {
            let cpu = SharedFacility::new("cpu", 1);
            let study = Study::new().seed(seed).until(WARM_UP_S + 6_000.0);
            let ended = study.run(&cpu, async |sim, cpu| {
                let mut arrivals = sim.generator("arrivals");
                let mut services = sim.generator("services");
                sim.spawn(async |me| {
                    me.hold(WARM_UP_S).await?;
                    cpu.reset_statistics(&me);
                    Ok(())
                });
                loop {
                    sim.hold(arrivals.exponential(1.0 / 0.7)?).await?;
                    let needed_s = service(&mut services)?;
                    sim.spawn(async move |job| cpu.use_for(&job, needed_s).await);
                }
            });
            ended.expect("it ends at its limit");
            response_s.record(cpu.statistics().mean_response_s);
        }
        check(what, &response_s, 1.0 / (1.0 - 0.7));
    }
}

/// Simulates two classes of customers, where class 1 goes first. Returns their mean response times.
fn priorities(discipline: Discipline) -> [Tally; 2] {
    async fn source<'w>(
        me: Process<'w>,
        desk: &'w Facility,
        class: usize,
        times: &'w RefCell<[Tally; 2]>,
    ) -> Result<(), Stopped> {
        let mut arrivals = me.generator(["low arrivals", "high arrivals"][class]);
        let mut services = me.generator(["low services", "high services"][class]);
        loop {
            me.hold(arrivals.exponential(1.0 / 0.4)?).await?;
            let needed_s = services.exponential(1.0)?;
            me.spawn(async move |customer| {
                customer.set_priority(i32::from(class == 1));
                let start_s = customer.now_s();
                desk.use_for(&customer, needed_s).await?;
                if start_s > WARM_UP_S {
                    times.borrow_mut()[class].record(customer.now_s() - start_s);
                }
                Ok(())
            });
        }
    }
    let mut means = [Tally::new(), Tally::new()];
    for seed in FIRST_SEED..FIRST_SEED + REPLICATIONS {
        let desk = Facility::with_discipline("desk", 1, discipline);
        let times = RefCell::new([Tally::new(), Tally::new()]);
        let study = Study::new().seed(seed).until(WARM_UP_S + 12_000.0);
        let ended = study.run(&(&desk, &times), async |sim, (desk, times)| {
            for class in [0, 1] {
                sim.spawn(move |me| source(me, desk, class, times));
            }
            Ok(())
        });
        ended.expect("it ends at its limit");
        for (mean, times) in means.iter_mut().zip(times.into_inner()) {
            mean.record(times.mean());
        }
    }
    means
}

/// Cobham's formulas. W0 is the mean remaining service of the customer in service (0.8 here):
/// W(high) = W0 / (1 - rho1) and W(low) = W0 / ((1 - rho1) (1 - rho)).
#[test]
fn m_m_1_with_priorities() {
    let [low, high] = priorities(Discipline::Priority);
    check("high", &high, 1.0 + 0.8 / 0.6);
    check("low", &low, 1.0 + 0.8 / (0.6 * 0.2));
}

/// The high class has the server to itself: T = 1 / (1 - rho1). T(low) = 1 / (1 - rho1) + W0 / ((1
/// - rho1) (1 - rho)).
#[test]
fn m_m_1_with_preemption() {
    let [low, high] = priorities(Discipline::Preemptive);
    check("high", &high, 1.0 / 0.6);
    check("low", &low, 1.0 / 0.6 + 0.8 / (0.6 * 0.2));
}

/// Round-robin with a quantum far below the service time approaches processor sharing.
#[test]
fn m_m_1_in_short_turns() {
    let mut response_s = Tally::new();
    for seed in FIRST_SEED..FIRST_SEED + REPLICATIONS {
        let desk = Facility::with_discipline("desk", 1, Discipline::RoundRobin { quantum_s: 0.05 });
        let study = Study::new().seed(seed).until(4_000.0);
        let ended = study.run(&desk, async |sim, desk| {
            let mut arrivals = sim.generator("arrivals");
            let mut services = sim.generator("services");
            loop {
                sim.hold(arrivals.exponential(2.0)?).await?;
                let needed_s = hyperexponential(&mut services)?;
                sim.spawn(async move |job| desk.use_for(&job, needed_s).await);
            }
        });
        ended.expect("it ends at its limit");
        response_s.record(desk.statistics().mean_response_s);
    }
    check("T", &response_s, 2.0);
}

/// Analyzes a closed network with mean value analysis. `jobs` jobs think for `think_s` and then
/// visit each station once. Returns the throughput, and the mean number of jobs at each station.
fn mean_values(jobs: u32, think_s: f64, services_s: &[f64]) -> (f64, Vec<f64>) {
    let mut numbers = vec![0.0; services_s.len()];
    let mut throughput = 0.0;
    for job in 1..=jobs {
        let stations = services_s.iter().zip(&numbers);
        let responses: Vec<f64> = stations.map(|(s, n)| s * (1.0 + n)).collect();
        throughput = f64::from(job) / (think_s + responses.iter().sum::<f64>());
        numbers = responses.iter().map(|t| throughput * t).collect();
    }
    (throughput, numbers)
}

#[test]
fn a_closed_network() {
    const JOBS: u32 = 6;
    const THINK_S: f64 = 5.0;
    const SERVICES_S: [f64; 2] = [1.0, 0.6];
    let (theory, numbers) = mean_values(JOBS, THINK_S, &SERVICES_S);
    let mut throughput = Tally::new();
    let mut seen = [Tally::new(), Tally::new()];
    for seed in FIRST_SEED..FIRST_SEED + REPLICATIONS {
        let stations = [Facility::new("cpu", 1), Facility::new("disk", 1)];
        let study = Study::new().seed(seed).until(WARM_UP_S + 4_000.0);
        let ended = study.run(&stations, async |sim, stations| {
            for job in 0..JOBS {
                sim.spawn(async move |me| {
                    let mut times = me.generator(&format!("job {job}"));
                    loop {
                        me.hold(times.exponential(THINK_S)?).await?;
                        for (station, mean_s) in stations.iter().zip(SERVICES_S) {
                            station.use_for(&me, times.exponential(mean_s)?).await?;
                        }
                    }
                });
            }
            sim.hold(WARM_UP_S).await?;
            for station in stations {
                station.reset_statistics(&sim);
            }
            Ok(())
        });
        ended.expect("it ends at its limit");
        throughput.record(stations[1].statistics().throughput_per_s);
        for (seen, station) in seen.iter_mut().zip(&stations) {
            let statistics = station.statistics();
            seen.record(statistics.mean_busy + statistics.mean_queue);
        }
    }
    check("throughput", &throughput, theory);
    for (seen, number) in seen.iter().zip(numbers) {
        check("number", seen, number);
    }
}
