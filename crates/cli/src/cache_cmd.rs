//! Implements the `cache` command.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use prophet_text::Context as _;

use crate::format::print;
use crate::{CommandOutcome, Door};

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Arguments {
    /// List the contents, with their size and last use
    #[arg(long, group = "what")]
    list: bool,
    /// Remove everything; the next commands create what they need again
    #[arg(long, group = "what")]
    clear: bool,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    let cache = door.cache()?;
    let target = door.target()?;
    let shown = cache.folder().display();
    if arguments.clear {
        cache.clear(&target).cannot("clear", &shown)?;
        prophet_text::tell!("cleared {shown}");
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{shown}, {} in total\n", size(cache.bytes()));
    for kept in cache.list(&target) {
        let used = kept.used.and_then(|used| used.elapsed().ok());
        let used = used.map_or("never used".to_owned(), ago);
        let size = size(kept.bytes);
        let _ = writeln!(text, "{size:>9}  {used:>15}  {}", kept.name);
    }
    for (name, bytes) in cache.shared() {
        let _ = writeln!(text, "{:>9}  {:>15}  ({name})", size(bytes), "");
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn size(bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", tenths(1_000)),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}

fn ago(passed: Duration) -> String {
    let minutes = passed.as_secs() / 60;
    match minutes {
        0 => "now".to_owned(),
        1..120 => format!("{minutes} min ago"),
        120..2_880 => format!("{} h ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_for_people() {
        let sizes = [0, 999, 1_000, 2_345_678, 2_000_000_000].map(size);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "2.3 MB", "2.0 GB"]);
        let times = [59, 60, 7_199, 7_200, 172_800].map(|it| ago(Duration::from_secs(it)));
        let expected = ["now", "1 min ago", "119 min ago", "2 h ago", "2 days ago"];
        assert_eq!(times, expected);
    }
}
