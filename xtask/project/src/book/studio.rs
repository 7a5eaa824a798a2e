//! Builds the studio as a static page: its program as WebAssembly, and its page with npm.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use prophet_codegen::workspace::Workspace;
use prophet_text::Context as _;

use crate::Stop;
use crate::dist::{copy_all, empty};

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "page";
const PACKAGE: &str = "prophet-web";
const LIBRARY: &str = "prophet_web.wasm";
/// Name of the compressed program. The page requests it by this name.
const PROGRAM: &str = "studio.bin";
/// Stack size of the page's worker. Most systems give threads a stack of the same size.
const STACK: &str = "link-arg=-zstack-size=4194304";

pub(super) fn make(workspace: &Workspace, folder: &Path) -> Result<(), Stop> {
    let program = compile(workspace)?;
    let web = workspace.root.join("crates/studio/web");
    crate::npm::run(&web, &["run", "build-page"], "the studio's page")?;
    let cannot = |error: io::Error| Stop::input(format!("cannot write the studio: {error}"));
    // The files of an earlier page may have other names.
    empty(folder)?;
    copy_all(&web.join("dist-page"), folder)?;
    fs::rename(folder.join("page.html"), folder.join("index.html")).map_err(cannot)?;
    let packed = pack(&fs::read(program).map_err(cannot)?).map_err(cannot)?;
    let size = packed.len();
    prophet_files::save(&folder.join(PROGRAM), packed)?;
    eprintln!("the studio's program has {} kB, packed", size / 1000);
    Ok(())
}

fn compile(workspace: &Workspace) -> Result<PathBuf, Stop> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(&workspace.root)
        .args(["rustc", "--locked", "--lib", "--crate-type", "cdylib"])
        .args(["--package", PACKAGE, "--profile", PROFILE])
        .args(["--target", TARGET, "--", "-C", STACK]);
    let status = cargo.status();
    let status = status.cannot("start", "cargo")?;
    if !status.success() {
        return Err(Stop::input(format!(
            "the studio was not compiled (see above); install what its page needs with \
             `rustup target add {TARGET}`"
        )));
    }
    Ok(workspace.target.join(TARGET).join(PROFILE).join(LIBRARY))
}

fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    packed.finish()
}
