//! Where no instruction set is known: nothing.

use crate::batch::scheduler::Job;
use crate::kernel::Kernel;
use crate::schedule::{Blocks, Schedule};

/// There is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Hardware {}

impl Hardware {
    pub(crate) const COUNT: usize = 0;

    pub(crate) fn nth(_: usize) -> Option<Self> {
        None
    }

    pub(crate) fn filter(self, _: &Schedule) -> u32 {
        match self {}
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) fn compress(self, _: &mut Kernel, _: Blocks<'_>, _: u64) {
        match self {}
    }
}

/// There are none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum HardwareLanes {}

impl HardwareLanes {
    pub(crate) const COUNT: usize = 0;

    pub(crate) fn nth(_: usize) -> Option<Self> {
        None
    }

    pub(crate) const fn count(self) -> usize {
        match self {}
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {}
    }

    pub(crate) fn pays(self) -> bool {
        match self {}
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn worth_few(self) -> usize {
        match self {}
    }

    pub(crate) fn run<'a, J: Job<'a>>(self, _: &mut J, _: &mut dyn Iterator<Item = J::Message>) {
        match self {}
    }
}
