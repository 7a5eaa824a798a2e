//! Accounts for what each unit spends its time on.

use std::cell::Cell;

use prophet_sim::kernel::{ACTIVITIES, Unit};

/// What a unit can spend its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activity {
    Compute,
    Communicate,
    Wait,
    Hold,
}

const _: () = assert!(Activity::Hold as usize + 1 == ACTIVITIES);

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Account([f64; ACTIVITIES]);

impl Account {
    /// Combines the parts of two accounts, activity by activity.
    pub(crate) fn with(self, other: Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        let part = |activity: usize| combine(self.0[activity], other.0[activity]);
        Self(std::array::from_fn(part))
    }
}

pub(crate) trait Spending {
    fn spend(&self, activity: Activity, seconds: f64);

    fn spent_s(&self, activity: Activity) -> f64;

    fn account(&self) -> Account;

    fn set_account(&self, account: Account);
}

impl Spending for Unit {
    #[inline]
    fn spend(&self, activity: Activity, seconds: f64) {
        let sum_s = &self.spent_s[activity as usize];
        sum_s.set(sum_s.get() + seconds);
    }

    fn spent_s(&self, activity: Activity) -> f64 {
        self.spent_s[activity as usize].get()
    }

    fn account(&self) -> Account {
        Account(self.spent_s.each_ref().map(Cell::get))
    }

    fn set_account(&self, account: Account) {
        for (sum_s, seconds) in self.spent_s.iter().zip(account.0) {
            sum_s.set(seconds);
        }
    }
}
