//! A decision whose guards all fail.

use prophet_runtime::{ActionPlus, Node};

use crate::failures::failure;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 10);
const DECISION: Node = Node::new(4, "", 4711);

#[test]
fn a_decision_without_a_name_is_named_by_its_id() {
    let text = failure(1, async |ctx| {
        WORK.execute(ctx, 0.125).await?;
        Err(DECISION.stuck(ctx))
    });
    assert_eq!(
        text,
        "no guard holds, and there is no else branch\n  \
         at 125 ms of simulated time, process 0, node `` (id 4711)"
    );
}
