//! Tests folding identical processes: outcomes must be exactly the same as without folding, and
//! programs that can't be folded must be simulated in full.

mod classes;

use std::collections::BTreeSet;
use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_interpreter::Interpreted;
use prophet_model::source::Source;
use prophet_runtime::{
    Engine, Evaluation, Network, Outcome, ProcessCtx, ProcessOutcome, Simulation, System,
};
use prophet_testing::{assert_says, laws::Random};

const LEGEND: &str = "@startuml\ntitle Main\nlegend\n  model Random\n  global int G\n  \
    global int A[4]\n  int Right(int by) { return (pid + by) % NUM_PROCESSES; }\n  \
    double Cost(int n) { if (n > 3) { return 0.5 / n; } return 0.25; }\nend legend\nstart\n";

/// Steps that are identical in all processes. Each consists of some elements with their tags.
const ALIKE: [&str; 16] = [
    "action+; cost = 0.1",
    "action+; cost = Cost(NUM_PROCESSES) * A[1]",
    "allreduce; size = 8",
    "allreduce; size = 1048576",
    "barrier",
    "allgather; size = 100",
    "alltoall; size = 300",
    "scan; size = 12",
    "broadcast; root = 0; size = 8; cost = 0.125",
    "bsend; dest = PROC_NULL; size = 1",
    // Steps on a ring.
    "action+; cost = G >= 0 && G != NUM_PROCESSES ? 0.5 : 0.25",
    "sendrecv; dest = Right(3); source = (pid + 2 * NUM_PROCESSES - 2 - 1) % NUM_PROCESSES; \
     size = 9",
    "nbsend; dest = Right(1); size = 8 | nbsend; dest = Right(2); size = 8 | nbsend; \
     dest = Right(1); size = 9 | brecv; source = Right(NUM_PROCESSES - 1) | brecv; \
     source = Right(NUM_PROCESSES - 1) | brecv; source = Right(NUM_PROCESSES - 2)",
    "nbrecv; source = Right(NUM_PROCESSES - 1); tag = 7 | nbsend; dest = Right(1); size = 8; \
     tag = 7 | action+; cost = 0.01 | wait",
    "bsend; dest = Right(1); size = 5000; tag = 7; cost = 0.01 | brecv; \
     source = Right(NUM_PROCESSES - 1); tag = 7",
    // With more than two processes, nobody sends to the left, so all processes wait forever.
    "sendrecv; dest = Right(1); source = Right(1); size = 8",
];

/// Number of steps without partners.
const ALONE: usize = 10;

/// Halos on a torus that is two processes wide, and exchanges along the edges of a cube.
const OTHERS: [&str; 2] = [
    "nbsend; dest = grid_right(pid, 2, NUM_PROCESSES / 2, true); size = 80 | nbsend; \
     dest = grid_down(pid, 2, NUM_PROCESSES / 2, true); size = 80 | nbsend; dest = grid_up(\
     grid_left(pid, 2, NUM_PROCESSES / 2, true), 2, NUM_PROCESSES / 2, true); size = 8 | brecv; \
     source = grid_up(pid, 2, NUM_PROCESSES / 2, true) | brecv; \
     source = grid_left(pid, 2, NUM_PROCESSES / 2, true) | brecv; source = grid_down(\
     grid_right(pid, 2, NUM_PROCESSES / 2, true), 2, NUM_PROCESSES / 2, true)",
    "sendrecv; dest = pid ^ 1; source = pid ^ 1; size = 8",
];

/// Steps that differ between processes. For each, how many of four processes are simulated, or why
/// all of them are. Some elements contain code that treats the last process differently.
const DIFFERENT: [(&str, Result<u32, &str>); 12] = [
    (
        "action+; cost = 0.1 * pid",
        Err("costs, sizes or tags that depend on the process"),
    ),
    ("action+; cost = uniform(0.5, 1)", Err("random numbers")),
    ("action+; cost = pid == 0 ? 1 : 2", Ok(2)),
    (
        "action+; cost = 6 / (pid + 1) < 100 ? 1 : 2",
        Err("divisors that depend on the process"),
    ),
    (
        "action+; cost = grid_left(pid, 99, true) < 100 ? 1 : 2",
        Ok(2),
    ),
    (
        "action+; cost = A[pid % 2]",
        Err("array items that depend on the process"),
    ),
    (
        "broadcast; root = 0; size = 8",
        Err("collectives in which processes do different things"),
    ),
    ("sendrecv; dest = pid; source = pid; size = 9", Ok(2)),
    (
        "sendrecv; dest = grid_right(pid, NUM_PROCESSES, false); \
         source = grid_left(pid, NUM_PROCESSES, false); size = 9",
        Ok(3),
    ),
    (
        "sendrecv; dest = Right(1); source = Right(NUM_PROCESSES - 1); size = 1 | sendrecv; \
         dest = pid ^ 1; source = pid ^ 1; size = 8",
        Err("partners on different grids"),
    ),
    ("allreduce; size = 8; comm = pid % 2", Err("communicators")),
    (
        "sendrecv; dest = Right(1); source = Right(NUM_PROCESSES - 1); size = 1; status_source = G",
        Err("message values"),
    ),
];

/// Writes a program with these steps, some of them in loops.
fn program(steps: &[&str], random: &mut Random) -> String {
    let step = |(number, step): (usize, &&str)| {
        let element = |(part, element): (usize, &str)| {
            let (kind, tags) = element.split_once("; ").unwrap_or((element, ""));
            let gap = if tags.is_empty() { "" } else { "\n" };
            let tags = tags.replace("; ", "\n");
            format!(":<<{kind}>> S{number}_{part}{gap}{tags};\n")
        };
        let mut text: String = step.split(" | ").enumerate().map(element).collect();
        if random.below(3) == 0 {
            let by = random.below(5);
            let code = format!("G = (pid + {by}) % NUM_PROCESSES; A[1] = {by};");
            text = format!("{text}note right\ncode\n{code}\nend note\n");
        }
        if random.below(4) == 0 {
            let label = format!("<<loop+>> L{number}\\niterations = 3");
            text = format!("partition \"{label}\" {{\n{text}}}\n");
        }
        text
    };
    let steps: String = steps.iter().enumerate().map(step).collect();
    format!("{LEGEND}{steps}stop\n@enduml\n")
}

fn interpreted(text: &str) -> Interpreted {
    let rules = RuleSet::shipped();
    let source = Source::new("random.puml", text);
    let checked = check_source(&rules, source, Path::new(""), None);
    let errors = || format!("{text}\n{:?}", checked.diagnostics);
    Interpreted::new(&checked, "random.puml", false).unwrap_or_else(|_| panic!("{}", errors()))
}

/// The outcome with all processes, or the error, without details of how it was computed.
type Told = Result<(Vec<ProcessOutcome>, Outcome), String>;

/// Runs a program with and without folding, and checks that the outcomes are equal. Returns how
/// many processes were simulated, or why all of them were.
fn compared(code: &Interpreted, system: &System, text: &str) -> Result<u32, String> {
    let (full, _) = run(code, system, false);
    let (fast, how) = run(code, system, true);
    let processes = system.processes;
    assert_eq!(fast, full, "{processes} processes, {how:?}:\n{text}");
    how
}

/// Runs a program with or without folding. Returns the outcome, and how many processes were
/// simulated, or why all of them were.
fn run(code: &Interpreted, system: &System, folding: bool) -> (Told, Result<u32, String>) {
    let program = async |ctx: &ProcessCtx<'_>| code.run(ctx).await;
    let simulation = Simulation::new(code.model(), system.clone()).with_engine(Engine::Auto);
    let run = simulation.interpreted().with_folding(folding).run(program);
    let mut outcome = match run {
        Ok(outcome) => outcome,
        Err(failure) => return (Err(failure.to_string()), Err("it failed".to_owned())),
    };
    let evaluation = std::mem::take(&mut outcome.evaluation);
    let simulated = match (evaluation.folded, evaluation.why_not_folded) {
        (Some(ranks), _) => {
            assert_eq!(ranks, system.processes);
            Ok(evaluation.simulated.unwrap_or(1))
        }
        (None, why) => Err(why.unwrap_or_default()),
    };
    outcome.evaluation.folded = evaluation.folded;
    let processes = outcome.each_process().collect();
    let listed = simulated.as_ref().map_or(system.processes, |count| *count);
    assert_eq!(outcome.processes.len(), listed as usize);
    let efficiency = outcome.efficiency();
    outcome.evaluation = Evaluation {
        messages: evaluation.messages,
        ..Evaluation::default()
    };
    outcome.processes.clear();
    outcome.classes.clear();
    let extra = format!("{efficiency:?}");
    outcome.evaluation.engine = extra.into();
    (Ok((processes, outcome)), simulated)
}

/// Networks with different cost models.
fn networks() -> [Network; 3] {
    [
        Network::DEFAULT,
        Network::Hockney {
            latency_s: 1e-3,
            bytes_per_s: 1e5,
        },
        Network::LogGp {
            l_s: 1e-3,
            o_s: 1e-4,
            g_s: 2e-4,
            gap_per_byte_s: 1e-7,
        },
    ]
}

#[test]
fn random_programs_give_the_same_folded() {
    let mut random = Random(1);
    let (mut folded, mut reasons) = (0, BTreeSet::new());
    for number in 0..100 {
        // Steps with messages on other grids than the ring are combined only with steps without
        // partners.
        let mut steps: Vec<&str> = OTHERS.into_iter().skip(number % 8).take(1).collect();
        let alike = if steps.is_empty() {
            &ALIKE
        } else {
            &ALIKE[..ALONE]
        };
        (0..=random.below(6)).for_each(|_| steps.push(alike[random.below(alike.len())]));
        if random.below(6) == 0 {
            steps.push(DIFFERENT[random.below(DIFFERENT.len())].0);
        }
        let text = program(&steps, &mut random);
        let code = interpreted(&text);
        for processes in [2, 3, 4, 6, 8, 12, 16] {
            let mut system = System::new(processes, 1, processes, 1);
            system.network = networks()[random.below(3)];
            match compared(&code, &system, &text) {
                Ok(_) => folded += 1,
                Err(why) => drop(reasons.insert(why)),
            }
        }
    }
    assert!(folded > 200, "{folded} are folded: {reasons:?}");
}

#[test]
fn a_reason_is_told_if_processes_are_not_folded() {
    for (step, why) in DIFFERENT {
        let code = interpreted(&program(&[step], &mut Random(3)));
        let (_, how) = run(&code, &System::new(4, 1, 4, 1), true);
        let why = why.map_err(|why| format!("the program uses {why}"));
        assert_eq!(how, why, "{step}");
    }
    let code = interpreted(&program(&ALIKE[..1], &mut Random(3)));
    let told = |change: fn(&mut System)| {
        let mut system = System::new(4, 4, 4, 1);
        change(&mut system);
        run(&code, &system, true).1.expect_err("it is not folded")
    };
    let mapped = "processes are not mapped one per node, in order";
    assert_eq!(told(|it| it.mapping.reverse()), mapped);
    assert_eq!(told(|it| it.mapping.fill(2)), mapped);
    let noisy = |it: &mut System| it.noise.choose("costs=lognormal:0.1").expect("it is noise");
    assert_eq!(told(noisy), "noise differs between processes");
    assert_eq!(told(|it| it.threads = 2), "a process has 2 threads");
}

#[test]
fn messages_that_find_their_receives_need_not_be_eager() {
    let mut system = System::new(6, 1, 6, 1);
    system.protocol.eager_bytes = 100;
    let told = |step: &str| {
        let code = interpreted(&program(&[step], &mut Random(3)));
        compared(&code, &system, step)
    };
    let receive = "nbrecv; source = Right(NUM_PROCESSES - 1) | action+; cost = 0.01 | ";
    let send = "bsend; dest = Right(1); size = 5000";
    assert_eq!(told(&format!("{receive}{send} | wait")), Ok(1));
    let both = "sendrecv; dest = Right(2); source = Right(NUM_PROCESSES - 2); size = 5000";
    assert_eq!(told(both), Ok(1));
    let some = format!("{receive}bsend; dest = pid > 0 ? 0 : 5; size = pid > 0 ? 10 : 5000 | wait");
    assert!(told(&some).is_err());
}

fn command(code: &Interpreted, flags: &str) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["p"].into_iter().chain(flags.split(' '));
    let ended = code.run_to(words.map(Into::into), &mut out, &mut err);
    assert_eq!(ended, 0, "{flags}: {}", String::from_utf8_lossy(&err));
    String::from_utf8(out).expect("it is text")
}

/// Returns the evaluation in the JSON of a run, and everything else.
fn json(code: &Interpreted, flags: &str) -> (String, String) {
    let json = command(code, &format!("{flags} --format json"));
    let (before, rest) = json.split_once("\"evaluation\"").expect("it is there");
    let (evaluation, after) = rest.split_once('}').expect("it ends");
    (evaluation.to_owned(), format!("{before}{after}"))
}

#[test]
fn the_command_line_folds_and_lists_all_processes() {
    let code = interpreted(&program(&ALIKE[..4], &mut Random(3)));
    let folded = command(&code, "--nodes 16 --processes 16 --fold auto");
    assert_says(
        &folded,
        &["\nFolded          16 processes, simulated once\n"],
    );
    assert!(folded.contains("\n     15    15 "), "{folded}");
    let each = command(&code, "--nodes 16 --processes 8 --fold auto");
    let why = "\nFolded          no: processes are not mapped one per node, in order\n";
    assert!(each.contains(why), "{each}");
    let (evaluation, folded) = json(&code, "--nodes 16 --processes 16 --fold auto");
    assert!(evaluation.contains("\"folded\": 16"), "{evaluation}");
    let (evaluation, each) = json(&code, "--nodes 16 --processes 16 --fold off");
    assert!(!evaluation.contains("folded"), "{evaluation}");
    assert_eq!(folded, each);
}
