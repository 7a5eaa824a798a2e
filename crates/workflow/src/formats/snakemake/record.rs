//! Reads Snakemake's time records: benchmarks, statistics, and metadata of outputs.

use std::collections::{BTreeMap, BTreeSet};

use prophet_text::Problem;
use serde::Deserialize;

use super::super::NamedText;
use super::super::found::{bytes, seconds as seconds_of};
use super::super::table::Table;
use crate::quoted;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    rule: String,
    /// Text in which the values of the wildcards occur as words: a file's path, or the list of
    /// wildcards.
    text: String,
    pub(super) seconds: f64,
    pub(super) threads: Option<u32>,
    pub(super) load_percent: Option<f64>,
    pub(super) memory_bytes: Option<u64>,
}

impl Record {
    /// Returns `true` if the text contains the value as a whole word.
    pub(super) fn names(&self, value: &str) -> bool {
        contains_word(&self.text, value)
    }
}

/// Returns `true` if a text contains a word. In paths, underscores separate words.
fn contains_word(text: &str, word: &str) -> bool {
    let is_free = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric());
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            is_free(text[..at].chars().next_back())
                && is_free(text[at + word.len()..].chars().next())
        })
}

#[derive(Debug, Default)]
pub(super) struct Measured {
    records: Vec<Record>,
    /// Start and end of each metadata record, because a job has one record per output.
    seen: BTreeSet<(String, u64, u64)>,
    pub(super) makespan_s: Option<f64>,
}

#[derive(Deserialize)]
struct Statistics {
    total_runtime: f64,
    rules: BTreeMap<String, OfRule>,
}

#[derive(Deserialize)]
struct OfRule {
    #[serde(rename = "mean-runtime")]
    mean_s: f64,
}

/// Metadata about an output, as in `.snakemake/metadata`.
#[derive(Deserialize)]
struct Metadata {
    rule: String,
    starttime: f64,
    endtime: f64,
}

impl Measured {
    pub(super) fn by_rule(&self) -> BTreeMap<&str, Vec<&Record>> {
        let mut by_rule: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
        for record in &self.records {
            by_rule.entry(&record.rule).or_default().push(record);
        }
        by_rule
    }

    fn add(&mut self, rule: &str, text: &str, seconds: f64) {
        self.records.push(Record {
            rule: rule.to_owned(),
            text: text.to_owned(),
            seconds,
            threads: None,
            load_percent: None,
            memory_bytes: None,
        });
    }

    /// Reads a benchmark. Its table names the rule, or otherwise its path.
    pub(super) fn benchmark(
        &mut self,
        file: NamedText<'_>,
        rules: &BTreeSet<&str>,
    ) -> Result<(), Problem> {
        let table = Table::read(file)?;
        let seconds = table.required("s")?;
        let cell = |row: usize, name: &str| {
            let cell = table.rows[row].1[table.column(name)?];
            (!cell.is_empty() && cell != "-" && cell != "NA").then_some(cell)
        };
        for row in 0..table.rows.len() {
            let in_path = rules
                .iter()
                .copied()
                .filter(|it| contains_word(file.name, it));
            let rule = cell(row, "rule_name").or_else(|| in_path.max_by_key(|it| it.len()));
            let Some(rule) = rule else {
                let what = format!(
                    "the name {} does not contain a rule of the DAG",
                    quoted(file.name)
                );
                let help = "Name the benchmark after its rule, or run Snakemake with \
                            `--benchmark-extended`.";
                return Err(Problem::with_help(what, help));
            };
            let text = cell(row, "wildcards").unwrap_or(file.name);
            self.records.push(Record {
                rule: rule.to_owned(),
                text: text.to_owned(),
                seconds: table.number(row, seconds)?,
                threads: cell(row, "threads")
                    .and_then(|it| it.parse().ok())
                    .filter(|it| *it > 0),
                load_percent: cell(row, "mean_load").and_then(seconds_of),
                memory_bytes: cell(row, "max_rss").and_then(|it| bytes(it, 1_048_576.0)),
            });
        }
        Ok(())
    }

    /// Reads the output of `--stats`, which exists up to Snakemake 7: the mean time of each rule.
    pub(super) fn statistics(&mut self, file: NamedText<'_>) -> Result<(), Problem> {
        let statistics: Statistics = parse(file)?;
        for (rule, of_rule) in &statistics.rules {
            self.add(rule, "", checked(file, of_rule.mean_s)?);
        }
        self.makespan_s = Some(checked(file, statistics.total_runtime)?);
        Ok(())
    }

    /// Reads the metadata of an output. The file's name is the output's path in Base64.
    pub(super) fn record(&mut self, file: NamedText<'_>) -> Result<(), Problem> {
        let metadata: Metadata = parse(file)?;
        let seconds = checked(file, metadata.endtime - metadata.starttime)?;
        let times = [metadata.starttime, metadata.endtime].map(f64::to_bits);
        if self
            .seen
            .insert((metadata.rule.clone(), times[0], times[1]))
        {
            let name = file.name.rsplit('/').next().unwrap_or_default();
            let path = decoded(name).unwrap_or_else(|| name.to_owned());
            self.add(&metadata.rule, &path, seconds);
        }
        Ok(())
    }
}

fn parse<'a, T: Deserialize<'a>>(file: NamedText<'a>) -> Result<T, Problem> {
    serde_json::from_str(file.text).map_err(|error| {
        let what = prophet_text::plain::line(&error.to_string());
        let what = format!("it is not a Snakemake record: {what}");
        Problem::with_help(what, "Use the file as Snakemake wrote it.").in_file(file.name)
    })
}

fn checked(file: NamedText<'_>, seconds: f64) -> Result<f64, Problem> {
    if seconds.is_finite() && seconds >= 0.0 {
        return Ok(seconds);
    }
    let what = format!("the time is {seconds} s");
    Err(Problem::with_help(what, "Use a time of 0 s or more.").in_file(file.name))
}

/// Decodes URL-safe Base64; returns `None` if the result isn't text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6 | u32::from(value)) & 0xfff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded() {
        assert_eq!(decoded("bWFwcGVkL0EuYmFt").as_deref(), Some("mapped/A.bam"));
        assert_eq!(decoded("YQ==").as_deref(), Some("a"));
        assert_eq!(decoded("a.b"), None);
    }

    #[test]
    fn words_are_whole() {
        assert!(contains_word("benchmarks/map_A.tsv", "map"));
        assert!(contains_word("benchmarks/map_A.tsv", "A"));
        assert!(!contains_word("benchmarks/map_A1.tsv", "A"));
        assert!(!contains_word("benchmarks/remap.tsv", "map"));
        assert!(!contains_word("a", ""));
    }
}
