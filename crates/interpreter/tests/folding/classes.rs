//! Tests folding processes into classes, with one simulated process for each class.

use std::collections::BTreeSet;

use prophet_runtime::{Network, System};
use prophet_testing::laws::Random;

use crate::{command, compared, interpreted, json, networks, program, run};

/// Steps on a grid with borders that is eight processes wide.
const STEPS: [&str; 20] = [
    // Waves from two corners. The second wave depends on columns and rows.
    "brecv; source = West() | brecv; source = North() | action+; cost = 0.1 | \
     bsend; dest = East(); size = 700 | bsend; dest = South(); size = 700",
    "brecv; source = X() < 7 ? pid + 1 : PROC_NULL | brecv; source = pid >= 8 ? pid - 8 : \
     PROC_NULL | action+; cost = 0.1 | bsend; dest = X() > 0 ? pid - 1 : PROC_NULL; size = 70 | \
     bsend; dest = pid < NUM_PROCESSES - 8 ? pid + 8 : PROC_NULL; size = 70",
    // Halos.
    "nbsend; dest = West(); size = 80 | nbsend; dest = East(); size = 80 | \
     nbsend; dest = North(); size = 80 | nbsend; dest = South(); size = 80 | \
     brecv; source = East() | brecv; source = West() | \
     brecv; source = South() | brecv; source = North()",
    "nbrecv; source = West(); tag = 3 | nbsend; dest = East(); size = 9; tag = 3 | \
     action+; cost = 0.01 | wait",
    "sendrecv; dest = East(); source = West(); size = 9",
    "sendrecv; dest = pid % 2 == 0 ? pid + 1 : pid - 1; source = pid % 2 == 0 ? pid + 1 : \
     pid - 1; size = 8",
    // A ring with two different ends, and a torus.
    "bsend; dest = (pid + 1) % NUM_PROCESSES; size = 5 | brecv; \
     source = (pid + NUM_PROCESSES - 1) % NUM_PROCESSES",
    "nbsend; dest = grid_right(pid, 8, NUM_PROCESSES / 8, true); size = 80 | brecv; \
     source = grid_left(pid, 8, NUM_PROCESSES / 8, true)",
    // Work that differs for some processes.
    "action+; cost = pid == 0 ? 0.5 : 0.25",
    "action+; cost = X() == 3 || Y() == 0 ? 0.5 : 0.25",
    "action+; cost = 0.1 * X()",
    "action+; cost = 0.25 + 0.0 * (pid * 7 % 11)",
    "action+; cost = A[pid % 2] + 0.125",
    // All processes wait for each other.
    "allreduce; size = 8; cost = 0.01",
    "action+; cost = X() < 2 ? 0.5 : 0.25 | barrier; cost = 0.125",
    // The first process waits for the last process, which doesn't wait for any process.
    "brecv; source = pid == 0 ? NUM_PROCESSES - 1 : PROC_NULL | bsend; \
     dest = pid == NUM_PROCESSES - 1 ? 0 : PROC_NULL; size = 8",
    // A collective that sends messages.
    "allreduce; size = 8",
    "action+; cost = pid == 0 ? 0.5 : 0.25 | barrier",
    "allgather; size = 100 | allreduce; size = 1048576",
    "alltoall; size = 300",
];

/// Functions that return a position on the grid.
const PLACES: &str = "  int X() { return pid % 8; }\n  int Y() { return pid / 8; }\n  \
    int West() { return grid_left(pid, 8, NUM_PROCESSES / 8, false); }\n  \
    int East() { return grid_right(pid, 8, NUM_PROCESSES / 8, false); }\n  \
    int North() { return grid_up(pid, 8, NUM_PROCESSES / 8, false); }\n  \
    int South() { return grid_down(pid, 8, NUM_PROCESSES / 8, false); }\nend legend\n";

/// Writes a program with these functions and steps.
fn placed(steps: &[&str], random: &mut Random) -> String {
    // If all processes could receive first, the program would be rejected.
    let steps = [&["bsend; dest = PROC_NULL; size = 1"], steps].concat();
    program(&steps, random).replacen("end legend\n", PLACES, 1)
}

/// Writes a program with a single step, without code or loops.
fn plain(step: &str) -> String {
    let mut all = (1..).map(|seed| placed(&[step], &mut Random(seed)));
    let is_plain = |text: &String| !text.contains("partition") && !text.contains("note");
    all.find(is_plain).expect("there is one")
}

fn system(processes: u32, network: Network) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = network;
    system
}

#[test]
fn random_programs_on_a_grid_give_the_same_in_classes() {
    let mut random = Random(2);
    let (mut folded, mut reasons) = (0, BTreeSet::new());
    for _ in 0..60 {
        let steps: Vec<&str> = (0..=random.below(3))
            .map(|_| STEPS[random.below(STEPS.len())])
            .collect();
        let text = placed(&steps, &mut random);
        let code = interpreted(&text);
        for processes in [8, 16, 32, 64, 256] {
            let system = system(processes, networks()[random.below(3)]);
            match compared(&code, &system, &text) {
                Ok(_) => folded += 1,
                Err(why) => drop(reasons.insert(why)),
            }
        }
    }
    assert!(folded > 100, "{folded} are folded: {reasons:?}");
}

/// Checks that a step is folded, and returns the number of simulated processes.
fn simulated(step: &str, processes: u32) -> u32 {
    let code = interpreted(&plain(step));
    let how = compared(&code, &system(processes, Network::DEFAULT), step);
    how.unwrap_or_else(|why| panic!("{step}: {why}"))
}

#[test]
fn a_class_is_as_large_as_its_times_allow() {
    // The classes are the first and last row and column, and each diagonal between them.
    let wave = simulated(STEPS[0], 1024);
    assert!((128..=128 + 2 * (8 + 128)).contains(&wave), "{wave}");
    // Three columns and three rows of classes.
    assert_eq!(simulated(STEPS[2], 1024), 9);
    assert_eq!(simulated(STEPS[5], 1024), 2);
    assert_eq!(simulated(STEPS[8], 1024), 2);
    assert_eq!(simulated(STEPS[10], 1024), 8);
    assert_eq!(simulated(STEPS[14], 1024), 2);
    // The classes are the processes that the first process reaches in each round, and all others.
    let sum = simulated(&format!("{} | {}", STEPS[8], STEPS[16]), 1024);
    assert!((2..=1024 / 16).contains(&sum), "{sum}");
}

#[test]
fn a_reason_is_told_if_classes_are_of_no_use() {
    let told = |step: &str, processes, network| {
        let code = interpreted(&plain(step));
        run(&code, &system(processes, network), true).1
    };
    let differ = "the program uses costs, sizes or tags that depend on the process";
    let told_costs = told("action+; cost = 0.1 * pid", 1024, Network::DEFAULT);
    assert_eq!(told_costs, Err(differ.to_owned()));
    let random = "action+; cost = pid == 0 ? uniform(0.5, 1) : 1";
    let why = "the program uses random numbers";
    assert_eq!(told(random, 64, Network::DEFAULT), Err(why.to_owned()));
    let sums = "action+; cost = pid == 0 ? 1 : 2 | broadcast; root = 0; size = 8";
    let why = "the program uses collectives in which processes do different things";
    assert_eq!(told(sums, 64, Network::DEFAULT), Err(why.to_owned()));
    let waves = format!("{} | {}", STEPS[0], STEPS[1]);
    let why = "too many processes have different times";
    assert_eq!(told(&waves, 1024, Network::DEFAULT), Err(why.to_owned()));
    let far = |by| {
        format!("sendrecv; dest = Right({by}); source = Right(NUM_PROCESSES - {by}); size = 8")
    };
    let far: Vec<String> = (1..40).map(far).collect();
    let far = format!("{} | {}", STEPS[8], far.join(" | "));
    let why = "processes have partners at too many distances";
    assert_eq!(told(&far, 1024, Network::DEFAULT), Err(why.to_owned()));
}

#[test]
fn the_command_line_tells_how_many_are_simulated() {
    let code = interpreted(&plain(STEPS[2]));
    let flags = "--nodes 64 --processes 64 --fold auto";
    let told = command(&code, flags);
    let folded = "\nFolded          64 processes, 9 simulated\n";
    assert!(told.contains(folded), "{told}");
    let (evaluation, classes) = json(&code, flags);
    assert!(evaluation.contains("\"simulated\": 9"), "{evaluation}");
    let (evaluation, each) = json(&code, &flags.replace("auto", "off"));
    assert!(!evaluation.contains("simulated"), "{evaluation}");
    assert_eq!(classes, each);
}
