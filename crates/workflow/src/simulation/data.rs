//! Tracks where files are, and simulates transfers to and from storage and over networks.

use std::collections::BTreeMap;

use prophet_contention::{Capacity, Contention as _, FlowId, Fluid};

use crate::scheduler::Local;
use crate::{FileId, HostId, TaskId, Workflow, WorkflowMachine};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Everywhere,
    Site(u32),
    Host(HostId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Read(TaskId),
    Write(TaskId),
    /// Files from a parent, on their way to a task's host.
    Push(TaskId),
}

/// The links that a transfer uses.
#[derive(Debug, Clone, Default, PartialEq)]
struct Route {
    links: Vec<u32>,
    latency_s: f64,
}

pub(super) struct DataTransfers<'a> {
    workflow: &'a Workflow,
    machine: &'a WorkflowMachine,
    network: Fluid,
    /// The first link of the networks between sites. The networks within sites come before it.
    between: u32,
    shared: u32,
    disks: u32,
    places: Vec<Place>,
    purposes: BTreeMap<FlowId, Purpose>,
    pub(super) moved_bytes: f64,
}

impl<'a> DataTransfers<'a> {
    pub(super) fn new(workflow: &'a Workflow, machine: &'a WorkflowMachine) -> Self {
        let sites = machine.shared.len();
        let mut links = Vec::new();
        let capacity = |link: Option<crate::HostLink>| match link {
            Some(link) if link.is_shared => Capacity::shared(link.bytes_per_s),
            Some(link) => Capacity::fatpipe(link.bytes_per_s),
            None => Capacity::shared(f64::MAX),
        };
        links.extend(std::iter::repeat_n(capacity(machine.within), sites));
        let between = number(links.len());
        if machine.between.is_some() {
            links.extend(std::iter::repeat_n(
                capacity(machine.between),
                sites * sites,
            ));
        }
        let shared = number(links.len());
        let mut add = |storage: Option<crate::SharedStorage>| {
            let [read, write] = storage.map_or([f64::MAX; 2], |it| {
                [it.read_bytes_per_s, it.write_bytes_per_s]
            });
            links.extend([read, write].map(Capacity::shared));
        };
        for storage in &machine.shared {
            add(*storage);
        }
        let disks = shared + number(2 * sites);
        if machine.groups().iter().any(|it| it.disk.is_some()) {
            machine.hosts().for_each(|it| add(machine.group(it).disk));
        }
        let home = match machine.shared.first() {
            Some(Some(_)) => Place::Site(0),
            _ => Place::Everywhere,
        };
        Self {
            workflow,
            machine,
            network: Fluid::new(links),
            between,
            shared,
            disks,
            places: vec![home; workflow.files()],
            purposes: BTreeMap::new(),
            moved_bytes: 0.0,
        }
    }

    pub(super) fn next_s(&mut self) -> f64 {
        if self.purposes.is_empty() {
            return f64::INFINITY;
        }
        self.network.next_s()
    }

    pub(super) fn advance(&mut self, now_s: f64, arrived: &mut Vec<FlowId>) {
        if !self.purposes.is_empty() {
            self.network.advance(now_s, arrived);
        }
    }

    pub(super) fn arrived(&mut self, flow: FlowId) -> Purpose {
        let purpose = self.purposes.remove(&flow);
        purpose.expect("each flow has a purpose until it ends")
    }

    /// Starts reading a task's inputs, and returns the number of transfers.
    ///
    /// If the task's host was planned, files from other hosts have already been sent.
    pub(super) fn read(&mut self, now_s: f64, task: TaskId, host: HostId, is_home: bool) -> u32 {
        let mut from: BTreeMap<Place, f64> = BTreeMap::new();
        for file in self.workflow.inputs(task) {
            let place = self.places[file.index()];
            let is_here = is_home && matches!(place, Place::Host(_));
            if place != Place::Everywhere && !is_here {
                *from.entry(place).or_default() += self.bytes(file);
            }
        }
        let count = from.into_iter().filter_map(|(place, bytes)| {
            let route = self.route(place, host)?;
            self.start(now_s, &route, bytes, Purpose::Read(task))
        });
        number(count.count())
    }

    /// Starts writing a task's outputs, and returns the number of transfers.
    pub(super) fn write(&mut self, now_s: f64, task: TaskId, host: HostId) -> u32 {
        let site = self.machine.site(host);
        let has_disk = self.machine.group(host).disk.is_some();
        let (place, link) = if self.machine.shared[site].is_some() {
            let link = self.shared + 2 * number(site) + 1;
            (Place::Site(number(site)), Some(link))
        } else {
            let link = has_disk.then(|| self.disks + 2 * host.0 + 1);
            (Place::Host(host), link)
        };
        let mut bytes = 0.0;
        for file in self.workflow.outputs(task) {
            self.places[file.index()] = place;
            bytes += self.bytes(file);
        }
        let route = Route {
            links: link.into_iter().collect(),
            latency_s: 0.0,
        };
        let started = link.and_then(|_| self.start(now_s, &route, bytes, Purpose::Write(task)));
        u32::from(started.is_some())
    }

    /// Sends the files that a task reads from a parent to the task's host. Returns `false` if there
    /// are no such files.
    pub(super) fn push(
        &mut self,
        now_s: f64,
        parent: TaskId,
        host: HostId,
        child: TaskId,
        home: HostId,
    ) -> bool {
        let from = |it: &FileId| self.workflow.writer(*it) == Some(parent);
        let lies = |it: &FileId| self.places[it.index()] == Place::Host(host);
        let files = self.workflow.inputs(child).filter(from).filter(lies);
        let bytes = files.map(|it| self.bytes(it)).sum();
        let route = self.route(Place::Host(host), home);
        let started = route.and_then(|it| self.start(now_s, &it, bytes, Purpose::Push(child)));
        started.is_some()
    }

    fn start(&mut self, now_s: f64, route: &Route, bytes: f64, purpose: Purpose) -> Option<FlowId> {
        if bytes == 0.0 {
            return None;
        }
        self.moved_bytes += bytes;
        let links = &route.links;
        let flow = self
            .network
            .start(now_s, links, route.latency_s, 1.0, bytes);
        self.purposes.insert(flow, purpose);
        Some(flow)
    }

    /// Returns the route to a host; `None` if the transfer takes no time.
    fn route(&self, from: Place, host: HostId) -> Option<Route> {
        let site = self.machine.site(host);
        let mut route = Route::default();
        let source = match from {
            Place::Everywhere => return None,
            Place::Site(source) => {
                route.links.push(self.shared + 2 * source);
                source as usize
            }
            Place::Host(source) => {
                if self.machine.group(source).disk.is_some() {
                    route.links.push(self.disks + 2 * source.0);
                }
                self.machine.site(source)
            }
        };
        if source != site {
            if let Some(link) = self.machine.between {
                let sites = self.machine.shared.len();
                route
                    .links
                    .push(self.between + number(source * sites + site));
                route.latency_s = link.latency_s;
            }
        } else if let (Place::Host(source), Some(link)) = (from, self.machine.within)
            && source != host
        {
            route.links.push(number(site));
            route.latency_s = link.latency_s;
        }
        (!route.links.is_empty()).then_some(route)
    }

    #[expect(clippy::cast_precision_loss, reason = "files are far below 2^52 bytes")]
    fn bytes(&self, file: FileId) -> f64 {
        self.workflow.size_bytes(file) as f64
    }
}

impl Local for DataTransfers<'_> {
    fn on(&self, task: TaskId, host: HostId) -> f64 {
        let inputs = self.workflow.inputs(task);
        let here = inputs.filter(|it| self.places[it.index()] == Place::Host(host));
        here.map(|it| self.bytes(it)).sum()
    }

    fn at_site(&self, task: TaskId, host: HostId) -> f64 {
        let site = self.machine.site(host);
        let is_here = |it: &FileId| match self.places[it.index()] {
            Place::Everywhere => true,
            Place::Site(place) => place as usize == site,
            Place::Host(place) => self.machine.site(place) == site,
        };
        let inputs = self.workflow.inputs(task).filter(is_here);
        inputs.map(|it| self.bytes(it)).sum()
    }
}

impl std::fmt::Debug for DataTransfers<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Data").finish_non_exhaustive()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("there are at most a million hosts and a thousand sites")
}
