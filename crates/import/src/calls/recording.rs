//! Reads the calls of a rank from a recording.

use std::sync::Arc;

use prophet_text::Problem;

use super::rank::CallState;
use super::record::{CallArgument, CommunicatorRanks, MpiCall};
use crate::recording::{Argument, Calls, RecordedCall, Recording, is_all};

#[derive(Debug)]
pub(super) struct RecordingReader {
    recording: Arc<Recording>,
    /// The file's calls, or the reason why they can't be read.
    calls: Result<Calls, Problem>,
    call: RecordedCall,
    groups: Vec<CommunicatorRanks>,
}

impl RecordingReader {
    pub(super) fn new(recording: &Arc<Recording>, rank: u32) -> Self {
        Self {
            recording: Arc::clone(recording),
            calls: recording.calls(rank),
            call: RecordedCall::default(),
            groups: Vec::new(),
        }
    }

    /// Reads the next call. Returns `false` at the end.
    pub(super) fn next(&mut self, rank: &CallState, record: &mut MpiCall) -> Result<bool, Problem> {
        let recording = &self.recording;
        let calls = self.calls.as_mut().map_err(|it| it.clone())?;
        if !calls.next(&mut self.call)? {
            return Ok(false);
        }
        if calls.thread() > 0 {
            let why = "MPI calls from several threads are not supported yet";
            return Err(calls.problem(why));
        }
        for group in &calls.groups()[self.groups.len()..] {
            let members = group.members.as_slice();
            let has_others = members.contains(&u32::MAX);
            self.groups.push(if group.is_other_side || has_others {
                recording
                    .group(members)
                    .map_or(CommunicatorRanks::All, CommunicatorRanks::TwoSides)
            } else if is_all(members, rank.ranks()) {
                CommunicatorRanks::All
            } else if members == [rank.number()] {
                CommunicatorRanks::Own
            } else {
                recording
                    .group(members)
                    .map_or(CommunicatorRanks::Some, CommunicatorRanks::Of)
            });
        }
        calls
            .function(self.call.function)
            .clone_into(&mut record.function);
        record.start_ns = Some(self.call.start_ns);
        record.end_ns = Some(self.call.end_ns);
        record.computing_ns = Some(self.call.computing_ns);
        record.site = self.call.site;
        record.arguments.clear();
        for (name, argument) in self.call.arguments.drain(..) {
            let value = match argument {
                Argument::Number(number) => CallArgument::Number(number),
                Argument::List(numbers) => CallArgument::List(numbers),
                Argument::Type(bytes) => CallArgument::Type {
                    handle: 0,
                    bytes: Some(bytes),
                },
                Argument::Group(group) => CallArgument::Communicator {
                    handle: i64::from(group),
                    members: self.groups[group as usize].clone(),
                },
            };
            record.arguments.push((name, value));
        }
        Ok(true)
    }

    pub(super) fn problem(&self, why: impl AsRef<str>) -> Problem {
        match &self.calls {
            Ok(calls) => calls.problem(why),
            Err(problem) => problem.clone(),
        }
    }
}
