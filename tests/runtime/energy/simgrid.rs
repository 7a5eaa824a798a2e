//! Compares the energy of random programs with `SimGrid`'s plugin `host_energy`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prophet_runtime::CpuDiscipline;
use prophet_testing::compile_with_simgrid;
use prophet_testing::laws::Random;

use super::*;

const RUNS: u32 = 10;
/// Number of floating-point operations that the first host executes per second.
const FLOPS: f64 = 1e9;

fn below(random: &mut Random, bound: u32) -> u32 {
    let bound = usize::try_from(bound).expect("it is small");
    u32::try_from(random.below(bound)).expect("it is small")
}

/// Compiles the program in a folder. If `SimGrid` isn't installed, skips the test and returns
/// `None`.
fn program(folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("energy/hosts.cpp");
    let program = folder.join("simgrid-hosts");
    compile_with_simgrid(&source, &program, &[]).then_some(program)
}

/// Writes a platform whose hosts differ in speed and power. The last host is idle.
fn platform(random: &mut Random, hosts: u32, cores: u32) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \
         \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><zone id=\"z\" \
         routing=\"Full\">\n",
    );
    for host in 0..hosts {
        let speed = if host == 0 {
            1.0
        } else {
            [0.5, 1.0, 2.0][random.below(3)]
        };
        let idle = 50 + below(random, 100);
        let epsilon = idle + below(random, 40);
        let full = epsilon + 20 + below(random, 200);
        // If there is no second power, the plugin uses the one for idle hosts.
        let watts = match random.below(3) {
            0 => format!("{idle}:{full}"),
            _ => format!("{idle}.5:{epsilon}.625:{full}.75"),
        };
        // In the second state, the host is slower.
        let _ = writeln!(
            text,
            "<host id=\"h{host}\" speed=\"{speed}Gf,{}Gf\" core=\"{cores}\"><prop \
             id=\"wattage_per_state\" value=\"{watts}, 1:2:3\"/><prop id=\"wattage_off\" \
             value=\"7\"/></host>",
            speed / 2.0
        );
    }
    text + "</zone></platform>\n"
}

/// Returns the energy and time from `SimGrid`, given the host of each actor and the operations in
/// its steps.
fn simulated(program: &Path, platform: &Path, actors: &[(u32, Vec<f64>)]) -> [f64; 2] {
    let mut input = String::new();
    for (host, steps) in actors {
        let _ = write!(input, "h{host} {}", steps.len());
        for seconds in steps {
            let _ = write!(input, " {:?}", seconds * FLOPS);
        }
        input.push('\n');
    }
    let mut child = Command::new(program)
        .arg(platform)
        .arg("--log=root.thres:error")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program was compiled");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    stdin
        .write_all(input.as_bytes())
        .expect("it reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "SimGrid failed on\n{input}");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers = text
        .split_whitespace()
        .map(|it| it.parse().expect("it is a number"));
    let numbers: Vec<f64> = numbers.collect();
    numbers.try_into().expect("two numbers")
}

#[test]
fn random_programs_take_the_energy_that_simgrid_says() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let Some(program) = program(folder.path()) else {
        return;
    };
    let mut worst: f64 = 0.0;
    for seed in 1..=RUNS {
        let random = &mut Random(u64::from(seed));
        let (hosts, cores) = (1 + below(random, 4), 1 + below(random, 4));
        let path = folder.path().join("p.xml");
        let text = platform(random, hosts, cores);
        std::fs::write(&path, &text).expect("it can be written");
        let machine = Machine::read(path.to_str().expect("it is text")).expect("it is a machine");
        assert!(machine.warnings().is_empty(), "{:?}", machine.warnings());
        let processes = 1 + below(random, 3 * hosts * cores);
        let steps = 1 + below(random, 6);
        let actors: Vec<(u32, Vec<f64>)> = (0..processes)
            .map(|_| {
                let host = below(random, hosts);
                // Some actors do nothing in a step.
                let mut seconds =
                    |_| f64::from(below(random, 5) * (1 + below(random, 1000))) / 64.0;
                (host, (0..steps).map(&mut seconds).collect())
            })
            .collect();
        let [expected_j, end_s] = simulated(&program, &path, &actors);
        let mut system = System::on(machine, hosts, cores, processes, 1);
        system.mapping = actors.iter().map(|(host, _)| *host).collect();
        system.discipline = CpuDiscipline::ProcessorSharing;
        let outcome = run(system, async |ctx| {
            let pid = usize::try_from(i64::from(ctx.pid())).expect("it is small");
            for seconds in &actors[pid].1 {
                WORK.execute(ctx, *seconds).await?;
                MEET.execute(ctx, 0.0).await?;
            }
            Ok(())
        });
        let found_j = energy(&outcome).total_j;
        assert_near(outcome.predicted_time_s, end_s, 1e-6);
        assert_near(found_j, expected_j, 1e-6);
        worst = worst.max((found_j / expected_j - 1.0).abs());
    }
    // Only because of rounding: SimGrid stores rates to about 1e-9.
    assert!(worst < 1e-8, "{worst:e}");
}
