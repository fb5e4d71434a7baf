//! Where no kernel for many messages is known: nothing.

use crate::batch::Job;

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

    pub(crate) fn worth(self) -> usize {
        match self {}
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn worth_few(self) -> usize {
        match self {}
    }

    pub(crate) fn run(self, _: &mut Job<'_, '_>) {
        match self {}
    }
}
