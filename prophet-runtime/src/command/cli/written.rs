//! Checks the names of output files before the run, so that no long run is in vain.

use std::path::PathBuf;

use clap::ArgMatches;
use prophet_files::{check_ending, missing_folder};
use prophet_text::{Problem, plain::line, problem};

use super::WRITTEN;

/// Output flags that always write the same format: the flag, the format, and its extensions.
const FORMATS: [(&str, &str, &[&str]); 2] = [
    ("--report", "a web page", &["html", "htm"]),
    ("--picture", "an SVG picture", &["svg"]),
];

pub(super) fn check(matches: &ArgMatches) -> Result<(), Problem> {
    let files = { WRITTEN.into_iter() }
        .filter_map(|flag| Some((flag, matches.get_one::<PathBuf>(&flag[2..])?)));
    for (flag, file) in files {
        if let Some(folder) = missing_folder(file) {
            let folder = line(&folder.display().to_string());
            return Err(problem!(
                "{flag}: there is no folder `{folder}`; create it first"
            ));
        }
        if let Some((_, what, endings)) = FORMATS.iter().find(|it| it.0 == flag) {
            check_ending(flag, file, what, endings)?;
        }
    }
    Ok(())
}
