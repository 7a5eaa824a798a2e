//! Machines: what their files say, what a message or an operation costs on them, and the layout of
//! a program.
//!
//! A [`Machine`](machine::Machine) is what a file or a preset describes. A
//! [`System`](system::System) is a part of it, with processes on its nodes: what a run is given.
//! Programs name both through `prophet-runtime`, which runs them.
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
//! | module | is |
//! |---|---|
//! | `quantity` | quantities as people write them: `2us`, `1.25GB/s`, `64KiB` |
//! | `value` | values of a model's parameters, which a run is given beside its machine |
//! | `prices` | prices of operations |
//! | `protocol` | protocol of messages: their use of the networks, apart from the costs there |
//! | `saturation` | laws by which the bandwidth of a memory grows with the units that move bytes |
//! | `shortage` | memory of a node that is too small |
//! | `operation` | collectives, and the call of one by a rank |
//! | `algorithm` | algorithms of collectives: which exist, which fit, which MPICH chooses |
//! | `rule` | rules by which `auto` chooses the algorithm of a collective |
//! | `algorithms` | choices of the algorithms of collectives |
//! | `hardware` | hardware models: simulations of the devices of a machine |
//! | `devices` | devices of your own, and the models that simulate them |
//! | `cache` | caches of the nodes |
//! | `memory` | the memory of the nodes: how the CPUs of a domain share its bandwidth |
//! | `accelerator` | accelerators of the nodes, such as GPUs |
//! | `power` | power of the parts of a machine |
//! | `groups` | groups of neighboring nodes, where the nodes of a machine differ |
//! | `policy` | policies of the CPUs of a node: sharing among units, and use by a waiting unit |
//! | `binding` | binding of the units of a node to its CPUs |
//! | `mapping` | mapping of processes to nodes |
//! | `noise` | noise: random factors of times, and nodes that are slow |
//! | `tariff` | prices of energy and of nodes, and the carbon of energy, by date |
//! | `network` | networks and the costs of messages on them |
//! | `change` | a change of a part of a machine at a time |
//! | `source` | source of changes that come as lines: a file, or a pipe |
//! | `parts` | parts of a machine by name, and by patterns of names |
//! | `fabric` | networks between nodes whose links messages share |
//! | `network_flag` | networks as text: the value of `--network`, with how messages use it |
//! | `machine` | the machine as described: what its files can say, and what follows |
//! | `models` | list of the hardware models |
//! | `system` | system parameters: the machine and the layout of the program on it |
//! | `changes` | changes of a machine during a run: of its links, its nodes and its operations |
//! | `described` | machines in files: TOML, XML, `SimGrid`; read, written, drawn, listed |

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
