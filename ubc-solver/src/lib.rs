//! The solver: from the definition of a disturbance vector to the filter's tables, with proofs.
//!
//! # What it does
//!
//! In every collision attack that follows a disturbance vector, some pairs of bits of the expanded
//! message have a known XOR. The filter of `sha1dc` checks these *bitconditions*. This crate
//!
//! 1. derives them from the vectors alone ([`derive`](mod@derive), `-- derive`), into
//!    `data/bitconditions.txt` ([`bitconditions`]), and proves each of them (`-- prove`);
//! 2. chooses, for each form of the filter, conditions that say the same at the least cost
//!    ([`model`], [`minimum`]), for some forms together with the few windows that tell most
//!    ([`fewest`](mod@fewest)), and puts them in the order in which they tell most ([`order`]);
//! 3. writes the tables ([`generate`], no command at all; `-- --check` compares, or confirms what a
//!    table claims that another version of z3 made, [`confirm`]);
//! 4. checks tables and bounds costs from below without any solver ([`check`], [`bound`](mod@bound),
//!    `-- verify`);
//! 5. reports and draws what was reached ([`report`], `-- report`).
//!
//! # The theorem
//!
//! Let a pair of blocks follow a disturbance vector in steps 35 to 64: their state words and message
//! words differ there exactly in the bits that the vector prescribes, with whatever signs
//! ([`differential`]). Then all bitconditions of the vector hold in both blocks. For every
//! condition, z3 finds that its violation contradicts the equations of the 30 steps; these hold for
//! real SHA-1 a fortiori, since they leave out its constants and all other bits of the message. That
//! some pair satisfies the equations is checked too, so no proof is empty.
//!
//! | statement | how it is known |
//! |---|---|
//! | a condition is unavoidable for attacks that follow their vector in steps 35 to 64 | proved by z3, once for all relations of a vector (`derive`) and once each with a fresh solver (`prove`) |
//! | there are no other linear conditions on the bits in which the messages differ | follows from how they are derived: a solution breaks each other candidate |
//! | a table says what the bitconditions say | checked twice without z3, by union-find and by elimination over GF(2) (`verify`, and a plain test) |
//! | no choice costs less than the bound | proved by prices that integer arithmetic and Kruskal's algorithm check (`verify`); where the header of a table says *proven minimal* and the prices prove less, by z3's cores |
//! | no prefix of so many windows leaves fewer vectors than its header says | proved by prices and a search that turns back at their bound, in integer arithmetic (`verify`) |
//! | the code made from a table is the table | tested, against the conditions evaluated one by one, on a million schedules and around every vector |
//! | the conditions are those of the reference implementation | tested, against its filter read off as a black box |
//! | an attack follows one of the 32 vectors, and from step 35 on | assumed, as by Stevens and Shumow (2017); true of every published attack |
//! | z3 is right when it says *unsatisfiable* about the conditions | assumed; that what it calls satisfiable is so is checked by replaying witnesses in plain arithmetic |
//!
//! # Why it looks so
//!
//! Whoever builds `sha1dc` needs neither this crate nor z3: the tables are committed. Whoever doubts
//! a table needs this crate without z3: reading, checking and bounding are in the library whatever
//! its features; deriving and choosing need feature `z3`, on by default.
//!
//! Every search has a fixed seed and a limit in conflicts, never in time, so that one version of z3
//! writes the same tables on every machine.
//!
//! # What is not promised
//!
//! Another version of z3 may choose other tables of the same cost. Where a header gives a cost or a
//! number of survivors and a lower bound, the table is the best that was found in this interval.

pub mod bitconditions;
pub mod bound;
pub mod check;
#[cfg(feature = "z3")]
pub mod confirm;
#[cfg(feature = "z3")]
pub mod derive;
pub mod differential;
pub mod dv;
pub mod fewest;
#[cfg(feature = "z3")]
pub mod generate;
#[cfg(feature = "z3")]
pub mod minimum;
pub mod model;
#[cfg(feature = "z3")]
pub mod nonlinear;
pub mod order;
mod parts;
pub mod prefix;
pub mod prices;
mod random;
#[cfg(feature = "z3")]
pub mod report;
pub mod tables;
pub mod work;
