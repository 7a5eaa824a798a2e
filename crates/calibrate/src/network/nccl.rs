//! Parses the output of NVIDIA's nccl-tests and AMD's rccl-tests, and treats a collective as
//! messages that travel around a ring.
//!
//! An all-reduce of n bytes on r ranks takes 2 (r - 1) steps. In each step, every rank sends n/r
//! bytes to the next rank. So each step counts as one measured message. Its bandwidth is what the
//! tests call `busbw`.

use prophet_text::{Problem, problem};

use super::measured::Measured;
use super::row::{Row, starts_with_digit};

const RANKS_MAX: u64 = 1 << 20;

/// A table without its header.
struct Table<'t> {
    header: Row<'t>,
    ranks: u64,
    rows: Vec<Row<'t>>,
}

/// The messages that a rank sends one after another in a collective.
struct Steps {
    count: u64,
    /// The size of each message is the collective's size divided by this number.
    parts: u64,
}

pub(crate) fn is_nccl(text: &str) -> bool {
    text.lines().any(is_header)
}

pub(crate) fn parse(name: &str, text: &str) -> Result<Measured, Problem> {
    let mut tables: Vec<Table<'_>> = Vec::new();
    let mut ranks = 0;
    for (index, text) in text.lines().enumerate() {
        let line = index + 1;
        let row = Row { name, line, text };
        if is_header(text) {
            tables.push(Table {
                header: row,
                ranks,
                rows: Vec::new(),
            });
        } else if text.contains("# Using devices") {
            ranks = 0;
        } else if let Some(rank) = rank(row)? {
            ranks = ranks.max(rank + 1);
        } else if let (Some(table), true) = (tables.last_mut(), starts_with_digit(text)) {
            table.rows.push(row);
        }
    }
    let mut measured = Measured::default();
    for table in &tables {
        table.add_to(&mut measured)?;
    }
    if measured.one_way_s.is_empty() {
        return Err(problem!(
            "{name}: its tables have no rows with a size and a time"
        ));
    }
    Ok(measured)
}

fn comment(text: &str) -> impl Iterator<Item = &str> {
    let comment = text.trim_start().strip_prefix('#').unwrap_or_default();
    comment.split_whitespace()
}

fn is_header(text: &str) -> bool {
    comment(text).next() == Some("size") && comment(text).any(|it| it == "busbw")
}

/// Parses the number of the rank in a line such as `# Rank 0 Group 0 Pid 71 on node1 device 0 …`.
fn rank(row: Row<'_>) -> Result<Option<u64>, Problem> {
    let mut words = comment(row.text);
    if words.next() != Some("Rank") {
        return Ok(None);
    }
    let rank = words.next().and_then(|it| it.parse().ok());
    let rank = rank.filter(|it| *it < RANKS_MAX);
    if words.next() == Some("Group") && words.next() != Some("0") {
        return Err(row.told("several groups share the network; run one group, without a split"));
    }
    rank.map(Some)
        .ok_or_else(|| row.told("the line has no rank number"))
}

impl Table<'_> {
    fn add_to(&self, measured: &mut Measured) -> Result<(), Problem> {
        if self.ranks < 2 {
            let why =
                "expected lines `# Rank 0 …`, `# Rank 1 …` above the table, which list the ranks";
            return Err(self.header.told(why));
        }
        let steps = self.steps()?;
        for (row, column) in self.times() {
            let bytes = row.bytes()?;
            let word = |column: usize| row.text.split_whitespace().nth(column);
            // A test without an in-place result has no time here, and sending nothing takes no
            // time.
            if bytes == 0 || word(column) == Some("N/A") {
                continue;
            }
            let has_count = comment(self.header.text).nth(column + 3) == Some("#wrong");
            if has_count && !matches!(word(column + 3), Some("0" | "N/A")) {
                return Err(row.told("the results are wrong, or the column `#wrong` is missing"));
            }
            #[expect(clippy::cast_precision_loss, reason = "ranks are few")]
            let step_s = row.positive(column)? * 1e-6 / steps.count as f64;
            let sent = (bytes + steps.parts / 2) / steps.parts;
            measured.one_way_s.entry(sent).or_default().push(step_s);
        }
        let (name, ranks, count) = (self.header.name, self.ranks, steps.count);
        let messages = prophet_text::counted(count, "message", "messages");
        let told = format!("{name}, nccl-tests with {ranks} ranks, {messages} one after another");
        measured.origins.push(told);
        Ok(())
    }

    /// Iterates over the rows, with each of the time columns (out of place and in place).
    fn times(&self) -> impl Iterator<Item = (Row<'_>, usize)> {
        let names = comment(self.header.text).enumerate();
        let times = names.filter(|(_, name)| *name == "time");
        times.flat_map(move |(column, _)| self.rows.iter().map(move |row| (*row, column)))
    }

    /// Determines the steps of the collective from the columns, because older versions don't name
    /// the collective.
    fn steps(&self) -> Result<Steps, Problem> {
        let Some(row) = self.rows.last() else {
            return Err(self.header.told("the table has no rows"));
        };
        let column = |name: &str| comment(self.header.text).position(|it| it == name);
        let cell = |name| row.text.split_whitespace().nth(column(name)?);
        let bandwidth = |name| match column(name) {
            Some(column) => row.positive(column),
            None => Err(self.header.told(format!("missing column `{name}`"))),
        };
        let (algorithm, bus) = (bandwidth("algbw")?, bandwidth("busbw")?);
        let others = self.ranks - 1;
        let (count, parts) = if cell("root").is_some_and(|it| it != "-1") {
            // A broadcast or a reduction moves from rank to rank in pieces.
            (others, others)
        } else if bus < algorithm {
            // This is an all-gather, a reduce-scatter or an all-to-all.
            (others, self.ranks)
        } else if cell("redop").is_some_and(|it| it != "none") {
            (2 * others, self.ranks)
        } else {
            (1, 1)
        };
        Ok(Steps { count, parts })
    }
}
