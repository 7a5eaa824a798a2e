//! Implements the flags `--noise`, for varying times, and `--slow-node`, for slow nodes.

use clap::{Arg, ArgAction, ArgMatches};
use prophet_machine::noise::Noise;
use prophet_machine::quantity::ParseError;

use super::flag::{flag, invalid};

/// Sets the noise from the flags. If there are several for a kind of noise or a node, the last one
/// counts.
pub(super) fn set(noise: &mut Noise, matches: &ArgMatches) -> Result<(), String> {
    for_each("noise", matches, |text| noise.choose(text))?;
    for_each("slow-node", matches, |text| noise.slow_down(text))
}

fn for_each(
    name: &str,
    matches: &ArgMatches,
    mut set: impl FnMut(&str) -> Result<(), ParseError>,
) -> Result<(), String> {
    let texts = matches.get_many::<String>(name);
    texts.into_iter().flatten().try_for_each(|text| {
        set(text).map_err(|problem| invalid(&format!("--{name}"), text, problem))
    })
}

pub(super) fn arguments() -> [Arg; 2] {
    [
        flag("noise", "WHAT=DISTRIBUTION")
            .action(ArgAction::Append)
            .help(
                "Multiply costs, messages or ranks by random\n\
                 factors with mean 1, such as\n\
                 costs=lognormal:0.05 or\n\
                 messages=empirical:FILE. Can be repeated\n\
                 [default: none]",
            ),
        flag("slow-node", "NODE=FACTOR")
            .action(ArgAction::Append)
            .help(
                "Slow down nodes, such as 3=1.5 or\n\
                 0..7=1.5. Can be repeated",
            ),
    ]
}
