//! Runs instructions until one of them takes simulated time.

use prophet_frontend::lang::ir::{Builtin, Curve, Neighbor, System, Variate};
use prophet_runtime::{
    ANY, Fault, FaultKind, Int, PROC_NULL, ProcessCtx, Steps, Stopped, Stream, Uses, div,
    grid_back, grid_down, grid_front, grid_left, grid_right, grid_up, in_function, math, rem,
};

use crate::code::{Code, Function, Tabled};
use crate::frame::{Frame, at, int_word, truth, word_int};
use crate::op::{Op, Reg, Scalar};
use crate::tags::Tags;

/// Why code returns control to its thread.
#[derive(Debug)]
pub(crate) enum Pause {
    Execute(u32),
    Region(u32),
    Enter(u32),
    Leave,
    Point(u32),
    Return(u64),
    /// The run has been stopped. The simulation knows why.
    Stopped(Stopped),
}

/// What instructions can access while they run.
pub(crate) struct Machine<'m, 'w> {
    pub(crate) code: &'m Code,
    pub(crate) ctx: &'m ProcessCtx<'w>,
    pub(crate) words: &'m mut [u64],
    /// The element that random numbers are drawn for.
    pub(crate) stream: u32,
    /// The first fault in a price.
    pub(crate) fault: Option<Fault>,
    /// Tags of the words; `None` unless the process represents all processes.
    pub(crate) tags: Option<&'m mut Tags>,
}

impl Machine<'_, '_> {
    /// Runs the code of the frame at `base` from `pc` on. Returns where and why it paused.
    pub(crate) fn run(&mut self, pc: u32, base: u32) -> Result<(u32, Pause), Fault> {
        if self.tags.is_some() {
            return self.run_tagged(pc, base);
        }
        let mut pc = pc;
        let ops = &self.code.ops[..];
        loop {
            let mut frame = Frame {
                words: &mut *self.words,
                base,
            };
            // While instructions need no other memory, the frame and the code stay in processor
            // registers.
            let op = loop {
                let op = &ops[pc as usize];
                pc += 1;
                match frame.step(op, pc) {
                    Some(next) => pc = next,
                    None => break op,
                }
            };
            if let Some(pause) = self.does(op, base)? {
                return Ok((pc, pause));
            }
        }
    }

    /// Like [`Self::run`], but tags each word that is assigned.
    #[cold]
    #[inline(never)]
    fn run_tagged(&mut self, mut pc: u32, base: u32) -> Result<(u32, Pause), Fault> {
        loop {
            let op = &self.code.ops[pc as usize];
            pc += 1;
            if let Some(tags) = &mut self.tags {
                tags.follow(op, (self.code, self.ctx), (self.words, base));
            }
            let mut frame = Frame {
                words: &mut *self.words,
                base,
            };
            if let Some(next) = frame.step(op, pc) {
                pc = next;
            } else if let Some(pause) = self.does(op, base)? {
                return Ok((pc, pause));
            }
            if let (Op::Call { to, .. } | Op::Try { to, .. }, Some(tags)) = (op, &mut self.tags) {
                tags.returned(at(base, *to));
            }
        }
    }

    /// Executes an instruction that needs more than registers. Returns the reason to pause, if any.
    #[inline]
    fn does(&mut self, op: &Op, base: u32) -> Result<Option<Pause>, Fault> {
        let code = self.code;
        let at = |reg: Reg| at(base, reg);
        match *op {
            Op::Get { to, array, index } => {
                let index = word_int(self.words[at(index)]);
                let place = code.arrays[array as usize].item((&*self.words, base), index)?;
                self.words[at(to)] = self.words[place];
            }
            Op::Set { array, index, from } => {
                let index = word_int(self.words[at(index)]);
                let place = code.arrays[array as usize].item((&*self.words, base), index)?;
                self.words[place] = self.words[at(from)];
            }
            Op::DivInt { to, a, b } => {
                let [a, b] = [a, b].map(|reg| word_int(self.words[at(reg)]));
                self.words[at(to)] = int_word(div(a, b)?);
            }
            Op::RemInt { to, a, b } => {
                let [a, b] = [a, b].map(|reg| word_int(self.words[at(reg)]));
                self.words[at(to)] = int_word(rem(a, b)?);
            }
            Op::Math { to, first, of } => self.words[at(to)] = self.math(of, at(first)),
            Op::Draw { to, first, of } => self.words[at(to)] = self.draw(of, at(first))?,
            Op::Neighbor {
                to,
                first,
                of,
                dimensions,
            } => self.words[at(to)] = int_word(self.neighbor(of, at(first), dimensions)?),
            Op::Interpolate {
                to,
                table,
                first,
                curve,
            } => {
                let table = &code.tables[table as usize];
                self.words[at(to)] = self.interpolate(table, curve, at(first)).to_bits();
            }
            Op::Price { to, opcode, uses } => {
                let count = f64::from_bits(self.words[at(uses)]);
                self.words[at(to)] = self.ctx.use_operation(opcode, count).to_bits();
            }
            Op::Uses { to } => self.words[at(to)] = self.ctx.uses().number(),
            Op::ScaleUses { of, divides } => self.scale_uses(of.map(at), divides),
            Op::System { to, name } => self.words[at(to)] = int_word(self.system(name)),
            Op::Parameter { to, parameter, ty } => {
                self.words[at(to)] = self.parameter(parameter as usize, ty);
            }
            Op::Call {
                to,
                function,
                first,
            } => self.words[at(to)] = self.call(function, at(first))?,
            Op::Try {
                to,
                function,
                first,
            } => match self.call(function, at(first)) {
                Ok(result) => self.words[at(to)] = result,
                Err(fault) => self.fault = Some(fault),
            },
            Op::Count { steps } => self.count(at(steps))?,
            _ => return Ok(self.pauses(op, base)),
        }
        Ok(None)
    }

    /// Counts an iteration of a loop. Fails if there have been too many.
    fn count(&mut self, steps: usize) -> Result<(), Fault> {
        if self.words[steps] == u64::from(Steps::MAX) {
            return Err(FaultKind::TooManySteps.into());
        }
        self.words[steps] += 1;
        Ok(())
    }

    /// Multiplies or divides the uses of operations since a mark by a factor.
    fn scale_uses(&mut self, [uses, factor]: [usize; 2], divides: bool) {
        let factor = f64::from_bits(self.words[factor]);
        let factor = if divides { factor.recip() } else { factor };
        self.ctx.scale_uses(Uses::of(self.words[uses]), factor);
    }

    /// Looks up a table at the point with its coordinates in the words from `first` on.
    fn interpolate(&self, table: &Tabled, curve: Curve, first: usize) -> f64 {
        let real = |index: usize| f64::from_bits(self.words[first + index]);
        let lookup = match (table, curve) {
            (Tabled::Table(table), Curve::Linear) => table.linear(real(0)),
            (Tabled::Table(table), Curve::Monotone) => table.monotone(real(0)),
            (Tabled::Surface(table), Curve::Linear) => table.linear(real(0), real(1)),
            (Tabled::Surface(table), Curve::Monotone) => table.monotone(real(0), real(1)),
        };
        self.ctx.interpolate(lookup)
    }

    /// Executes an instruction that concerns the simulation. Returns the reason to pause, if any.
    #[inline]
    fn pauses(&mut self, op: &Op, base: u32) -> Option<Pause> {
        let named = |element: u32| &self.code.elements[element as usize];
        match *op {
            Op::At { element } => {
                self.ctx.at(named(element));
                None
            }
            Op::Stream { element } => {
                self.stream = element;
                None
            }
            Op::Turn { element } => self.ctx.turn(named(element)).err().map(Pause::Stopped),
            Op::Stuck { decision } => {
                let of = &self.code.decisions[decision as usize];
                let real = |reg| f64::from_bits(self.words[at(base, reg)]);
                let compared = of
                    .compared
                    .map(|(a, operator, b)| (real(a), operator, real(b)));
                let stopped = of.node.unmet(self.ctx, compared, &of.comment);
                Some(Pause::Stopped(stopped))
            }
            Op::Pass { pass } => {
                let (element, flows) = &self.code.passes[pass as usize];
                if let Some(mut unrolling) = self.code.unrolling() {
                    unrolling.pass(flows);
                    return None;
                }
                element.pass(self.ctx, flows).err().map(Pause::Stopped)
            }
            Op::Return { from } => Some(Pause::Return(self.words[at(base, from)])),
            Op::Execute { execution } => Some(Pause::Execute(execution)),
            Op::Region { region } => Some(Pause::Region(region)),
            Op::Enter { call } => Some(Pause::Enter(call)),
            Op::Leave => Some(Pause::Leave),
            Op::Point { point } => Some(Pause::Point(point)),
            _ => unreachable!("{op:?} has been done"),
        }
    }

    fn parameter(&self, parameter: usize, ty: Scalar) -> u64 {
        match ty {
            Scalar::Int => int_word(self.ctx.int_parameter(parameter)),
            Scalar::Real => self.ctx.real_parameter(parameter).to_bits(),
            Scalar::Bool => truth(self.ctx.bool_parameter(parameter)),
        }
    }

    fn call(&mut self, function: u32, arguments_at: usize) -> Result<u64, Fault> {
        let Function {
            entry,
            base,
            arguments,
            name,
            ..
        } = self.code.functions[function as usize];
        let arguments = arguments_at..arguments_at + arguments as usize;
        self.words.copy_within(arguments, base as usize);
        let returned = self.run(entry, base);
        let (_, pause) = match (returned, name) {
            (Err(fault), Some(name)) => return in_function(name, || Err(fault)),
            (returned, _) => returned?,
        };
        match pause {
            Pause::Return(result) => Ok(result),
            _ => unreachable!("a function only calculates"),
        }
    }

    fn system(&self, name: System) -> Int {
        let ctx = self.ctx;
        match name {
            System::Uid => ctx.uid(),
            System::Pid => ctx.pid(),
            System::Tid => ctx.tid(),
            System::Nid => ctx.nid(),
            System::NumNodes => ctx.num_nodes(),
            System::NumCpus => ctx.num_cpus(),
            System::NumProcesses => ctx.num_processes(),
            System::NumThreads => ctx.num_threads(),
            System::Any => ANY,
            System::ProcNull => PROC_NULL,
        }
    }

    fn draw(&self, of: Variate, first: usize) -> Result<u64, Fault> {
        let stream: Stream<'_> = self.ctx.stream(&self.code.elements[self.stream as usize]);
        let real = |at: usize| f64::from_bits(self.words[first + at]);
        let drawn = match of {
            Variate::Uniform => stream.uniform(real(0), real(1)),
            Variate::Exponential => stream.exponential(real(0)),
            Variate::Normal => stream.normal(real(0), real(1)),
            Variate::Lognormal => stream.lognormal(real(0), real(1)),
            Variate::Gamma => stream.gamma(real(0), real(1)),
            Variate::Erlang => stream.erlang(word_int(self.words[first]), real(1)),
            Variate::Weibull => stream.weibull(real(0), real(1)),
            Variate::Triangular => stream.triangular(real(0), real(1), real(2)),
            Variate::Poisson => return stream.poisson(real(0)).map(int_word),
            Variate::Bernoulli => return stream.bernoulli(real(0)).map(truth),
        };
        drawn.map(f64::to_bits)
    }

    fn neighbor(&self, of: Neighbor, first: usize, dimensions: u8) -> Result<Int, Fault> {
        let int = |at: usize| word_int(self.words[first + at]);
        let (process, count) = (int(0), usize::from(dimensions));
        let mut sizes = [Int(1); Neighbor::DIMENSIONS_MAX];
        for (at, size) in sizes.iter_mut().enumerate().take(count) {
            *size = int(at + 1);
        }
        let (sizes, periodic) = (&sizes[..count], self.words[first + 1 + count] != 0);
        match of {
            Neighbor::Left => grid_left(process, sizes, periodic),
            Neighbor::Right => grid_right(process, sizes, periodic),
            Neighbor::Up => grid_up(process, sizes, periodic),
            Neighbor::Down => grid_down(process, sizes, periodic),
            Neighbor::Front => grid_front(process, sizes, periodic),
            Neighbor::Back => grid_back(process, sizes, periodic),
        }
    }

    fn math(&self, of: Builtin, first: usize) -> u64 {
        let real = |at: usize| f64::from_bits(self.words[first + at]);
        let int = |at: usize| word_int(self.words[first + at]);
        let (x, y) = (|| real(0), || real(1));
        let value = match of {
            Builtin::Acos => math::acos(x()),
            Builtin::Acosh => math::acosh(x()),
            Builtin::Asin => math::asin(x()),
            Builtin::Asinh => math::asinh(x()),
            Builtin::Atan => math::atan(x()),
            Builtin::Atan2 => math::atan2(x(), y()),
            Builtin::Atanh => math::atanh(x()),
            Builtin::Cbrt => math::cbrt(x()),
            Builtin::Ceil => math::ceil(x()),
            Builtin::Copysign => math::copysign(x(), y()),
            Builtin::Cos => math::cos(x()),
            Builtin::Cosh => math::cosh(x()),
            Builtin::Erf => math::erf(x()),
            Builtin::Erfc => math::erfc(x()),
            Builtin::Exp => math::exp(x()),
            Builtin::Exp2 => math::exp2(x()),
            Builtin::Expm1 => math::expm1(x()),
            Builtin::Fabs => math::fabs(x()),
            Builtin::Fdim => math::fdim(x(), y()),
            Builtin::Floor => math::floor(x()),
            Builtin::Fma => math::fma(x(), y(), real(2)),
            Builtin::Fmax => math::fmax(x(), y()),
            Builtin::Fmin => math::fmin(x(), y()),
            Builtin::Fmod => math::fmod(x(), y()),
            Builtin::Hypot => math::hypot(x(), y()),
            Builtin::Lgamma => math::lgamma(x()),
            Builtin::Log => math::log(x()),
            Builtin::Log10 => math::log10(x()),
            Builtin::Log1p => math::log1p(x()),
            Builtin::Log2 => math::log2(x()),
            Builtin::Pow => math::pow(x(), y()),
            Builtin::Rint => math::rint(x()),
            Builtin::Round => math::round(x()),
            Builtin::Sin => math::sin(x()),
            Builtin::Sinh => math::sinh(x()),
            Builtin::Sqrt => math::sqrt(x()),
            Builtin::Tan => math::tan(x()),
            Builtin::Tanh => math::tanh(x()),
            Builtin::Tgamma => math::tgamma(x()),
            Builtin::Trunc => math::trunc(x()),
            Builtin::AbsInt => return int_word(math::abs(int(0))),
            Builtin::MaxInt => return int_word(math::max(int(0), int(1))),
            Builtin::MinInt => return int_word(math::min(int(0), int(1))),
        };
        value.to_bits()
    }
}
