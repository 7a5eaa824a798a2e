//! Runs scenarios with the runtime's elements.
//!
//! | words | do |
//! |---|---|
//! | `hold 1`, `work 1 [moves BYTES [within BYTES]]` | pass time, without and with a CPU |
//! | `send TO SIZE`, `recv FROM SIZE`, `swap TO FROM SIZE` | blocking messages |
//! | `later TO SIZE`, `post FROM SIZE`, both with `as NAME` | messages that are begun |
//! | `wait [NAME…]`, `wait first NAME…` | wait for requests |
//! | `barrier`, `allreduce SIZE`, `broadcast ROOT SIZE`, `gather ROOT SIZE` | collectives |
//! | `team`, `loop COUNT`, `sections [COUNT]`, `fork [COUNT]`, `flows TARGET…` | start threads |
//! | `single`, `master`, `meet`, `critical`, `atomic`, `pass FLOW…` | what threads do |
//! | `at 3`, `note [VALUE…]` | fail unless it is 3 s; tell who is here at what time |
//! | `times 3 {…}`, `if CONDITION {…} {…}` | as said; `i` counts from 0 |
//! | `kernel [COST]`, `copy [COST] [out]`, `event NUMBER`, `sync` | use an accelerator |
//! | `give-up STEP`, `waste STEP` | drop a wait when it has begun, or when it is over |
//! | `drop-at TIME STEP` | drops a wait then |
//!
//! FROM, SIZE, and tags can be `any`, and partners can be `nobody`. `comm` sets the color of a
//! collective. Statements that start threads have either one block for all threads, or one for each
//! part.
//!
//! Without `cost`, the machine determines the price of an element. A receive with `seen` prints
//! what it received. With `by Post`, it also prints whether that element posted it. A receive with
//! `real` needs a value.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use prophet_runtime::{
    ActionPlus, AllReduce, Atomic, BRecv, BSend, Barrier, Broadcast, ByMachine, Configuration,
    CopyMemory, Cost, Critical, ElementEnergy, Engine, Flows, Fork, Gather, Int, Kernel, Master,
    Message, Model, NBRecv, NBSend, Node, OmpBarrier, Outcome, Parallel, ParallelDo,
    ParallelSections, Price, ProcessCtx, Received, RecordEvent, Schedule, SendRecv, Simulation,
    Single, Stopped, Synchronize, Threads, Value, Wait,
};

use super::parse::{Scenario, Step};
use super::value::{value, whole};
use crate::meaning::{give_up, waste};

const MODEL: Model = Model::new("Scenario", &[], 16);

type Running<'a> = Pin<Box<dyn Future<Output = Result<(), Stopped>> + 'a>>;

/// Returns the lines that processes printed, and the outcome or the failure.
pub(super) fn answer(scenario_text: &str) -> String {
    let (machine, program): (Vec<&str>, Vec<&str>) =
        scenario_text.lines().partition(|it| it.starts_with("| "));
    let scenario = Scenario::parse(&program.join("\n"));
    let mut flags: Vec<&str> = scenario.flags.iter().map(String::as_str).collect();
    let shows_elements = flags.first() == Some(&"elements");
    flags.drain(..usize::from(shows_elements));
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("m.toml").display().to_string();
    if !machine.is_empty() {
        let lines: Vec<_> = machine.iter().map(|it| &it[2..]).collect();
        let text = format!("name = \"m\"\nsource = \"a test\"\n{}\n", lines.join("\n"));
        std::fs::write(&file, text).expect("there is room");
        flags.extend(["--machine", &file]);
    }
    let system = Configuration::read(&MODEL, &flags).and_then(|it| it.system());
    let system = system.unwrap_or_else(|problem| panic!("{problem}"));
    let model = if scenario_text.contains("wait first") {
        MODEL.waits_for_any()
    } else {
        MODEL
    };
    let run = |engine| {
        let told = RefCell::new(String::new());
        let simulation = Simulation::new(&model, system.clone()).with_engine(engine);
        let outcome = simulation.run(async |ctx| {
            let unit = Unit::of(&scenario, &told);
            unit.all(ctx, scenario.steps(ctx.pid().0)).await
        });
        (outcome, told)
    };
    let (outcome, told) = run(Engine::Event);
    let mut text = told.into_inner();
    match outcome {
        Ok(outcome) => {
            // The local engine runs ahead, so what is given up here has already been served there.
            let drops = ["give-up", "drop-at"]
                .iter()
                .any(|it| scenario_text.contains(it));
            let local = (!drops).then(|| run(Engine::Local));
            let mut why = None;
            match local {
                Some((Ok(local), also_told)) => {
                    let sorted = |text: &str| {
                        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
                        lines.sort();
                        lines
                    };
                    let lines = sorted(&also_told.borrow());
                    assert_eq!(lines, sorted(&text), "both engines agree");
                    assert_eq!(local.processes, outcome.processes, "both engines agree");
                    assert_eq!(local.elements, outcome.elements, "both engines agree");
                    assert_eq!(local.energy, outcome.energy, "both engines agree");
                }
                Some((Err(failure), _)) => why = Some(failure.to_string()),
                None => {}
            }
            text += &numbers(&outcome, shows_elements);
            if !machine.is_empty() {
                text += &devices(&outcome);
                text.extend(why);
            }
            text
        }
        Err(failure) => {
            let _ = write!(text, "{failure}");
            text
        }
    }
}

/// Formats the times of processes and the messages. If elements are shown, formats their times too.
fn numbers(outcome: &Outcome, shows_elements: bool) -> String {
    let processes = &outcome.processes;
    let mut text = String::new();
    let mut line = |name: &str, values: Vec<f64>| {
        if name == "ends" || values.iter().any(|it| *it != 0.0) {
            let parts = values.chunk_by(|one, other| one == other);
            let parts = parts.map(|it| match it {
                [first, _, _, _, ..] => format!("{first} x {}", it.len()),
                few => few.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
            });
            let _ = writeln!(text, "{name} {}", parts.collect::<Vec<_>>().join(" "));
        }
    };
    line("ends", processes.iter().map(|it| it.end_s).collect());
    line(
        "computes",
        processes.iter().map(|it| it.compute_s).collect(),
    );
    line(
        "communicates",
        processes.iter().map(|it| it.communication_s).collect(),
    );
    line("waits", processes.iter().map(|it| it.wait_s).collect());
    if outcome.evaluation.messages > 0 {
        let _ = writeln!(text, "messages {}", outcome.evaluation.messages);
    }
    for it in outcome.elements.iter().filter(|_| shows_elements) {
        let (name, count, total_s, max_s) = (&it.name, it.count, it.total_s, it.max_s);
        let _ = writeln!(
            text,
            "{name} {count} times, {total_s} s, at most {max_s} s, {}",
            it.share
        );
    }
    text
}

/// Formats the energy by part and by element, and the utilization of accelerators.
fn devices(outcome: &Outcome) -> String {
    let mut text = String::new();
    if let Some(energy) = &outcome.energy {
        let parts = energy.parts().into_iter().filter(|it| it.1 != 0.0);
        let elements = energy.elements.iter();
        let sum = |it: &ElementEnergy| it.cpus_j + it.memory_j + it.network_j;
        let elements = elements.map(|it| (it.name.as_str(), sum(it)));
        let list = parts
            .chain(elements)
            .map(|(name, joules)| format!("{name} {joules}"));
        let list: Vec<String> = list.collect();
        let (total_j, power_w) = (energy.total_j, energy.mean_power_w);
        let _ = writeln!(text, "energy {total_j} at {power_w}: {}", list.join(", "));
    }
    for it in &outcome.accelerators {
        let (name, devices) = (&it.name, it.devices);
        let (kernels_s, copies_s) = (it.kernels_s, it.copies_s);
        let _ = writeln!(
            text,
            "{name} x {devices}: kernels {kernels_s} s, copies {copies_s} s"
        );
    }
    text
}

/// The price of an element, or `None` if the machine determines it.
struct Priced(Option<f64>);

impl Price for Priced {
    fn cost(self) -> Cost {
        self.0.map_or_else(|| ByMachine.cost(), Price::cost)
    }
}

#[derive(Clone, Copy)]
struct Unit<'s> {
    scenario: &'s Scenario,
    told: &'s RefCell<String>,
    i: f64,
    in_team: bool,
}

impl<'s> Unit<'s> {
    fn of(scenario: &'s Scenario, told: &'s RefCell<String>) -> Self {
        Self {
            scenario,
            told,
            i: 0.0,
            in_team: false,
        }
    }

    fn all<'a>(self, ctx: &'a ProcessCtx<'_>, steps: &'a [Step]) -> Running<'a>
    where
        's: 'a,
    {
        Box::pin(async move {
            for step in steps {
                let at = At {
                    unit: self,
                    ctx,
                    step,
                };
                at.step().await?;
            }
            Ok(())
        })
    }

    fn number(self, i: impl Into<Int>) -> Self {
        Self {
            i: i.into().real(),
            ..self
        }
    }

    fn in_team(self) -> Self {
        Self {
            in_team: true,
            ..self
        }
    }
}

struct At<'a, 'c, 's> {
    unit: Unit<'s>,
    ctx: &'a ProcessCtx<'c>,
    step: &'a Step,
}

macro_rules! element {
    ($at:ident, $name:ident) => {{
        let (index, name) = $at.step.element;
        $name::new(index, name, i64::from(index) + 1)
    }};
}

/// Selects the element of a step, with the name of its request.
macro_rules! requesting {
    ($at:ident, $name:ident) => {{
        let element = element!($at, $name);
        match $at.step.option("as") {
            Some(name) => {
                let (index, name) = $at.request(name);
                element.request(index, name)
            }
            None => element,
        }
    }};
}

/// Executes a gate, with the content that was drawn or with a cost.
macro_rules! gate {
    ($at:ident, $element:expr) => {{
        let element = $element;
        match $at.step.blocks.first() {
            Some(content) => {
                element
                    .execute($at.ctx, $at.unit.all($at.ctx, content))
                    .await
            }
            None => {
                element
                    .execute($at.ctx, element.compute($at.ctx, $at.price()))
                    .await
            }
        }
    }};
}

impl At<'_, '_, '_> {
    fn value(&self, text: &str) -> f64 {
        self.value_for(self.ctx, text)
    }

    /// Evaluates an expression for any process.
    fn value_for(&self, ctx: &ProcessCtx<'_>, text: &str) -> f64 {
        value(text, &|name| {
            Some(match name {
                "pid" => ctx.pid().real(),
                "tid" => ctx.tid().real(),
                "nid" => ctx.nid().real(),
                "uid" => ctx.uid().real(),
                "processes" => ctx.num_processes().real(),
                "num_threads" => ctx.num_threads().real(),
                "i" => self.unit.i,
                "any" => prophet_runtime::ANY.real(),
                "nobody" => prophet_runtime::PROC_NULL.real(),
                _ => return None,
            })
        })
    }

    /// Evaluates the operand at this index.
    fn real(&self, place: usize) -> f64 {
        let text = self.step.operands.get(place);
        let text = text.unwrap_or_else(|| panic!("`{}` lacks an operand", self.step.word));
        self.value(text)
    }

    fn int(&self, place: usize) -> Int {
        Int(whole(self.real(place)))
    }

    fn option(&self, name: &str) -> Option<Int> {
        let text = self.step.option(name)?;
        Some(Int(whole(self.value(text))))
    }

    fn price(&self) -> Priced {
        Priced(self.step.option("cost").map(|text| self.value(text)))
    }

    fn message(&self, place: usize) -> Message {
        let message = match &*self.step.operands[place] {
            "any" => Message::any_size(),
            _ => Message::bytes(self.int(place)),
        };
        message.tag(self.option("tag").unwrap_or(Int(0)))
    }

    /// Returns the value that a message carries. If it has a decimal point, it is a real number.
    fn carried(&self) -> Option<Value> {
        let text = self.step.option("value")?;
        let value = self.value(text);
        Some(if text.contains('.') {
            Value::Real(value)
        } else {
            Value::Int(whole(value))
        })
    }

    fn request(&self, name: &str) -> (u32, &'static str) {
        let requests = &self.unit.scenario.requests;
        let number = requests.iter().position(|it| *it == name);
        let number = number.expect("it has been numbered");
        (u32::try_from(number).expect("few"), requests[number])
    }

    fn tell(&self, what: &str) {
        let mut told = self.unit.told.borrow_mut();
        let _ = write!(told, "{}", self.ctx.pid().0);
        if self.unit.in_team {
            let _ = write!(told, ".{}", self.ctx.tid().0);
        }
        let _ = writeln!(told, " at {}{what}", self.ctx.now_s());
    }

    /// Prints what was received, if the step asks for it.
    fn received(&self, received: &Received) -> Result<(), Stopped> {
        if self.step.is("real") {
            received.real(self.ctx)?;
        }
        if self.step.is("seen") {
            let (source, tag, size) = (received.source().0, received.tag().0, received.size().0);
            let mut text = format!(": {size} bytes of {source}, tag {tag}");
            if let Some(value) = received.value() {
                let (int, real) = (received.int(self.ctx)?.0, received.real(self.ctx)?);
                let _ = write!(text, ", {value:?} as {int} and {real:?}");
            }
            if let Some(name) = self.step.option("by") {
                let number = self
                    .unit
                    .scenario
                    .elements
                    .iter()
                    .position(|it| *it == name);
                let index = u32::try_from(number.expect("an element")).expect("few");
                let is_of = received.is_of(&NBRecv::new(index, "", 0));
                let _ = write!(text, ", by {name}: {is_of}");
            }
            self.tell(&text);
        }
        Ok(())
    }

    fn hears(&self) -> bool {
        self.step.is("seen") || self.step.is("real")
    }

    async fn step(&self) -> Result<(), Stopped> {
        match &*self.step.word {
            "hold" => self.ctx.hold(self.real(0)).await,
            "work" => self.work().await,
            "send" | "later" => self.send().await,
            "recv" | "post" | "swap" => self.receive().await,
            "wait" => self.wait().await,
            "barrier" | "allreduce" | "broadcast" | "gather" => self.collective().await,
            "team" | "loop" | "sections" | "fork" | "flows" => self.threads().await,
            "single" => gate!(self, element!(self, Single)),
            "master" => gate!(self, element!(self, Master)),
            "atomic" => gate!(self, element!(self, Atomic)),
            "critical" => {
                let lock = self.option("lock").map_or(0, |it| it.0);
                let lock = u32::try_from(lock).expect("few");
                gate!(self, element!(self, Critical).named(lock))
            }
            "kernel" | "copy" | "event" | "sync" => self.offload().await,
            "meet" => element!(self, OmpBarrier).execute(self.ctx).await,
            _ => self.control().await,
        }
    }

    async fn control(&self) -> Result<(), Stopped> {
        let (ctx, step, unit) = (self.ctx, self.step, self.unit);
        match &*step.word {
            "at" => assert_eq!(ctx.now_s(), self.real(0), "process {}", ctx.pid().0),
            "note" => {
                let values = 0..step.operands.len();
                let values: Vec<String> = values.map(|it| format!(": {}", self.real(it))).collect();
                let values = values.concat();
                self.tell(&values);
            }
            "turn" => ctx.turn(&element!(self, Node))?,
            "stuck" => return Err(element!(self, Node).stuck(ctx)),
            "times" => {
                for i in 0..self.int(0).0 {
                    unit.number(i).all(ctx, &step.blocks[0]).await?;
                }
            }
            "if" => {
                let block = step.blocks.get(usize::from(self.real(0) == 0.0));
                unit.all(ctx, block.map(|it| &**it).unwrap_or_default())
                    .await?;
            }
            "give-up" => give_up(unit.all(ctx, &step.blocks[0])).await,
            "waste" => waste(unit.all(ctx, &step.blocks[0])).await,
            "drop-at" => {
                let mut running = unit.all(ctx, &step.blocks[0]);
                poll_fn(|cx| {
                    assert!(running.as_mut().poll(cx).is_pending());
                    if ctx.now_s() < self.real(0) {
                        return Poll::Pending;
                    }
                    Poll::Ready(())
                })
                .await;
            }
            "pass" => {
                let flows = 0..step.operands.len();
                let flows: Vec<u32> = flows.map(|it| self.small(it)).collect();
                element!(self, Flows).pass(ctx, &flows)?;
            }
            word => panic!("`{word}` is no word of scenarios"),
        }
        Ok(())
    }

    fn small(&self, place: usize) -> u32 {
        u32::try_from(self.int(place).0).expect("it is a small number")
    }

    async fn work(&self) -> Result<(), Stopped> {
        let element = element!(self, ActionPlus);
        let cost = self.step.operands.first().map(|text| self.value(text));
        let working = element.execute(self.ctx, Priced(cost));
        match (self.option("moves"), self.option("within")) {
            (Some(bytes), Some(set)) => working.moving(bytes).within(set).await,
            (Some(bytes), None) => working.moving(bytes).await,
            (None, _) => working.await,
        }
    }

    async fn send(&self) -> Result<(), Stopped> {
        let (ctx, dest, message) = (self.ctx, self.int(0), self.message(1));
        let (send, later) = (element!(self, BSend), requesting!(self, NBSend));
        let sending = match &*self.step.word {
            "send" => send.execute(ctx, dest, message, self.price()),
            _ => later.execute(ctx, dest, message, self.price()),
        };
        match self.carried() {
            Some(value) => sending.value(value).await,
            None => sending.await,
        }
    }

    async fn receive(&self) -> Result<(), Stopped> {
        let (ctx, partner) = (self.ctx, self.int(0));
        if self.step.word == "post" {
            let post = requesting!(self, NBRecv);
            return post
                .execute(ctx, partner, self.message(1), self.price())
                .await;
        }
        if self.step.word == "swap" {
            let swap = element!(self, SendRecv);
            let swapping = swap.execute(ctx, partner, self.int(1), self.message(2), self.price());
            return match self.carried() {
                Some(value) => self.received(&swapping.value(value).received().await?),
                None => swapping.await,
            };
        }
        let recv = element!(self, BRecv);
        let receiving = recv.execute(ctx, partner, self.message(1), self.price());
        if self.hears() {
            return self.received(&receiving.received().await?);
        }
        receiving.await
    }

    async fn wait(&self) -> Result<(), Stopped> {
        let names = self.step.operands.iter();
        let names = names.filter(|it| !["first", "seen", "real"].contains(&&***it));
        let names: Vec<_> = names.map(|name| self.request(name)).collect();
        let wait = match &names[..] {
            [] => element!(self, Wait),
            [(index, name)] => element!(self, Wait).request(*index, name),
            // The element keeps these forever, but there are few.
            _ => element!(self, Wait).requests(Box::leak(names.into_boxed_slice())),
        };
        if self.step.is("first") {
            let (place, received) = wait.any(self.ctx).received().await?;
            self.tell(&format!(": place {}", place.0));
            return received.map_or(Ok(()), |it| self.received(&it));
        }
        if self.hears() {
            let all = wait.execute(self.ctx).received().await?;
            return all.iter().try_for_each(|it| self.received(it));
        }
        wait.execute(self.ctx).await
    }

    async fn offload(&self) -> Result<(), Stopped> {
        let (ctx, step) = (self.ctx, self.step);
        let cost = step.operands.first().filter(|it| *it != "out");
        let price = Priced(cost.map(|text| self.value(text)));
        let (kernel, copy) = (element!(self, Kernel), element!(self, CopyMemory));
        let (event, sync) = (element!(self, RecordEvent), element!(self, Synchronize));
        let mut work = match &*step.word {
            "kernel" => kernel.execute(ctx, price),
            "copy" => copy.execute(ctx, price),
            "event" => event.execute(ctx).event(self.int(0)),
            _ => sync.execute(ctx),
        };
        for (name, value) in &step.options {
            let value = self.value(value);
            work = match &**name {
                "stream" => work.stream(whole(value)),
                "device" => work.device(whole(value)),
                "event" => work.event(whole(value)),
                "peer" => work.peer(whole(value)),
                "bytes" => work.bytes(whole(value)),
                "memory" => work.memory(whole(value)),
                "share" => work.share(value),
                "fp64" => work.fp64(value),
                _ => work.fp32(value),
            };
        }
        if step.is("out") {
            work = work.to_host();
        }
        work.await
    }

    async fn collective(&self) -> Result<(), Stopped> {
        let (ctx, price) = (self.ctx, self.price());
        let (barrier, sum) = (element!(self, Barrier), element!(self, AllReduce));
        let (spread, collect) = (element!(self, Broadcast), element!(self, Gather));
        let collective = match &*self.step.word {
            "barrier" => barrier.execute(ctx, price),
            "allreduce" => sum.execute(ctx, self.int(0), price),
            "broadcast" => spread.execute(ctx, self.int(0), self.int(1), price),
            _ => collect.execute(ctx, self.int(0), self.int(1), price),
        };
        match self.step.option("comm") {
            Some(color) => {
                let color = |ctx: &ProcessCtx<'_>| Int(whole(self.value_for(ctx, color)));
                collective.comm(color).await
            }
            None => collective.await,
        }
    }

    fn schedule(&self) -> Schedule {
        let chunk = self.option("chunk");
        match self.step {
            step if step.is("dynamic") => Schedule::Dynamic(chunk),
            step if step.is("guided") => Schedule::Guided(chunk),
            _ => Schedule::Static(chunk),
        }
    }

    /// Returns the number of parts, which is the operand or the number of blocks.
    fn parts(&self) -> u32 {
        match self.step.operands[..] {
            [] => u32::try_from(self.step.blocks.len()).expect("few"),
            [..] => self.small(0),
        }
    }

    async fn threads(&self) -> Result<(), Stopped> {
        let (ctx, step, unit) = (self.ctx, self.step, self.unit.in_team());
        let threads = self.option("threads").map_or(Threads::Default, Threads::Of);
        let part = async |ctx: &ProcessCtx<'_>, part: u32| {
            let block = match &step.blocks[..] {
                [block] => block,
                blocks => &blocks[part as usize],
            };
            unit.number(i64::from(part)).all(ctx, block).await
        };
        match &*step.word {
            "team" => {
                let body = async |ctx: &ProcessCtx<'_>| unit.all(ctx, &step.blocks[0]).await;
                element!(self, Parallel).execute(ctx, threads, body).await
            }
            "loop" => {
                let body = async |ctx: &ProcessCtx<'_>, i: Int| {
                    unit.number(i).all(ctx, &step.blocks[0]).await
                };
                let (element, schedule) = (element!(self, ParallelDo), self.schedule());
                element
                    .execute(ctx, threads, self.int(0), schedule, body)
                    .await
            }
            "sections" => {
                let element = element!(self, ParallelSections);
                element.execute(ctx, threads, self.parts(), part).await
            }
            "fork" => element!(self, Fork).execute(ctx, self.parts(), part).await,
            _ => {
                let targets = 0..step.operands.len();
                let targets: Vec<u32> = targets.map(|it| self.small(it)).collect();
                element!(self, Flows).execute(ctx, &targets, part).await
            }
        }
    }
}
