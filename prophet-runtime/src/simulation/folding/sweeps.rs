//! Sweeps over all ranks until each of them has ended.
//!
//! Each visit to a rank looks up the course for its way and the streams from its sources, so a
//! course that several ranks take is simulated only once. If some of a rank's messages aren't there
//! yet, it takes a longer course at its next visit. Streams only grow, and what ranks send depends
//! only on what they receive, so the order of visits doesn't change the result. But it does change
//! the number of sweeps, which is smallest if a rank's sources come before it.

use super::courses::{Courses, End, NONE};
use super::partners::Partner;
use super::stage::{FAILS, Runner, alone};
use super::streams::{Sent, Streams};
use super::ways::Way;
use crate::engine::World;
use crate::simulation::limits;

/// The directions of a sweep in x, y, and z. `true` means from the last to the first.
type Order = [bool; 3];

/// Maximum number of courses, apart from those at borders. In addition to one for each rank,
/// [`COURSES_MIN`] courses are always allowed.
const COURSES_MAX: usize = 1 << 16;
const COURSES_MIN: usize = 64;

const DESTS_MAX: usize = 64;

#[derive(Debug)]
pub(super) struct Sweeps<'f> {
    ways: &'f [Way],
    ranks: u32,
    dests: Vec<Partner>,
    /// The sources of each way, each with the index in `dests` of its opposite.
    sources: Vec<Vec<(Partner, Option<usize>)>>,
    courses: Courses,
    /// Maximum number of courses for which folding still saves something.
    courses_max: usize,
    streams: Streams,
    at: Vec<u32>,
    /// The courses before the sweep, if collectives send messages. With these, all ranks advance by
    /// the same number of rounds in a sweep, wherever their partners are, which keeps the number of
    /// courses low.
    before: Vec<u32>,
    has_rounds: bool,
    /// Number of ranks that haven't ended.
    left: u64,
    key: Vec<u32>,
    /// For each collective, when the last rank arrived, in seconds, if that is known.
    gathered: Vec<f64>,
}

/// The ranks that have followed the same course until they ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class {
    course: u32,
    pub(super) rank: u32,
    pub(super) count: u64,
}

impl<'f> Sweeps<'f> {
    /// Creates all ranks. None has begun yet.
    ///
    /// # Errors
    ///
    /// Returns the reason if there are too many ranks or partners.
    pub(super) fn new(ways: &'f [Way], ranks: u32) -> Result<Self, String> {
        let mut dests: Vec<Partner> = ways.iter().flat_map(|way| way.dests.clone()).collect();
        dests.sort_unstable();
        dests.dedup();
        let sources = |way: &Way| {
            let place = |source: &Partner| dests.binary_search(&source.opposite(ranks)).ok();
            let sources = way.sources.iter();
            sources.map(|source| (*source, place(source))).collect()
        };
        let sources: Vec<Vec<_>> = ways.iter().map(sources).collect();
        let most = sources.iter().map(Vec::len).max().unwrap_or(0);
        let has_rounds = dests.iter().any(|dest| dest.is_of_collective());
        if dests.len().max(most) > DESTS_MAX {
            return Err("processes have partners at too many distances".to_owned());
        }
        let need_bytes = u64::from(ranks) * 8;
        if limits::shortage(need_bytes).is_some() {
            return Err("there is not enough memory for this many processes".to_owned());
        }
        let sizes = ways.iter().flat_map(|way| way.region.sizes);
        // Along the borders of a grid, each rank can have its own course.
        let border = 16 * sizes.max().unwrap_or(1) as usize;
        Ok(Self {
            ways,
            ranks,
            courses: Courses::new(most, dests.len()),
            courses_max: (COURSES_MAX + border).min(COURSES_MIN + ranks as usize),
            key: vec![0; most + 2],
            gathered: Vec::new(),
            dests,
            sources,
            streams: Streams::new(),
            at: vec![NONE; ranks as usize],
            before: Vec::new(),
            has_rounds,
            left: ranks.into(),
        })
    }

    /// Sweeps until all ranks have ended.
    ///
    /// # Errors
    ///
    /// Returns the reason why the run can't be folded.
    pub(super) fn run(&mut self, runner: &mut Runner<'_>) -> Result<(), String> {
        let orders = self.orders();
        let (mut next, mut idle) = (orders.iter().cycle(), 0);
        while self.left > 0 && idle < orders.len() {
            let order = next.next().copied().unwrap_or_default();
            let changed = self.sweep(runner, order)?;
            idle += 1;
            if self.gather() || changed {
                idle = 0;
            }
        }
        match self.left {
            0 => Ok(()),
            _ => Err(FAILS.to_owned()),
        }
    }

    /// Ends a collective if all ranks have reached it. Returns `false` if some ranks are elsewhere.
    fn gather(&mut self) -> bool {
        let since_s = |course: &u32| match self.courses.end(*course) {
            End::Gathering(since_s) => Some(since_s),
            End::Over | End::Message => None,
        };
        let latest_s = { self.at.iter().map(since_s) }
            .try_fold(0.0_f64, |latest_s, since_s| Some(latest_s.max(since_s?)));
        self.gathered.extend(latest_s);
        latest_s.is_some()
    }

    /// Returns the directions of sweeps, beginning with those in which most sources come first.
    fn orders(&self) -> Vec<Order> {
        let Some(first) = self.ways.first() else {
            return Vec::new();
        };
        let [nx, ny, nz] = first.region.sizes;
        let place = |rank: u32, order: Order| {
            let flip = |at: u32, size: u32, flips: bool| if flips { size - 1 - at } else { at };
            let (x, y, z) = (rank % nx, rank / nx % ny, rank / (nx * ny));
            let x = flip(x, nx, order[0]);
            (flip(z, nz, order[2]), flip(y, ny, order[1]), x)
        };
        let before = |order: Order| {
            let before = |way: &Way| {
                let rank = way.region.rank();
                let is_before = |source: &Partner| {
                    place(source.of(rank, self.ranks), order) < place(rank, order)
                };
                let sources = way
                    .sources
                    .iter()
                    .filter(|source| is_before(source))
                    .count();
                sources as u64 * way.region.members()
            };
            self.ways.iter().map(before).sum::<u64>()
        };
        let flips = |number: u8| [0, 1, 2].map(|axis| number >> axis & 1 == 1);
        let is_long = [nx > 1, ny > 1, nz > 1];
        let mut orders: Vec<Order> = (0..8).map(flips).collect();
        orders.retain(|order| (0..3).all(|axis| is_long[axis] || !order[axis]));
        orders.sort_by_key(|order| std::cmp::Reverse(before(*order)));
        orders
    }

    /// Visits all ranks in this order. Returns `true` if a course has changed.
    fn sweep(&mut self, runner: &mut Runner<'_>, order: Order) -> Result<bool, String> {
        let [_, ny, nz] = self.ways.first().map_or([1; 3], |way| way.region.sizes);
        if self.has_rounds {
            self.before.clone_from(&self.at);
        }
        let (mut row, mut changed) = (0, false);
        while row < ny * nz {
            runner.on_stage(None, |runner, world| {
                self.set_gathered(world);
                while row < ny * nz && !world.closes() {
                    runner.look(world, row.into())?;
                    let (y, z) = (row % ny, row / ny);
                    let y = if order[1] { ny - 1 - y } else { y };
                    let z = if order[2] { nz - 1 - z } else { z };
                    changed |= self.visit_row(runner, world, (y, z), order[0])?;
                    // If the stage has closed, the row is visited again.
                    row += u32::from(!world.closes());
                }
                Ok::<_, String>(())
            })?;
        }
        Ok(changed)
    }

    /// Visits a row until the stage closes. Returns `true` if a course has changed.
    fn visit_row(
        &mut self,
        runner: &mut Runner<'_>,
        world: &World<'_>,
        (y, z): (u32, u32),
        backward: bool,
    ) -> Result<bool, String> {
        let ways = self.ways;
        let has = |way: &Way| {
            let (first, last) = (way.region.first, way.region.last);
            (first[1]..=last[1]).contains(&y) && (first[2]..=last[2]).contains(&z)
        };
        let mut parts: Vec<usize> = (0..ways.len()).filter(|way| has(&ways[*way])).collect();
        parts.sort_by_key(|way| ways[*way].region.first[0]);
        if backward {
            parts.reverse();
        }
        let mut changed = false;
        for way in parts {
            let region = &ways[way].region;
            let (first, last) = (region.first[0], region.last[0]);
            let (first, count) = (region.rank_at([first, y, z]), last - first + 1);
            for place in 0..count {
                let place = if backward { count - 1 - place } else { place };
                let rank = first + place;
                if self.courses.end(self.at[rank as usize]) == End::Over {
                    continue;
                }
                let Some(course) = self.course(runner, world, way, rank)? else {
                    return Ok(changed);
                };
                changed |= std::mem::replace(&mut self.at[rank as usize], course) != course;
                self.left -= u64::from(self.courses.end(course) == End::Over);
            }
        }
        Ok(changed)
    }

    /// Returns the current course of a rank, or `None` if finding it takes another stage.
    #[inline]
    fn course(
        &mut self,
        runner: &mut Runner<'_>,
        world: &World<'_>,
        way: usize,
        rank: u32,
    ) -> Result<Option<u32>, String> {
        // There are far fewer than 2^32 ways and collectives.
        let [way_word, gathered] = [way, self.gathered.len()].map(|it| u32::try_from(it).ok());
        self.key[0] = way_word.unwrap_or(u32::MAX);
        self.key[1] = gathered.unwrap_or(u32::MAX);
        self.key[2..].fill(0);
        for ((partner, dest), to) in self.sources[way].iter().zip(&mut self.key[2..]) {
            let at = if partner.is_of_collective() {
                &self.before
            } else {
                &self.at
            };
            let source = at[partner.of(rank, self.ranks) as usize];
            *to = dest.map_or(0, |dest| self.courses.out(source, dest));
        }
        match self.courses.find(&self.key) {
            None if world.closes() => Ok(None),
            None => self.simulate(runner, world, way, rank).map(Some),
            course => Ok(course),
        }
    }

    /// Simulates the course of a rank that receives the streams in its key.
    #[cold]
    #[inline(never)]
    fn simulate(
        &mut self,
        runner: &mut Runner<'_>,
        world: &World<'_>,
        way: usize,
        rank: u32,
    ) -> Result<u32, String> {
        if self.courses.len() > self.courses_max {
            return Err("too many processes have different times".to_owned());
        }
        let messages = self.messages(way, &self.key);
        let ended = runner.run(world, rank, &messages)?;
        let mut sent = vec![Vec::new(); self.dests.len()];
        for (dest, letter) in alone(world).sent.borrow().iter() {
            let partner = Partner::new(rank, *dest, self.ranks);
            let place = self.dests.binary_search(&partner);
            let place = place.map_err(|_| "a process sends to an unexpected partner".to_owned())?;
            sent[place].push(Sent::of(letter));
        }
        let number = |stream: &Vec<Sent>| self.streams.number(stream);
        let outs: Option<Vec<u32>> = sent.iter().map(number).collect();
        let outs = outs.ok_or("the processes send too many different messages")?;
        let waits_s = alone(world).waits_s.get();
        let end = match ended {
            Some(_) => End::Over,
            None => waits_s.map_or(End::Message, End::Gathering),
        };
        Ok(self.courses.add(&self.key, &outs, end))
    }

    /// Returns the messages that arrive at a rank with this way and key.
    fn messages(&self, way: usize, key: &[u32]) -> Vec<(Partner, &[Sent])> {
        let of =
            |((partner, _), stream): (&(Partner, _), &u32)| (*partner, self.streams.get(*stream));
        self.sources[way].iter().zip(&key[2..]).map(of).collect()
    }

    pub(super) fn set_gathered(&self, world: &World<'_>) {
        alone(world).gathered.replace(self.gathered.clone());
    }

    /// Returns the messages that arrive at the ranks of a class.
    pub(super) fn messages_of(&self, class: Class) -> Vec<(Partner, &[Sent])> {
        let key = self.courses.key(class.course);
        self.messages(key[0] as usize, key)
    }

    /// Returns the classes of ranks, in the order of their first ranks.
    pub(super) fn classes(&self) -> Vec<Class> {
        let mut places = vec![u32::MAX; self.courses.len()];
        let mut classes: Vec<Class> = Vec::new();
        for (rank, course) in (0..).zip(&self.at) {
            let place = &mut places[*course as usize];
            if *place == u32::MAX {
                // There can't be more classes than ranks.
                *place = u32::try_from(classes.len()).unwrap_or(u32::MAX);
                classes.push(Class {
                    course: *course,
                    rank,
                    count: 0,
                });
            }
            classes[*place as usize].count += 1;
        }
        classes
    }

    /// Returns the index of the class of each rank.
    pub(super) fn into_places(mut self, classes: &[Class]) -> Vec<u32> {
        let mut places = vec![0; self.courses.len()];
        for (place, class) in (0..).zip(classes) {
            places[class.course as usize] = place;
        }
        for course in &mut self.at {
            *course = places[*course as usize];
        }
        self.at
    }
}
