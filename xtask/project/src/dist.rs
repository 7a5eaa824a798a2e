//! `cargo xtask dist`: packages of the installed program, for machines with Linux.
//!
//! The program in them is linked with musl, and needs no library of the machine.

mod again;
pub(crate) mod crates;
mod sbom;
mod tool;
pub(crate) mod vsix;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use prophet_codegen::workspace::Workspace;
use prophet_text::Context as _;

use crate::{CommandOutcome, Stop, npm, workspace};
use tool::{Tool, output, run as call};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Packages to make [default: all of them]
    #[arg(value_enum)]
    kinds: Vec<Kind>,
    /// Folder for the packages [default: target/packages]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compile the program again, from the last commit in another folder, and fail if a byte
    /// differs
    #[arg(long)]
    twice: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Kind {
    /// The program with its manual and completions, to unpack anywhere
    Archive,
    /// A package for Debian and its relatives
    Deb,
    /// A wheel for `pip install`
    Wheel,
    /// The extension for VS Code
    Vsix,
    /// The sources with the sources of all libraries, for package managers of clusters
    Source,
    /// The libraries in the program, as a bill of materials (SBOM)
    Sbom,
    /// The crates for a registry, each compiled outside of the repository
    Crates,
}

/// Program that is packed, and the crate that has it.
const PROGRAM: &str = "performance-prophet";
const PACKAGE: &str = "cargo-prophet";
/// Platform of the program.
const TARGET: &str = "x86_64-unknown-linux-musl";
/// Profile by which it is compiled.
const PROFILE: &str = "dist";
/// Features of the program: all commands, without the megabyte of TLS to PostgreSQL.
const FEATURES: [&str; 3] = ["--no-default-features", "--features", "commands"];
/// Version of all packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Shells whose completions are packed, and the names that they look for.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "performance-prophet"),
    ("zsh", "_performance-prophet"),
    ("fish", "performance-prophet.fish"),
];

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let workspace = workspace()?;
    let out = match &arguments.out {
        Some(out) => std::path::absolute(out).context("there is no folder")?,
        None => workspace.target.join("packages"),
    };
    make(&out)?;
    let mut kinds = arguments.kinds.clone();
    if kinds.is_empty() {
        kinds = Kind::value_variants().to_vec();
    }
    kinds.sort();
    kinds.dedup();
    let dist = Dist { workspace, out };
    if arguments.twice || kinds.iter().any(|kind| kind.has_program()) {
        dist.compile()?;
    }
    if arguments.twice {
        again::compare(&dist)?;
    }
    for kind in kinds {
        dist.pack(kind)?;
    }
    dist.sums()?;
    Ok(ExitCode::SUCCESS)
}

impl Kind {
    fn has_program(self) -> bool {
        match self {
            Self::Archive | Self::Deb | Self::Wheel => true,
            Self::Vsix | Self::Source | Self::Sbom | Self::Crates => false,
        }
    }
}

/// Packages being made.
#[derive(Debug)]
struct Dist {
    workspace: Workspace,
    out: PathBuf,
}

impl Dist {
    fn root(&self) -> &Path {
        &self.workspace.root
    }

    /// The program, as cargo has compiled it.
    fn program(&self) -> PathBuf {
        self.workspace
            .target
            .join(TARGET)
            .join(PROFILE)
            .join(PROGRAM)
    }

    /// The folder of what packages are made of.
    fn made(&self) -> PathBuf {
        self.workspace.target.join("package")
    }

    /// The folder with everything that packages hold in addition to the program.
    fn share(&self) -> PathBuf {
        self.made().join("share")
    }

    /// Compiles the program, and asks it for its manual and completions.
    fn compile(&self) -> Result<(), Stop> {
        build(self.root(), &[])?;
        let program = self.program();
        let program = Tool::Ours(&program);
        let man = self.share().join("man");
        call(program, &["man", "--out", text(&man)?], self.root())?;
        let completions = self.share().join("completions");
        make(&completions)?;
        for (shell, name) in COMPLETIONS {
            let script = output(program, &["completions", shell], self.root())?;
            write(&completions.join(name), script)?;
        }
        Ok(())
    }

    fn pack(&self, kind: Kind) -> Result<(), Stop> {
        match kind {
            Kind::Archive => self.archive(),
            Kind::Deb => self.deb(),
            Kind::Wheel => self.wheel(),
            Kind::Vsix => self.vsix(),
            Kind::Source => self.source(),
            Kind::Sbom => {
                let text = sbom::bill(self.root())?;
                write(
                    &self.out.join(format!("{PROGRAM}-{VERSION}.cdx.json")),
                    text,
                )
            }
            Kind::Crates => self.crates(),
        }
    }

    fn crates(&self) -> Result<(), Stop> {
        for archive in crates::packed(&self.workspace)? {
            let name = archive.file_name().unwrap_or_default();
            copy(&archive, &self.out.join(name))?;
        }
        Ok(())
    }

    fn archive(&self) -> Result<(), Stop> {
        let name = format!("{PROGRAM}-{VERSION}-{TARGET}");
        let folder = self.fresh(&name)?;
        copy(&self.program(), &folder.join("bin").join(PROGRAM))?;
        copy_all(&self.share(), &folder.join("share"))?;
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            copy(&self.root().join(file), &folder.join(file))?;
        }
        let doc = folder.join("share/doc").join(PROGRAM);
        copy_all(&self.root().join("docs"), &doc.join("docs"))?;
        copy_all(
            &self.root().join("sample-models"),
            &doc.join("sample-models"),
        )?;
        self.tar(&name)
    }

    fn deb(&self) -> Result<(), Stop> {
        let out = text(&self.out)?;
        let arguments = [
            "deb",
            "--no-build",
            "--no-strip",
            "--locked",
            "--package",
            PACKAGE,
            "--target",
            TARGET,
            "--profile",
            PROFILE,
            "--output",
            out,
        ];
        call(Tool::CargoDeb, &arguments, self.root())
    }

    /// The Python package, whose folder of scripts has the program.
    fn wheel(&self) -> Result<(), Stop> {
        let out = text(&self.out)?;
        // maturin installs what is in this folder as programs.
        let scripts = { self.root() }.join("crates/python/performance_prophet.data/scripts");
        copy(&self.program(), &scripts.join(PROGRAM))?;
        let arguments = [
            "build",
            "--locked",
            "--manifest-path",
            "crates/python/Cargo.toml",
            "--profile",
            PROFILE,
            "--out",
            out,
        ];
        let built = call(Tool::Maturin, &arguments, self.root());
        fs::remove_dir_all(&scripts).map_err(|error| stop("remove", &scripts, &error))?;
        built
    }

    /// The extension for VS Code, which npm bundles.
    fn vsix(&self) -> Result<(), Stop> {
        let folder = self.root().join("crates/lsp/vscode");
        npm::build(&folder, "dist/extension.js", "the extension for VS Code")?;
        let file = self.out.join(format!("{PROGRAM}-{VERSION}.vsix"));
        write(&file, vsix::packed(&folder)?)
    }

    /// Copies the files of the last commit into a folder; returns the commit and its date.
    fn commit(&self, folder: &Path) -> Result<String, Stop> {
        let packed = folder.with_extension("files.tar");
        let archive = ["archive", "--output", text(&packed)?, "HEAD"];
        call(Tool::Git, &archive, self.root())?;
        let unpack = ["--extract", "--file", text(&packed)?];
        call(Tool::Tar, &unpack, folder)?;
        fs::remove_file(&packed).map_err(|error| stop("remove", &packed, &error))?;
        let commit = ["log", "-1", "--abbrev=7", "--format=%h %cs"];
        Ok(output(Tool::Git, &commit, self.root())?.trim().to_owned())
    }

    /// The files of the last commit, with the libraries that cargo would download.
    fn source(&self) -> Result<(), Stop> {
        let name = format!("{PROGRAM}-{VERSION}");
        let folder = self.fresh(&name)?;
        let commit = self.commit(&folder)?;
        let settings = output(Tool::Cargo, &["vendor", "--locked", "vendor"], &folder)?;
        let file = folder.join(".cargo/config.toml");
        let aliases = fs::read_to_string(&file).unwrap_or_default();
        let variables = format!("[env]\nPROPHET_COMMIT = \"{commit}\"");
        write(&file, format!("{aliases}\n{settings}\n\n{variables}\n"))?;
        self.tar(&name)?;
        self.recipes(&format!("{name}.tar.gz"))
    }

    /// Writes the recipes of package managers of clusters, for an archive.
    fn recipes(&self, archive: &str) -> Result<(), Stop> {
        let sum = output(Tool::Sha256sum, &[archive], &self.out)?;
        let sum = sum.split(' ').next().unwrap_or_default();
        let recipes = [
            ("spack/package.py", "spack/package.py".to_owned()),
            (
                "easybuild/performance-prophet.eb",
                format!("{PROGRAM}-{VERSION}.eb"),
            ),
        ];
        for (from, to) in recipes {
            let from = self.root().join("packaging").join(from);
            let recipe = fs::read_to_string(&from).map_err(|error| stop("read", &from, &error))?;
            let filled = { recipe.replace("@VERSION@", VERSION) }
                .replace("@SHA256@", sum)
                .replace("@RUST@", env!("CARGO_PKG_RUST_VERSION"));
            let to = self.out.join(to);
            make(to.parent().unwrap_or(&to))?;
            write(&to, filled)?;
        }
        Ok(())
    }

    /// Makes a folder of that name for what is packed.
    fn fresh(&self, name: &str) -> Result<PathBuf, Stop> {
        let folder = self.made().join("packed").join(name);
        empty(&folder)?;
        Ok(folder)
    }

    /// Packs a folder, with names and times that only depend on the commit.
    fn tar(&self, name: &str) -> Result<(), Stop> {
        let date = output(Tool::Git, &["log", "-1", "--format=@%ct"], self.root())?;
        let date = format!("--mtime={}", date.trim());
        let file = self.out.join(format!("{name}.tar.gz"));
        let folder = self.made().join("packed");
        let arguments = [
            "--create",
            "--gzip",
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            &date,
            "--file",
            text(&file)?,
            "--directory",
            text(&folder)?,
            name,
        ];
        call(Tool::Tar, &arguments, self.root())
    }

    /// Writes the checksums of all packages.
    fn sums(&self) -> Result<(), Stop> {
        const NAME: &str = "SHA256SUMS";
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.out).map_err(|error| stop("list", &self.out, &error))? {
            let entry = entry.map_err(|error| stop("list", &self.out, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_file() && name.contains(VERSION) {
                names.push(name);
            }
        }
        names.sort();
        let arguments: Vec<&str> = names.iter().map(String::as_str).collect();
        let sums = output(Tool::Sha256sum, &arguments, &self.out)?;
        for name in names {
            eprintln!("wrote {}", self.out.join(name).display());
        }
        write(&self.out.join(NAME), sums)
    }
}

/// Compiles the program from the sources in a folder. It has no path of this machine and no time
/// of its making, which mimalloc would print, so that others can compile the same bytes.
fn build(root: &Path, more: &[&str]) -> Result<(), Stop> {
    let cargo = std::env::var_os("CARGO_HOME").map_or_else(
        || std::env::home_dir().unwrap_or_default().join(".cargo"),
        PathBuf::from,
    );
    let flags = format!(
        "target.{TARGET}.rustflags=[{:?}, {:?}]",
        format!("--remap-path-prefix={}=prophet", text(root)?),
        format!("--remap-path-prefix={}=cargo", text(&cargo)?),
    );
    let arguments = [
        "build",
        "--locked",
        "--package",
        PACKAGE,
        "--bin",
        PROGRAM,
        "--target",
        TARGET,
        "--profile",
        PROFILE,
        "--config",
        &flags,
        "--config",
        "env.SOURCE_DATE_EPOCH='0'",
    ];
    call(
        Tool::Cargo,
        &[&arguments[..], &FEATURES, more].concat(),
        root,
    )
}

fn text(path: &Path) -> Result<&str, Stop> {
    path.to_str()
        .ok_or_else(|| Stop::input(format!("{} is no name in UTF-8", path.display())))
}

fn stop(action: &str, path: &Path, error: &std::io::Error) -> Stop {
    Stop::input(format!("cannot {action} {}: {error}", path.display()))
}

fn make(folder: &Path) -> Result<(), Stop> {
    fs::create_dir_all(folder).map_err(|error| stop("make", folder, &error))
}

fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<(), Stop> {
    prophet_files::write(file, content).map_err(|error| stop("write", file, &error))
}

fn copy(from: &Path, to: &Path) -> Result<(), Stop> {
    make(to.parent().unwrap_or(to))?;
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| stop("copy", from, &error))
}

/// Makes a folder that has no files.
pub(crate) fn empty(folder: &Path) -> Result<(), Stop> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| stop("remove", folder, &error))?;
    }
    make(folder)
}

/// Copies all files of a folder and of the folders in it.
pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<(), Stop> {
    for entry in fs::read_dir(from).map_err(|error| stop("list", from, &error))? {
        let path = entry.map_err(|error| stop("list", from, &error))?.path();
        let copied = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_all(&path, &copied)?;
        } else {
            copy(&path, &copied)?;
        }
    }
    Ok(())
}
