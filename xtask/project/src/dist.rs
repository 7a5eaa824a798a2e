//! Implements `cargo xtask dist`, which packages the program that users install.
//!
//! In packages for Linux, the program is linked with musl, so that it doesn't need any of the
//! machine's libraries.

mod again;
pub(crate) mod crates;
mod platform;
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
use platform::Platform;
use tool::{Tool, output, run as call};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Packages to build [default: all]
    #[arg(value_enum)]
    kinds: Vec<Kind>,
    /// Platforms of the archives [default: all]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME")]
    platform: Vec<Platform>,
    /// Folder for the packages [default: target/packages]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compile the program again from the last commit, in another folder, and fail if a byte
    /// differs
    #[arg(long)]
    twice: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Kind {
    /// The program with its manual and completions for each platform, to unpack anywhere
    Archive,
    /// A package for Debian and related distributions
    Deb,
    /// A wheel for `pip install`
    Wheel,
    /// The VS Code extension
    Vsix,
    /// The sources with the sources of all libraries, for package managers of clusters
    Source,
    /// The libraries in the program, as a bill of materials (SBOM)
    Sbom,
    /// The crates for a registry, each compiled outside the repository
    Crates,
}

const PROGRAM: &str = "performance-prophet";
const PACKAGE: &str = "cargo-prophet";
/// Platform of all packages except archives. It must be this machine's platform, because the
/// program has to run to write its manual.
const HERE: Platform = Platform::LinuxX86_64;
const PROFILE: &str = "dist";
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Shells whose completions are packaged, and the file names that they expect.
const COMPLETIONS: &[(&str, &str)] = &[
    ("bash", "performance-prophet"),
    ("zsh", "_performance-prophet"),
    ("fish", "performance-prophet.fish"),
];

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let workspace = workspace()?;
    let out = match &arguments.out {
        Some(out) => std::path::absolute(out).context("cannot find the folder")?,
        None => workspace.target.join("packages"),
    };
    make(&out)?;
    let mut kinds = arguments.kinds.clone();
    if kinds.is_empty() {
        kinds = Kind::value_variants().to_vec();
    }
    kinds.sort();
    kinds.dedup();
    let mut platforms = arguments.platform.clone();
    if platforms.is_empty() {
        platforms = Platform::value_variants().to_vec();
    }
    let dist = Dist { workspace, out };
    if arguments.twice || kinds.iter().any(|kind| kind.has_program()) {
        dist.compile()?;
    }
    if arguments.twice {
        again::compare(&dist)?;
    }
    for kind in kinds {
        dist.pack(kind, &platforms)?;
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

#[derive(Debug)]
struct Dist {
    workspace: Workspace,
    out: PathBuf,
}

impl Dist {
    fn root(&self) -> &Path {
        &self.workspace.root
    }

    fn program(&self) -> PathBuf {
        HERE.program(&self.workspace.target)
    }

    /// Returns the folder of the packages' contents.
    fn made(&self) -> PathBuf {
        self.workspace.target.join("package")
    }

    /// Returns the folder of everything in packages except the program.
    fn share(&self) -> PathBuf {
        self.made().join("share")
    }

    /// Compiles the program, and runs it to write the manual and completions.
    fn compile(&self) -> Result<(), Stop> {
        HERE.build(self.root(), &[])?;
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

    fn pack(&self, kind: Kind, platforms: &[Platform]) -> Result<(), Stop> {
        match kind {
            Kind::Archive => platforms.iter().try_for_each(|it| self.archive(*it)),
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

    fn archive(&self, platform: Platform) -> Result<(), Stop> {
        if platform != HERE {
            platform.build(self.root(), &[])?;
        }
        let name = format!("{PROGRAM}-{VERSION}-{}", platform.triple());
        let folder = self.fresh(&name)?;
        let program = platform.program(&self.workspace.target);
        let file = program.file_name().unwrap_or_default();
        copy(&program, &folder.join("bin").join(file))?;
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
        match platform {
            Platform::LinuxX86_64 | Platform::LinuxAarch64 => self.tar(&name),
            Platform::WindowsX86_64 => self.zip(&name),
        }
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
            HERE.triple(),
            "--profile",
            PROFILE,
            "--output",
            out,
        ];
        call(Tool::CargoDeb, &arguments, self.root())
    }

    /// Packs the Python package. The program is in its folder of scripts.
    fn wheel(&self) -> Result<(), Stop> {
        let out = text(&self.out)?;
        // maturin installs all files in this folder as programs.
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

    /// Packs the VS Code extension, which is bundled with npm.
    fn vsix(&self) -> Result<(), Stop> {
        let folder = self.root().join("crates/lsp/vscode");
        npm::build(&folder, "dist/extension.js", "the VS Code extension")?;
        let file = self.out.join(format!("{PROGRAM}-{VERSION}.vsix"));
        write(&file, vsix::packed(&folder)?)
    }

    /// Copies the files of the last commit to a folder. Returns the commit and its date.
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

    /// Packs the last commit's files together with the libraries that cargo would download.
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

    /// Writes recipes for clusters' package managers, which install the archive.
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

    /// Makes an empty folder with this name.
    fn fresh(&self, name: &str) -> Result<PathBuf, Stop> {
        let folder = self.made().join("packed").join(name);
        empty(&folder)?;
        Ok(folder)
    }

    /// Packs a folder as tar. Names and times in it only depend on the commit.
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

    /// Packs a folder as zip, for systems on which people open archives with a click.
    fn zip(&self, name: &str) -> Result<(), Stop> {
        let folder = self.made().join("packed").join(name);
        let read = |file: PathBuf| {
            let path = folder.join(&file);
            let content = fs::read(&path).map_err(|error| stop("read", &path, &error))?;
            Ok((format!("{name}/{}", file.display()), content))
        };
        let files = files(&folder)?.into_iter().map(read);
        let files = files.collect::<Result<_, Stop>>()?;
        let zipped = vsix::zipped(files, "")
            .map_err(|why| Stop::input(format!("cannot pack {name}: {why}")))?;
        write(&self.out.join(format!("{name}.zip")), zipped)
    }

    /// Writes the checksums of all packages, and prints their names and sizes.
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
        for (name, sum) in names.iter().zip(sums.lines()) {
            let file = self.out.join(name);
            let size = fs::metadata(&file)
                .map_err(|error| stop("read", &file, &error))?
                .len();
            let size = prophet_text::memory(size);
            eprintln!(
                "{size:>9}  {}  {}",
                &sum[..sum.len().min(16)],
                file.display()
            );
        }
        write(&self.out.join(NAME), sums)
    }
}

fn text(path: &Path) -> Result<&str, Stop> {
    path.to_str()
        .ok_or_else(|| Stop::input(format!("the path {} is not UTF-8", path.display())))
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

/// Makes a folder empty, or creates it.
pub(crate) fn empty(folder: &Path) -> Result<(), Stop> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| stop("remove", folder, &error))?;
    }
    make(folder)
}

pub(crate) fn copy_all(from: &Path, to: &Path) -> Result<(), Stop> {
    let all = files(from)?;
    all.iter()
        .try_for_each(|it| copy(&from.join(it), &to.join(it)))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| stop("list", folder, &error))? {
        let entry = entry.map_err(|error| stop("list", folder, &error))?;
        let name = PathBuf::from(entry.file_name());
        if entry.path().is_dir() {
            all.extend(files(&entry.path())?.iter().map(|it| name.join(it)));
        } else {
            all.push(name);
        }
    }
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_copied_with_the_folders_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|it| folder.path().join(it));
        for name in ["b.txt", "a/c.txt", "a/d/e.txt"] {
            let file = from.join(name);
            make(file.parent().expect("a folder")).expect("it is made");
            write(&file, name).expect("it is written");
        }
        copy_all(&from, &to).expect("it is copied");
        let names = files(&to).expect("they are listed");
        assert_eq!(names, ["a/c.txt", "a/d/e.txt", "b.txt"].map(PathBuf::from));
        let read = |it: &PathBuf| fs::read_to_string(to.join(it)).expect("it is there");
        let contents: Vec<String> = names.iter().map(read).collect();
        assert_eq!(contents, ["a/c.txt", "a/d/e.txt", "b.txt"]);
    }
}
