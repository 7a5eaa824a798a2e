# Recipe for Spack. `cargo xtask dist source` writes it beside the archive, with its checksum.
import os

from spack_repo.builtin.build_systems.cargo import CargoPackage

from spack.package import *


class PerformanceProphet(CargoPackage):
    """Predicts how long parallel programs run, from their UML activity diagrams."""

    # The archive is taken from the folder in which `spack install` is called, or from a mirror.
    manual_download = True
    url = f"file://{os.getcwd()}/performance-prophet-@VERSION@.tar.gz"

    license("MIT OR Apache-2.0", checked_by="the authors")

    version("@VERSION@", sha256="@SHA256@")

    depends_on("c", type="build")
    depends_on("rust@@RUST@:", type="build")

    # The archive holds the sources of all libraries.
    build_directory = "crates/cargo-prophet"
    build_args = ["--locked", "--offline"]

    sanity_check_is_file = [join_path("bin", "performance-prophet")]

    @run_after("install")
    def document(self):
        program = Executable(self.prefix.bin.join("performance-prophet"))
        program("man", "--out", self.prefix.share.man.man1)
        completions = {
            "bash": bash_completion_path(self.prefix) / "performance-prophet",
            "fish": fish_completion_path(self.prefix) / "performance-prophet.fish",
            "zsh": zsh_completion_path(self.prefix) / "_performance-prophet",
        }
        for shell, path in completions.items():
            mkdirp(path.parent)
            with open(path, "w") as file:
                program("completions", shell, output=file)
