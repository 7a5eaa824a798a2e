//! Tests that failures name lines in the model if there is a map of it.

use prophet_runtime::{
    ActionPlus, BRecv, BSend, ByMachine, FaultKind, Message, Model, ProcessCtx, ProcessProgram,
    Simulation, Stopped, System, in_function,
};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 10);
const RECV: BRecv = BRecv::new(1, "Recv", 11);
const SEND: BSend = BSend::new(2, "Send", 12);

const MAP: &str = include_str!("map.json");

/// Returns the text of a failure of a program with two processes, from a model with this map.
fn failure(map: &'static str, program: impl ProcessProgram) -> String {
    let model = Model::new("Failing", &[], 3).mapped(map);
    let mut system = System::new(1, 2, 2, 1);
    system.protocol.intranode_eager_bytes = 1024;
    let run = Simulation::new(&model, system).run(program);
    run.expect_err("the program fails").to_string()
}

async fn divide(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let cost = in_function("Share", || Err(FaultKind::DivisionByZero.into()));
    WORK.execute(ctx, cost).await
}

#[test]
fn the_element_and_the_function_have_their_lines() {
    assert_eq!(
        failure(MAP, divide),
        "integer division by zero\n  \
         at 0 s of simulated time, process 0, action+ `Work`\n  \
         --> models/m.uml:45:9\n  \
         in the function `Share`\n  \
         --> models/m.uml:80:7"
    );
}

#[test]
fn a_map_that_is_none_changes_nothing() {
    for map in ["", "no map", r#"{"model": 1}"#] {
        assert_eq!(
            failure(map, divide),
            "integer division by zero\n  \
             at 0 s of simulated time, process 0, action+ `Work` (id 10)\n  \
             in the function `Share`"
        );
    }
}

#[test]
fn each_element_of_a_deadlock_has_its_line() {
    let text = failure(MAP, async |ctx| {
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(2000).tag(1), ByMachine)
                .await
        } else {
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    });
    assert_eq!(
        text,
        "deadlock: 2 of 2 processes never resume\n  \
         at 0 s of simulated time\n  \
         process 0 at bsend `Send` waits for process 1 to receive its message\n    \
         --> models/m.uml:47:9\n  \
         process 1 at brecv `Recv` waits for a message with tag 0 from process 0\n    \
         --> models/m.uml:46:9\n    \
         a message with tag 1 from process 0 is waiting, but no receive takes it: 2000 bytes, \
         sent at bsend `Send`; did you mean tag 1?\n      \
         --> models/m.uml:47:9\n  \
         they wait for each other: 0 -> 1 -> 0"
    );
}
