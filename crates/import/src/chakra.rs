//! Reads `MLCommons` Chakra execution traces, with one graph for each rank, as protobuf or JSON.
//!
//! As in ASTRA-sim, a rank has a CPU, a GPU, and one slot for a collective or a send; receives wait
//! without occupying any of these. Of the nodes that are ready, the one with the lowest number runs
//! first.
//!
//! | module | is |
//! |---|---|
//! | `wire` | the encoding of protobuf |
//! | `node` | a node and its attributes |
//! | `binary` | the nodes of a protobuf file |
//! | `text` | the nodes of a JSON file |
//! | `rank` | a rank's nodes as tasks |

mod binary;
mod node;
mod rank;
mod text;
mod wire;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use prophet_text::Problem;

use crate::files;
use crate::json;
use crate::tasks::{Groups, TaskTrace, Unpaired, pair};
use node::ChakraNode;
use rank::ChakraRank;

const RANKS_MAX: usize = 1 << 20;

/// Opens the graphs of all ranks. The path of one rank's file is enough.
pub(crate) fn open(mut paths: Vec<PathBuf>) -> Result<TaskTrace, Problem> {
    if let [path] = &*paths {
        paths = files::beside(path)?;
    }
    let path = paths.first().cloned().unwrap_or_default();
    if paths.len() > RANKS_MAX {
        let why = format!("there are more than {RANKS_MAX} rank files");
        return Err(Problem::of(&path, why));
    }
    let count = u32::try_from(paths.len()).unwrap_or(u32::MAX);
    let mut members = members(&path, count)?;
    let (mut groups, mut ranks) = (Groups::default(), Vec::new());
    for (number, file) in (0..).zip(&paths) {
        let nodes = nodes(file)?;
        for node in &nodes {
            members.extend(node.groups());
        }
        let rank = ChakraRank {
            number,
            ranks: count,
            members: &members,
        };
        let tasks = rank.tasks(nodes, &mut groups);
        ranks.push(tasks.map_err(|why| Problem::of(file, why))?);
    }
    pair(&mut ranks, Unpaired::Refused).map_err(|why| Problem::of(&path, why))?;
    Ok(TaskTrace {
        path,
        ranks,
        groups: groups.count(),
        notes: Vec::new(),
    })
}

fn nodes(path: &Path) -> Result<Vec<ChakraNode>, Problem> {
    if path.extension().is_some_and(|it| it == "et") {
        let bytes = prophet_files::load(path, json::BYTES_MAX)?;
        return binary::nodes(&bytes).map_err(|it| Problem::of(path, it.to_string()));
    }
    text::nodes(path, &json::text(path)?)
}

/// Reads the members of named groups from the file that ASTRA-sim expects next to the trace.
fn members(path: &Path, ranks: u32) -> Result<BTreeMap<String, Vec<u32>>, Problem> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut members = BTreeMap::new();
    let found = files::in_folder(folder)?.into_iter();
    let Some(file) = { found }.find(|it| json::is_of_groups(it)) else {
        return Ok(members);
    };
    let text = json::text(&file)?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|it| json::problem(&file, &it))?;
    let all = value.as_object().into_iter().flatten();
    for (name, list) in all {
        let list = json::ranks(list).filter(|it| it.iter().all(|it| *it < ranks));
        let Some(list) = list.filter(|it| !it.is_empty()) else {
            let why = format!("group `{name}` is not a list of ranks below {ranks}");
            return Err(Problem::of(&file, why));
        };
        members.insert(name.clone(), list);
    }
    Ok(members)
}
