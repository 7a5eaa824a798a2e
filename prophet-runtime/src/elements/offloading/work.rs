//! Turns an element's request into a device, a stream, and work.

use prophet_machine::accelerator::{Accelerator, Precision};

use super::{Call, Offloading};
use crate::language::Stopped;
use crate::mpi::Lane;
use crate::nodes::accelerators::Accelerators;
use crate::nodes::accelerators::device::{Device, Engine, Work};
use crate::results::failure::{Cause, Unfit};

const STREAM_MAX: i64 = 65_535;

const EVENT_MAX: i64 = 1_048_575;

impl<'a> Offloading<'a> {
    #[cold]
    pub(super) fn unfit(&self, unfit: Unfit) -> Stopped {
        self.ctx.fail(Cause::Accelerator(unfit))
    }

    fn accelerators(&self) -> Result<&'a Accelerators, Stopped> {
        let all = self.ctx.world().accelerators.as_ref();
        all.ok_or_else(|| self.unfit(Unfit::NoAccelerators))
    }

    fn nid(&self) -> u32 {
        self.ctx.world().nid(self.ctx.rank())
    }

    fn number(&self, value: i64) -> Result<u32, Stopped> {
        let devices = self.accelerators()?.count(self.nid());
        let number = u32::try_from(value).ok().filter(|it| *it < devices);
        number.ok_or_else(|| self.unfit(Unfit::Device { value, devices }))
    }

    /// Returns the node and number of the device. If processes share it, the local engine must give
    /// up, because it can't order them.
    pub(super) fn at(&self, lane: Option<Lane<'_>>) -> Result<(u32, u32), Stopped> {
        let (all, node) = (self.accelerators()?, self.nid());
        if all.count(node) == 0 {
            return Err(self.unfit(Unfit::NoneOnNode { node }));
        }
        let process = (self.ctx.rank(), node);
        let number = match self.request.device {
            Some(value) => self.number(value)?,
            None => all.default_of(process),
        };
        match lane.filter(|_| !all.is_of(process, number)) {
            Some(lane) => Err(lane.unsuited("accelerators shared by processes")),
            None => Ok((node, number)),
        }
    }

    pub(super) fn description(&self, at: (u32, u32)) -> Result<&'a Accelerator, Stopped> {
        let found = self.ctx.world().system.accelerator(at);
        found
            .map(|(_, of)| of)
            .ok_or_else(|| self.unfit(Unfit::NoAccelerators))
    }

    fn checked(&self, tag: &'static str, value: i64, most: i64) -> Result<i64, Stopped> {
        if (0..=most).contains(&value) {
            return Ok(value);
        }
        Err(self.unfit(Unfit::Number { tag, value, most }))
    }

    pub(super) fn stream_of(&self) -> Result<(u32, i64), Stopped> {
        let number = self.request.stream.unwrap_or(0);
        let number = self.checked("stream", number, STREAM_MAX)?;
        Ok((self.ctx.rank(), number))
    }

    pub(super) fn event_of(&self) -> Result<Option<(u32, i64)>, Stopped> {
        let Some(number) = self.request.event else {
            return Ok(None);
        };
        let number = self.checked("event", number, EVENT_MAX)?;
        Ok(Some((self.ctx.rank(), number)))
    }

    pub(super) fn with<T>(
        &self,
        at: (u32, u32),
        act: impl FnOnce(&mut Device) -> T,
    ) -> Result<T, Stopped> {
        let system = self.ctx.world().system;
        let done = self.accelerators()?.with(system, at, act);
        done.ok_or_else(|| self.unfit(Unfit::NoAccelerators))
    }

    /// Returns the work of a kernel on its share of the device. It takes the longest of its cost,
    /// the time for its operations at the peak rate, and the time for its bytes at the bandwidth
    /// (the roofline model).
    #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
    fn kernel(&self, of: &Accelerator) -> Result<Work, Stopped> {
        let request = &self.request;
        let share = request.share;
        if !(share > 0.0 && share <= 1.0) {
            return Err(self.unfit(Unfit::Share(share)));
        }
        let bytes = self.ctx.bytes(request.bytes)? as f64;
        let mut seconds = self.ctx.seconds(request.price)?.unwrap_or(0.0);
        seconds = seconds.max(bytes / (of.memory_bandwidth * share));
        for precision in Precision::ALL {
            let (value, tag) = (request.amounts[precision as usize], precision.name());
            if !(value >= 0.0 && value.is_finite()) {
                return Err(self.unfit(Unfit::Amount { tag, value }));
            }
            if value > 0.0 {
                let no_peak = || {
                    self.unfit(Unfit::NoPeak {
                        name: of.name.clone(),
                        precision: tag,
                    })
                };
                let peak = of.peak(precision).ok_or_else(no_peak)?;
                seconds = seconds.max(value / (peak * share));
            }
        }
        Ok(Work {
            engine: Engine::Compute,
            seconds,
            share,
            element: self.element.index,
        })
    }

    /// Returns the work of a copy. It takes its cost or, without one, the time on its link.
    fn copy(&self, of: &Accelerator) -> Result<Work, Stopped> {
        let bytes = self.ctx.bytes(self.request.bytes)?;
        let (engine, link) = match (self.request.peer, self.request.to_host) {
            (Some(peer), _) => {
                self.number(peer)?;
                let name = || of.name.clone();
                let no_peer = || self.unfit(Unfit::NoPeer { name: name() });
                (Engine::ToPeer, of.peer.ok_or_else(no_peer)?)
            }
            (None, false) => (Engine::ToDevice, of.link),
            (None, true) => (Engine::ToHost, of.link),
        };
        let cost_s = self.ctx.seconds(self.request.price)?;
        Ok(Work {
            engine,
            seconds: cost_s.unwrap_or_else(|| link.seconds(bytes)),
            share: 1.0,
            element: self.element.index,
        })
    }

    pub(super) fn check_memory(&self, at: (u32, u32), of: &Accelerator) -> Result<(), Stopped> {
        let Some(bytes) = self.request.memory else {
            return Ok(());
        };
        let (pid, bytes) = (self.ctx.rank(), self.ctx.bytes(bytes)?);
        let needed = self.with(at, |device| device.need(pid, bytes))?;
        match of.memory {
            Some(size) if needed > u128::from(size) => {
                let name = of.name.clone();
                Err(self.unfit(Unfit::Memory { name, needed, size }))
            }
            _ => Ok(()),
        }
    }

    /// Returns the work of a kernel or copy, after any what-if.
    pub(super) fn work(&self, of: &Accelerator) -> Result<Work, Stopped> {
        let mut work = match self.call {
            Call::Copy => self.copy(of)?,
            _ => self.kernel(of)?,
        };
        if let Some(altered) = &self.ctx.world().altered {
            work.seconds = altered.device_s(self.element, work.seconds);
        }
        Ok(work)
    }
}
