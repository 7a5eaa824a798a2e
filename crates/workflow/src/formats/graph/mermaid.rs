//! Reads graphs in Mermaid, and in HTML pages that contain Mermaid.

use super::Graph;

/// First words of lines that don't define nodes or edges.
const OTHERS: [&str; 10] = [
    "flowchart",
    "subgraph",
    "end",
    "classDef",
    "class",
    "style",
    "linkStyle",
    "click",
    "direction",
    "%%",
];

/// Reads the nodes, labels and edges of a graph. Other lines are skipped.
pub(super) fn read(text: &str) -> Graph {
    let start = text.find("flowchart ").unwrap_or(0);
    let text = &text[start..];
    let text = &text[..text.find("</").unwrap_or(text.len())];
    let mut graph = Graph::default();
    for line in text.lines() {
        let line = line.trim().trim_end_matches(';').replace("&gt;", ">");
        let word = line.split(char::is_whitespace).next().unwrap_or_default();
        if word.is_empty() || OTHERS.contains(&word) {
            continue;
        }
        let Some((from, to)) = line.split_once("-->") else {
            node(&mut graph, &line);
            continue;
        };
        let to = to.trim_start();
        // An edge's label is in bars after it, or between two dashes and the arrow.
        let to = to
            .strip_prefix('|')
            .and_then(|it| it.split_once('|'))
            .map_or(to, |it| it.1);
        let from = from.split_once(" --").map_or(from, |it| it.0);
        if let (Some(from), Some(to)) = (node(&mut graph, from), node(&mut graph, to)) {
            graph.edges.push((from, to));
        }
    }
    graph
}

/// Returns the node in a text such as `v1(["label"])`; `None` if it has no name.
fn node(graph: &mut Graph, text: &str) -> Option<usize> {
    let text = text.trim();
    let end = text.find(['[', '(', '{', '>']).unwrap_or(text.len());
    let name = text[..end].trim();
    if name.is_empty() {
        return None;
    }
    let node = graph.node(name);
    let is_edge = |it: char| "[](){}>\"".contains(it);
    let label = text[end..].trim_matches(is_edge).replace("&quot;", "");
    let label = label.trim();
    if !label.is_empty() {
        label.clone_into(&mut graph.labels[node]);
    }
    Some(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_are_read() {
        let page = "<html><pre>\nflowchart TB\n subgraph \" \"\n v0[\"Channel.of\"]\n end\n \
                    v1([FASTQC])\n v0 --&gt;|reads| v1;\n v1 -- zip --> v2((MULTIQC))\n</pre>";
        let graph = read(page);
        assert_eq!(graph.labels, ["Channel.of", "FASTQC", "MULTIQC"]);
        assert_eq!(graph.edges, [(0, 1), (1, 2)]);
    }
}
