//! Maps processes to nodes.

use std::fmt;
use std::fs::File;
use std::io::Read;

use prophet_text::{Problem, counted};

use crate::quantity::{one_line, quoted};
use prophet_text::did_you_mean;

/// The maximum number of nodes, and the maximum of processes times threads: 134,217,728.
pub const UNITS_MAX: u32 = 1 << 27;

/// The value of `--mapping`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mapping {
    /// Processes with neighboring numbers share a node.
    Block,
    /// Processes are dealt to the nodes in turn.
    Cyclic,
    /// The node of each process, by process number.
    List(Vec<u32>),
    /// A file that lists the node of each process.
    File(String),
}

/// Why processes can't be mapped. An invalid file is an input error; all other errors are
/// command-line errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MappingError {
    /// The flag's value is invalid.
    Flag(String),
    /// The file can't be read or is invalid.
    File(String),
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(message) | Self::File(message) => f.write_str(message),
        }
    }
}

impl Mapping {
    /// Parses the value of `--mapping`. A value is a list of nodes if it starts with a digit and
    /// either contains a comma or consists only of digits. To use a file with such a name, write a
    /// path such as `./0`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn parse(text: &str) -> Result<Self, MappingError> {
        match text.trim() {
            "block" => Ok(Self::Block),
            "cyclic" => Ok(Self::Cyclic),
            "" => Err(MappingError::Flag(
                "expected `block`, `cyclic`, a list or a file".to_owned(),
            )),
            list if list.starts_with(|c: char| c.is_ascii_digit())
                && (list.contains(',') || list.bytes().all(|b| b.is_ascii_digit())) =>
            {
                nodes_in(list).map(Self::List).map_err(MappingError::Flag)
            }
            _ => Ok(Self::File(text.to_owned())),
        }
    }

    /// Computes the node number of each process, by pid.
    ///
    /// # Errors
    ///
    /// Returns an error if the mapping's file is invalid, or if the mapping doesn't fit the
    /// processes and nodes.
    pub fn nodes_of(self, processes: u32, nodes: u32) -> Result<Vec<u32>, MappingError> {
        match self {
            Self::Block => Ok(block(processes, nodes)),
            Self::Cyclic => Ok(cyclic(processes, nodes)),
            Self::List(list) => check(list, processes, nodes)
                .map_err(|problem| MappingError::Flag(format!("the mapping {problem}"))),
            Self::File(path) => {
                let of_file = |why| format!("the mapping file `{}` {why}", one_line(&path));
                let list = read(&path, processes).map_err(MappingError::File)?;
                check(list, processes, nodes).map_err(|why| MappingError::File(of_file(why)))
            }
        }
    }
}

/// Maps neighboring processes to the same node: `pid * nodes / processes`, rounded down. If there
/// are more nodes than processes, process `pid` runs alone on node `pid`.
pub fn block(processes: u32, nodes: u32) -> Vec<u32> {
    let nodes = nodes.min(processes);
    if nodes == processes {
        // This avoids a slow division per process.
        return (0..processes).collect();
    }
    let node_of = |pid: u32| {
        let node = u64::from(pid) * u64::from(nodes) / u64::from(processes);
        u32::try_from(node).unwrap_or(u32::MAX)
    };
    (0..processes).map(node_of).collect()
}

/// Deals processes to the nodes in turn.
pub fn cyclic(processes: u32, nodes: u32) -> Vec<u32> {
    (0..processes)
        .map(|pid| pid.checked_rem(nodes).unwrap_or(0))
        .collect()
}

/// Parses numbers separated by commas or whitespace. `#` starts a comment.
fn nodes_in(text: &str) -> Result<Vec<u32>, String> {
    text.lines()
        .map(|line| line.split_once('#').map_or(line, |(numbers, _)| numbers))
        .flat_map(|line| line.split(|c: char| c == ',' || c.is_whitespace()))
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.parse()
                .map_err(|_| format!("`{}` is not a node number", quoted(word)))
        })
        .collect()
}

fn read(path: &str, processes: u32) -> Result<Vec<u32>, String> {
    // The limit is far above the size of a valid file. A disk or a pipe must not fill the memory.
    let bytes_max = 1_000_000 + 100 * u64::from(processes);
    let mut text = String::new();
    let file = File::open(path).and_then(|file| file.take(bytes_max).read_to_string(&mut text));
    let of_file = |why| format!("the mapping file `{}` {why}", one_line(path));
    match file {
        Ok(length) if length as u64 == bytes_max => {
            Err(of_file(format!("is longer than {bytes_max} bytes")))
        }
        Ok(_) => nodes_in(&text).map_err(|why| of_file(format!("is invalid: {why}"))),
        Err(why) => {
            let meant = did_you_mean(path, ["block", "cyclic"]);
            Err(Problem::unread(path.as_ref(), format!("{why}{meant}")).message)
        }
    }
}

fn check(list: Vec<u32>, processes: u32, nodes: u32) -> Result<Vec<u32>, String> {
    if list.len() as u64 != u64::from(processes) {
        return Err(format!(
            "has {} for {}",
            counted(list.len() as u64, "entry", "entries"),
            counted(u64::from(processes), "process", "processes")
        ));
    }
    match list.iter().position(|&nid| nid >= nodes) {
        Some(pid) => Err(format!(
            "puts process {pid} on node {}, but the last node is {}",
            list[pid],
            nodes.saturating_sub(1)
        )),
        None => Ok(list),
    }
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_starts;
    use proptest::prelude::*;

    use super::*;

    fn nodes(text: &str, processes: u32, nodes: u32) -> Result<Vec<u32>, MappingError> {
        Mapping::parse(text)?.nodes_of(processes, nodes)
    }

    #[test]
    fn processes_are_mapped_in_all_forms() {
        prophet_testing::assert_cases("tests/cases/mappings.txt", |case| {
            let told = |line: &str| {
                let (processes, text) = line.split_once(": ").expect("processes and a mapping");
                match nodes(text, processes.parse().expect("a number"), 2) {
                    Ok(nodes) => format!("{line}\n  {nodes:?}\n"),
                    Err(MappingError::Flag(message)) => format!("{line}\n  {message}\n"),
                    Err(MappingError::File(message)) => panic!("{message}"),
                }
            };
            case.input.lines().map(told).collect()
        });
        let nothing = MappingError::Flag("expected `block`, `cyclic`, a list or a file".to_owned());
        assert_eq!(nodes(" ", 4, 2), Err(nothing));
    }

    #[test]
    fn a_file_has_the_same_list_with_comments() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mapping.txt");
        let path = file.to_str().unwrap();
        let error = |text: &str| {
            std::fs::write(&file, text).unwrap();
            match nodes(path, 4, 2) {
                Err(MappingError::File(message)) => message,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            error("0 1\n# x\n0"),
            format!("the mapping file `{path}` has 3 entries for 4 processes")
        );
        assert!(error("0 1 one 0").ends_with("is invalid: `one` is not a node number"));
        assert!(error("0 1 2 0").ends_with("puts process 2 on node 2, but the last node is 1"));
        assert!(error(&"#".repeat(2_000_000)).ends_with("is longer than 1000400 bytes"));

        std::fs::write(&file, "# two a node\n0 0\n1,1 # the second\r\n").unwrap();
        assert_eq!(nodes(path, 4, 2), Ok(vec![0, 0, 1, 1]));
    }

    #[test]
    fn a_missing_file_may_be_a_misspelled_word() {
        let error = nodes("blok", 4, 2).unwrap_err();
        let MappingError::File(message) = error else {
            panic!("{error:?}")
        };
        assert_starts(&message, "cannot read blok: ");
        assert!(message.ends_with("; did you mean `block`?"), "{message}");
    }

    #[test]
    fn fewer_processes_fill_the_first_nodes() {
        assert_eq!(block(3, 8), [0, 1, 2]);
        assert_eq!(block(8, 3), [0, 0, 0, 1, 1, 1, 2, 2]);
    }

    proptest! {
        #[test]
        fn blocks_are_even_and_in_order(processes in 1..2000_u32, nodes in 1..300_u32) {
            let mapping = block(processes, nodes);
            prop_assert_eq!(mapping.len(), processes as usize);
            prop_assert!(mapping.is_sorted());
            let of = |nid| mapping.iter().filter(|&&node| node == nid).count();
            let even = (processes / nodes) as usize..=processes.div_ceil(nodes) as usize;
            prop_assert!((0..nodes).all(|nid| even.contains(&of(nid))));
        }

        #[test]
        fn no_text_panics(text in "[0-9a-z,# -]{0,20}", processes in 1..8_u32, count in 1..8_u32) {
            if let Ok(mapping) = nodes(&text, processes, count) {
                prop_assert!(mapping.iter().all(|&nid| nid < count));
            }
        }
    }
}
