//! Results at points, and their order.

use std::cmp::Ordering;

/// Result at a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// Number that shall be small.
    pub objective: f64,
    /// Distances from where the constraints begin to hold: above 0 where they do not.
    pub margins: Vec<f64>,
}

impl Scores {
    /// True if all constraints hold.
    pub fn is_feasible(&self) -> bool {
        self.margins.iter().all(|margin| *margin <= 0.0)
    }

    /// Sum of the margins of the constraints that do not hold.
    fn violation(&self) -> f64 {
        self.margins.iter().map(|margin| margin.max(0.0)).sum()
    }

    /// True if the objective and all margins are finite, as the search requires.
    pub fn is_finite(&self) -> bool {
        let numbers = || self.margins.iter().chain([&self.objective]);
        numbers().all(|number| number.is_finite())
    }

    /// Order in which points that meet all constraints come first, by their objectives, then points
    /// that miss them least.
    pub fn order(&self, other: &Self) -> Ordering {
        let violations = self.violation().total_cmp(&other.violation());
        violations.then(self.objective.total_cmp(&other.objective))
    }
}
