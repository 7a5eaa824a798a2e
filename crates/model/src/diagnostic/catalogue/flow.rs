//! Control flow: the kinds of problems.

super::catalogue! {
    error NO_START "PM0301" "A diagram has no node to start from: every node has an incoming flow.";
    warning SEVERAL_STARTS "PM0302"
        "A diagram has several nodes to start from, which run concurrently.";
    error IMPLICIT_FORK "PM0303"
        "Several flows leave a node that neither chooses between them nor forks.";
    error IMPLICIT_JOIN "PM0304"
        "Several flows enter a node that is not a merge: UML waits there for all of them.";
    error MISSING_GUARD "PM0305" "A flow out of a decision has no guard.";
    error SEVERAL_ELSE "PM0306" "A decision has more than one `else`.";
    error FLOW_OUT_OF_FINAL "PM0307" "A flow leaves a final node.";
    error UNSUPPORTED_NODE "PM0310"
        "A node is of a kind that has no meaning for a performance model.";
    error NO_CONDITION "PM0311" "A loop or clause has no test: no action decides about it.";
    error TANGLED_BRANCHES "PM0312"
        "The branches of a fork meet in a node that does not wait for them.";
    error STARVING_JOIN "PM0313" "A join waits for a flow that does not come.";
    error ABORTED_BRANCH "PM0314"
        "A branch of a fork ends the diagram, in which other branches still run.";
    error GUARDED_FORK "PM0315" "A flow out of a fork has a guard.";
    error OUTSIDE_SECTIONS "PM0316" "Something in a `parallelsections` is in none of its sections.";
    error UNASKED_TEST "PM0317"
        "A loop whose iterations are counted has a test that does something.";
    warning IGNORED_TEST "PM0318"
        "A loop whose iterations are counted has a test, which is not evaluated.";
    warning DOUBTFUL_JOIN "PM0319"
        "A join may wait for a flow that does not come: nothing behind it runs then.";
}
