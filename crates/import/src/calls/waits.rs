//! Finds the requests that a call waits for or reports as complete.

use std::collections::{BTreeMap, VecDeque};

use super::rank::{CallState, unknown};
use super::record::{CallArgument, MpiCall};
use crate::RankEvent;

impl CallState {
    pub(super) fn wait(
        &mut self,
        record: &MpiCall,
        events: &mut VecDeque<RankEvent>,
    ) -> Result<(), String> {
        let ended = self.ended(record)?;
        let last = self.begun.iter().rposition(|it| ended.contains(&it.0));
        self.end_collectives(last.map_or(0, |it| it + 1), events);
        let mut all = Vec::new();
        for handle in ended {
            let count = self.neighbors.remove(&handle).unwrap_or(1);
            all.extend(std::iter::repeat_n(handle, count));
        }
        // At the edge of a grid, missing neighbors mean missing requests. The wait still shows
        // which part of the program it ends.
        let is_all = record.function == "Waitall";
        self.end(all, is_all, events);
        Ok(())
    }

    /// Appends a wait for each request that ended, or a single wait for all open requests.
    pub(super) fn end(&mut self, ended: Vec<i64>, is_all: bool, events: &mut VecDeque<RankEvent>) {
        let mut handles = ended.clone();
        handles.sort_unstable();
        // Several requests can share a handle.
        let same = handles.chunk_by(|one, other| one == other);
        let open = same.map(|it| self.requests.open(&it[0]).min(it.len()));
        let open: usize = open.sum();
        if (is_all || open > 1) && open == self.requests.count() {
            self.requests.end_all();
            events.push_back(RankEvent::WaitAll);
            return;
        }
        for handle in ended {
            events.extend(self.requests.end(&handle).map(RankEvent::Wait));
        }
    }

    fn ended(&self, record: &MpiCall) -> Result<Vec<i64>, String> {
        let has_ended = record.given("flag").is_some_and(|it| it != 0);
        Ok(match record.function.as_str() {
            "Wait" => vec![record.number("request")?],
            "Waitall" => self.waited(record)?,
            // If the tracer doesn't say which request completed, assume the oldest.
            "Waitany" | "Waitsome" => match chosen(record) {
                Some(handles) => handles,
                None => self.first(self.waited(record)?),
            },
            "Test" if has_ended => vec![record.number("request")?],
            "Testall" if has_ended => self.waited(record)?,
            "Testany" if has_ended => chosen(record).unwrap_or_default(),
            "Testsome" => chosen(record).unwrap_or_default(),
            // If a test completed a request unnoticed, the request ends when its handle is reused.
            "Test" | "Testall" | "Testany" | "Test_cancelled" => Vec::new(),
            function => return Err(unknown(function)),
        })
    }

    fn waited(&self, record: &MpiCall) -> Result<Vec<i64>, String> {
        let all = self.requests.all();
        self.handles(record, all)
    }

    pub(super) fn handles<V>(
        &self,
        record: &MpiCall,
        known: &BTreeMap<i64, V>,
    ) -> Result<Vec<i64>, String> {
        let value = record.value("requests").or_else(|| record.value("request"));
        match value {
            Some(CallArgument::List(handles)) => Ok(handles.clone()),
            Some(CallArgument::Number(address)) => {
                let count = record.given("count").unwrap_or(1).max(0);
                let size = if self.are_short { 4 } else { 8 };
                let end = address.saturating_add(count.saturating_mul(size));
                Ok(known
                    .range(*address..end.max(*address))
                    .map(|it| *it.0)
                    .collect())
            }
            _ => Err(record.misses("requests")),
        }
    }

    fn first(&self, handles: Vec<i64>) -> Vec<i64> {
        let began = |it: &i64| self.requests.began(it);
        handles.into_iter().min_by_key(began).into_iter().collect()
    }
}

fn chosen(record: &MpiCall) -> Option<Vec<i64>> {
    let Some(CallArgument::List(handles)) = record.value("requests") else {
        return None;
    };
    let places = match (record.value("indices"), record.given("index")) {
        (Some(CallArgument::List(places)), _) => places.clone(),
        (None, Some(place)) => vec![place],
        // No request completed.
        _ => Vec::new(),
    };
    let handle = |place: &i64| {
        let place = usize::try_from(*place).ok();
        place.and_then(|it| handles.get(it)).copied()
    };
    Some(places.iter().filter_map(handle).collect())
}
