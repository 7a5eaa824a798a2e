//! Lists the files of the page, where `cargo xtask studio` has built it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let dist = manifest.join("web/dist");
    println!("cargo::rerun-if-changed=web/dist");
    let mut files = Vec::new();
    collect(&dist, "", &mut files)?;
    files.sort();
    let mut list = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    for name in files {
        let path = dist.join(&name);
        let _ = writeln!(
            list,
            "    ({name:?}, include_bytes!({:?})),",
            path.display().to_string()
        );
    }
    list.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page.rs"), list)
}

/// Paths of all files in a folder that may be missing, with `/` between their parts.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push(name);
        }
    }
    Ok(())
}
