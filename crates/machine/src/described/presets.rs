//! Contains the built-in machines, in the format of users' files.

pub(super) const ALL: &[(&str, &str)] = &[
    ("default", include_str!("../../machines/default.toml")),
    ("gescher", include_str!("../../machines/gescher.toml")),
    (
        "gescher-myrinet",
        include_str!("../../machines/gescher-myrinet.toml"),
    ),
    (
        "pti-cluster",
        include_str!("../../machines/pti-cluster.toml"),
    ),
    ("lumi-c", include_str!("../../machines/lumi-c.toml")),
    ("alps-gh200", include_str!("../../machines/alps-gh200.toml")),
    ("a100", include_str!("../../machines/a100.toml")),
    (
        "a100-pytorch",
        include_str!("../../machines/a100-pytorch.toml"),
    ),
    (
        "a100-40gb-pytorch",
        include_str!("../../machines/a100-40gb-pytorch.toml"),
    ),
    ("v100", include_str!("../../machines/v100.toml")),
    ("h100", include_str!("../../machines/h100.toml")),
    ("h100-te", include_str!("../../machines/h100-te.toml")),
    ("h200", include_str!("../../machines/h200.toml")),
    ("b200", include_str!("../../machines/b200.toml")),
];
