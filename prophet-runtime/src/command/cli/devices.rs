//! Implements the flag `--model`, which selects the models that simulate devices.

use std::sync::Arc;

use clap::{Arg, ArgAction};
use prophet_machine::devices::{self, Device};
use prophet_machine::fabric::LinkModel;
use prophet_machine::hardware::{Hardware, NETWORK};
use prophet_machine::models;
use prophet_machine::network_flag::NetworkFlag;
use prophet_machine::prices::Prices;
use prophet_machine::quantity::quoted;
use prophet_machine::system::System;

use super::flag::{flag, invalid};
use super::mistake::Mistake;

pub(super) fn argument() -> Arg {
    flag("model", "DEVICE=MODEL")
        .num_args(0..=1)
        .default_missing_value("list")
        .action(ArgAction::Append)
        .help(
            "Choose the model of a device, such as\n\
             network=packet; without a value, list all\n\
             models. Can be repeated\n\
             [default: the machine's model]",
        )
}

/// Applies the choices from the flag. If there are several for a device, the last one counts.
pub(super) fn choose(
    system: &mut System,
    choices: &[String],
    hardware: Hardware,
) -> Result<(), Mistake> {
    for choice in choices {
        if choice == "list" {
            return Err(Mistake::List(models::list(hardware)));
        }
        chosen(system, choice, hardware).map_err(|problem| invalid("--model", choice, problem))?;
    }
    Ok(())
}

fn chosen(system: &mut System, choice: &str, hardware: Hardware) -> Result<(), String> {
    let Some((device, model)) = choice.split_once('=') else {
        let shown = quoted(choice);
        return Err(format!(
            "expected `DEVICE=MODEL`, such as `network=packet`, found `{shown}`"
        ));
    };
    match device.trim() {
        NETWORK => choose_network(system, model.trim(), hardware),
        "CPU" => choose_cpu(system, model.trim()),
        "memory" if model.trim() == "shared" => Ok(()),
        "memory" => Err("memory supports only the model `shared`".to_owned()),
        device => {
            let of_machine = system
                .devices
                .iter()
                .find(|it| (it.model.device, it.model.name) == (device, model.trim()));
            let read = || Device::read(device, model, hardware);
            let device = of_machine.cloned().map_or_else(read, Ok);
            system
                .devices
                .insert(0, device.map_err(|error| error.to_string())?);
            Ok(())
        }
    }
}

/// Chooses the model of the network. If the model has no parameters of its own, it uses the links
/// that there are.
fn choose_network(system: &mut System, text: &str, hardware: Hardware) -> Result<(), String> {
    let links = LinkModel::of_name(text, hardware);
    if let (Some(fabric), Some(model)) = (&system.fabric, links) {
        let fabric = fabric.simulated_by(model);
        system.fabric = Some(Arc::new(fabric.map_err(|error| error.to_string())?));
        return Ok(());
    }
    let network = NetworkFlag::read(text, hardware).map_err(|error| error.to_string())?;
    let within = system.intranode_flag();
    let set = system.set_networks(Some(network), Some(within));
    set.map_err(|error| error.to_string())
}

fn choose_cpu(system: &mut System, model: &str) -> Result<(), String> {
    match model {
        "fixed" => system.prices = Prices::default(),
        "clc" if system.prices == Prices::default() => {
            return Err(
                "the model `clc` needs operation prices, but the machine has none".to_owned(),
            );
        }
        "clc" => {}
        _ => return Err(devices::no_model("CPU", model, ["fixed", "clc"]).to_string()),
    }
    Ok(())
}
