//! Priorities of units.

use super::Kernel;

impl Kernel<'_> {
    /// The priority of a unit: 0 unless it has been set.
    #[inline]
    pub fn priority(&self, unit: u32) -> i32 {
        let priorities = self.priorities.borrow();
        priorities.get(&unit).copied().unwrap_or(0)
    }

    /// Sets the priority of a unit.
    pub fn set_priority(&self, unit: u32, priority: i32) {
        self.prioritized.set(true);
        self.priorities.borrow_mut().insert(unit, priority);
    }

    /// True if any priority has been set.
    #[inline]
    pub fn has_priorities(&self) -> bool {
        self.prioritized.get()
    }

    /// Forgets the priority of a unit that has ended.
    pub fn drop_priority(&self, unit: u32) {
        self.priorities.borrow_mut().remove(&unit);
    }
}
