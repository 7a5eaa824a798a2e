//! Evaluates the points that a search for the smallest value chooses.

use std::collections::{BTreeMap, VecDeque};

use crate::evaluate::{Evaluate, PointResults, SweepRow, in_order};
use crate::search::{Search, SearchPoint, key};
use prophet_runtime::RunHandle;
use prophet_text::Problem;

use super::OpenGoals;
use super::bounds::{Bound, Bounds};
use super::grid::Grid;
use crate::output::{Keeping, Take, told};
use crate::terminal::Progress;

pub(crate) struct Evaluator<'a> {
    pub(crate) sweep: &'a (dyn Evaluate + 'a),
    pub(crate) bound: Option<Bound<'a>>,
    pub(crate) jobs: usize,
    pub(crate) handle: &'a RunHandle,
    /// Receives each row when it is evaluated, or found among the kept rows.
    pub(crate) take: Take<'a>,
    pub(crate) keeping: Option<&'a mut Keeping>,
}

struct Evaluated<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    grid: &'e Grid,
    known: VecDeque<Result<PointResults, String>>,
    rows: Vec<SweepRow>,
    /// Indices in `rows`, by the bits of the points' coordinates.
    places: BTreeMap<Vec<u64>, usize>,
    progress: Progress,
}

impl Evaluator<'_> {
    pub(crate) fn evaluate(&mut self, goals: &mut OpenGoals) -> Result<(), Problem> {
        let Some(grid) = goals.grid.take() else {
            return Ok(());
        };
        let known = match &self.keeping {
            Some(keeping) => keeping.kept()?.collect::<Result<_, _>>()?,
            None => VecDeque::new(),
        };
        let mut evaluated = Evaluated {
            evaluator: self,
            grid: &grid,
            known,
            rows: Vec::new(),
            places: BTreeMap::new(),
            progress: Progress::new(goals.points_max()),
        };
        let ended = match evaluated.evaluator.bound {
            Some(bound) => evaluated.bounded(goals, bound),
            None => evaluated.search(goals),
        };
        evaluated.progress.clear();
        evaluated.rows.iter().for_each(|row| goals.tally.add(row));
        goals.grid = Some(grid);
        ended
    }
}

impl Evaluated<'_, '_> {
    fn search(&mut self, goals: &mut OpenGoals) -> Result<(), Problem> {
        let Some(minimum) = &mut goals.minimum else {
            return Ok(());
        };
        let mut search = Search::new(self.grid.axes(), goals.budget, goals.seed);
        let mut seen = 0;
        loop {
            let points = search.ask();
            if points.is_empty() {
                return Ok(());
            }
            let Some(places) = self.places(&points)? else {
                return Ok(());
            };
            let scores = |place: &usize| minimum.scores(&goals.names, &self.rows[*place]);
            search.tell(places.iter().map(scores).collect());
            self.rows[seen..]
                .iter()
                .for_each(|row| minimum.take(&goals.names, row));
            seen = self.rows.len();
        }
    }

    /// Evaluates the points with the smallest bounds until none of the others can be among the
    /// best.
    fn bounded(&mut self, goals: &mut OpenGoals, bound: Bound<'_>) -> Result<(), Problem> {
        let Some(minimum) = &mut goals.minimum else {
            return Ok(());
        };
        let Evaluator { jobs, handle, .. } = *self.evaluator;
        let value = |row: &SweepRow| goals.names.value(&minimum.objective, row);
        let mut bounds = Bounds::new(bound, jobs, handle, value);
        minimum.bound(&bounds.refused);
        goals.tally.join(&bounds.refused);
        while !handle.is_stopped() {
            let next = bounds.next(minimum.limit());
            if next.is_empty() {
                break;
            }
            let points = next.iter().map(|it| self.grid.point(it.1));
            let points: Vec<SearchPoint> = points.collect();
            let Some(places) = self.places(&points)? else {
                break;
            };
            for (place, (bound, _)) in places.into_iter().zip(next) {
                let row = &self.rows[place];
                if let Some(value) = goals.names.value(&minimum.objective, row) {
                    bounds.hold(bound, value, minimum.axes(), row)?;
                }
                minimum.take(&goals.names, row);
            }
        }
        Ok(())
    }

    /// Evaluates new points, and returns the indices of all of them in `rows`; `None` if the user
    /// stopped the sweep.
    fn places(&mut self, points: &[SearchPoint]) -> Result<Option<Vec<usize>>, Problem> {
        let mut new: Vec<&SearchPoint> = Vec::new();
        let mut places = Vec::with_capacity(points.len());
        for point in points {
            let next = self.rows.len() + new.len();
            let place = *self.places.entry(key(point)).or_insert_with(|| {
                new.push(point);
                next
            });
            places.push(place);
        }
        let wanted = self.rows.len() + new.len();
        self.evaluate(&new)?;
        Ok((self.rows.len() == wanted).then_some(places))
    }

    fn evaluate(&mut self, points: &[&SearchPoint]) -> Result<(), Problem> {
        let first = self.rows.len() as u64;
        let index = |place: usize| {
            let counted = self.grid.index(points[place]);
            counted.unwrap_or(first + place as u64)
        };
        let kept = self.known.len().min(points.len());
        for (place, found) in self.known.drain(..kept).enumerate() {
            let places = self.grid.places(points[place]);
            let row = SweepRow {
                index: index(place),
                values: self.evaluator.sweep.space().values(&places),
                found,
            };
            told((self.evaluator.take)(&row))?;
            self.rows.push(row);
        }
        let Evaluator {
            sweep,
            jobs,
            handle,
            take,
            keeping,
            ..
        } = &mut *self.evaluator;
        let work = |place: u64| {
            let place = usize::try_from(place).unwrap_or(usize::MAX);
            let row = sweep.row_at(&self.grid.places(points[place]), index(place), handle);
            (!handle.is_stopped()).then_some(row)
        };
        let goes_on = || !handle.is_stopped();
        let (mut written, mut is_whole) = (Ok(()), true);
        let range = kept as u64..points.len() as u64;
        in_order(range, *jobs, goes_on, work, |row| {
            let Some(row) = row.filter(|_| is_whole) else {
                is_whole = false;
                return;
            };
            self.progress.count();
            if written.is_ok() {
                let kept = keeping.as_mut().map_or(Ok(()), |it| it.add(&row.found));
                written = kept.and_then(|()| take(&row));
                if written.is_err() {
                    handle.stop();
                }
            }
            self.rows.push(row);
        });
        if let (Ok(()), Some(keeping)) = (&written, keeping) {
            written = keeping.flush();
        }
        told(written)
    }
}
