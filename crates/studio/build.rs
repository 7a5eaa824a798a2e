//! Packs the files of the page, where `cargo xtask studio` has built it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page.rs"), page(&manifest.join("web/dist"), &out)?)
}

/// A list of the files of the page.
fn page(dist: &Path, out: &Path) -> io::Result<String> {
    println!("cargo::rerun-if-changed=web/dist");
    let mut files = Vec::new();
    collect(dist, "", &mut files)?;
    files.sort();
    let mut list = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    for (number, name) in files.iter().enumerate() {
        let packed = pack(&dist.join(name), &out.join(format!("{number}.gz")))?;
        let _ = writeln!(list, "    ({name:?}, {packed}),");
    }
    list.push_str("];\n");
    Ok(list)
}

/// Packs a file: a third of the size, in the program and on the way to the browser.
fn pack(file: &Path, into: &Path) -> io::Result<String> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&fs::read(file)?)?;
    fs::write(into, packed.finish()?)?;
    Ok(format!("include_bytes!({:?})", into.display().to_string()))
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
