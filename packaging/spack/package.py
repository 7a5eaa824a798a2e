# Recipe for Spack. `cargo xtask dist source` writes it beside the archive, with its checksum.
from spack_repo.builtin.build_systems.cargo import CargoPackage

from spack.package import *


class PerformanceProphet(CargoPackage):
    """Predicts how long parallel programs run, from UML activity diagrams of them."""

    # The archive is taken from the folder in which `spack install` is called, or from a mirror.
    manual_download = True
    url = "performance-prophet-@VERSION@.tar.gz"

    license("MIT OR Apache-2.0", checked_by="the authors")

    version("@VERSION@", sha256="@SHA256@")

    depends_on("c", type="build")
    depends_on("rust@@RUST@:", type="build")

    # The archive holds the sources of all libraries.
    build_directory = "crates/cargo-prophet"

    def setup_build_environment(self, env):
        env.set("CARGO_NET_OFFLINE", "true")
