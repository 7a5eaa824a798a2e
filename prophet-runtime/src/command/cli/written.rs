//! Checks the names of output files before the run, so that no long run is in vain.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::ArgMatches;

use super::WRITTEN;

/// Output flags that always write the same format: the flag, the format, and its extensions.
const FORMATS: [(&str, &str, &[&str]); 2] = [
    ("--report", "a web page", &["html", "htm"]),
    ("--picture", "an SVG picture", &["svg"]),
];

pub(super) fn check(matches: &ArgMatches) -> Result<(), String> {
    let files = { WRITTEN.into_iter() }
        .filter_map(|flag| Some((flag, matches.get_one::<PathBuf>(&flag[2..])?)));
    for (flag, file) in files {
        if let Some(folder) = missing_folder(file) {
            let folder = shown(folder);
            return Err(format!(
                "{flag}: there is no folder `{folder}`; create it first"
            ));
        }
        let extension = file.extension().map(OsStr::to_ascii_lowercase);
        let format = FORMATS.iter().find(|(writer, ..)| *writer == flag);
        if let (Some(extension), Some((_, format, known))) = (extension, format)
            && !known.iter().any(|it| extension == *it)
        {
            let name = shown(&file.with_extension(known[0]));
            return Err(format!("{flag} writes {format}; name it {name}"));
        }
    }
    Ok(())
}

fn missing_folder(file: &Path) -> Option<&Path> {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
    let is_missing = |it: &&Path| {
        let found = it.metadata();
        found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    };
    folder.filter(is_missing)
}

fn shown(path: &Path) -> String {
    prophet_text::plain::line(&path.display().to_string())
}
