//! Strongly connected components: modules each of which reaches all others of its group.

/// The groups of more than one node, whose nodes rise; `edges` has the targets of each node.
///
/// A node's group has those that it reaches and that reach it: for some hundred modules, a search
/// from each is soon done.
pub(super) fn of(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<Vec<bool>> = (0..edges.len()).map(|node| reach(edges, node)).collect();
    let mut knots: Vec<Vec<usize>> = Vec::new();
    for (node, reaches) in reached.iter().enumerate() {
        let together = |other: &usize| reaches[*other] && reached[*other][node];
        let knot: Vec<usize> = (0..edges.len()).filter(together).collect();
        // Its first node has told of the group already.
        if knot.len() > 1 && knot.first() == Some(&node) {
            knots.push(knot);
        }
    }
    knots
}

/// The nodes that a node reaches, itself among them if a way leads back.
fn reach(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for target in &edges[node] {
            if !std::mem::replace(&mut reached[*target], true) {
                open.push(*target);
            }
        }
    }
    reached
}
