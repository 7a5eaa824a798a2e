//! Represents machines: what machine files describe, what messages and operations cost, and how
//! processes are laid out.
//!
//! A [`Machine`](machine::Machine) comes from a file or is built in. A [`System`](system::System)
//! is a part of a machine with processes on its nodes, ready for a run. Generated programs use both
//! types through `prophet-runtime`.
//!
//! ```
//! use prophet_machine::machine::Machine;
//! use prophet_machine::system::System;
//!
//! let gescher = Machine::preset("gescher").expect("there is one of that name");
//! let mut system = System::on(gescher, 2, 4, 8, 1);
//! system.choose_network("hockney:latency=2us,bandwidth=1GB/s")?;
//! assert_eq!(system.mapping, [0, 0, 0, 0, 1, 1, 1, 1]);
//! # Ok::<(), prophet_machine::quantity::ParseError>(())
//! ```
//!
//! | module | purpose |
//! |---|---|
//! | `quantity` | quantities such as `2us`, `1.25GB/s` or `64KiB` |
//! | `value` | values of a model's parameters, passed to a run together with its machine |
//! | `prices` | prices of operations |
//! | `protocol` | how messages use networks, apart from the costs |
//! | `saturation` | how the bandwidth of a memory grows with the number of units that use it |
//! | `shortage` | reports that a node's memory is too small |
//! | `operation` | collectives, and a rank's call of a collective |
//! | `algorithm` | algorithms of collectives, and MPICH's choice |
//! | `rule` | rules for `auto` to choose the algorithm of a collective |
//! | `algorithms` | algorithm choices for collectives |
//! | `hardware` | hardware models, which simulate the devices of a machine |
//! | `devices` | custom devices, and the models that simulate them |
//! | `cache` | caches of the nodes |
//! | `memory` | memory of the nodes, and how CPUs share its bandwidth |
//! | `accelerator` | accelerators of the nodes, such as GPUs |
//! | `power` | power of the parts of a machine |
//! | `groups` | groups of neighboring nodes, for machines with different nodes |
//! | `policy` | how units share CPUs, and what waiting units do with theirs |
//! | `binding` | binding units of a node to its CPUs |
//! | `mapping` | mapping processes to nodes |
//! | `noise` | noise: random factors of times, and slow nodes |
//! | `tariff` | prices of energy and nodes, and carbon emissions, by date |
//! | `network` | networks and the costs of messages on them |
//! | `change` | changes of a machine's parts |
//! | `source` | a file or pipe that changes are read from |
//! | `parts` | parts of a machine, by name and by patterns |
//! | `fabric` | networks between nodes with shared links |
//! | `network_flag` | the value of `--network`: a network, and how messages use it |
//! | `machine` | machines as described by files |
//! | `models` | list of the hardware models |
//! | `system` | the machine of a run, and the layout of the program on it |
//! | `changes` | changes of links, nodes and operations during a run |
//! | `described` | machine files (TOML, XML, `SimGrid`): reading, writing, drawing, listing |

pub mod accelerator;
pub mod algorithm;
pub mod algorithms;
pub mod binding;
pub mod cache;
pub mod change;
pub mod changes;
pub mod described;
pub mod devices;
pub mod fabric;
pub mod groups;
pub mod hardware;
pub mod machine;
pub mod mapping;
pub mod memory;
pub mod models;
pub mod network;
pub mod network_flag;
pub mod noise;
pub mod operation;
mod parts;
pub mod policy;
pub mod power;
pub mod prices;
pub mod protocol;
pub mod quantity;
pub mod rule;
pub mod saturation;
pub mod shortage;
pub mod source;
pub mod system;
pub mod tariff;
pub mod value;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
