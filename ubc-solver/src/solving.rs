//! The commands that need z3.

use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;
use ubc_solver::bitconditions::{BitConditions, PATH};
use ubc_solver::confirm::confirm_all;
use ubc_solver::derive::{derive, prove};
use ubc_solver::differential::WINDOW;
use ubc_solver::generate::generate;
use ubc_solver::report;
use ubc_solver::tables::{Generated, SCALAR, read, root};
use ubc_solver::work::for_each;
use ubc_table::DisturbanceVector;

use crate::committed;

/// Of which vectors, in which steps.
#[derive(Args)]
pub(crate) struct Scope {
    /// The first step in which attacks follow their vector
    #[arg(long, value_name = "STEP", default_value_t = WINDOW.start,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(20..80))]
    from: usize,
    /// The step after the last
    #[arg(long, value_name = "STEP", default_value_t = WINDOW.end,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(21..=80))]
    to: usize,
    /// Only this vector, such as II(52,0); may be given several times
    #[arg(long = "dv", value_name = "NAME")]
    vectors: Vec<DisturbanceVector>,
}

impl Scope {
    fn window(&self) -> Result<Range<usize>, Box<dyn Error>> {
        if self.from < self.to {
            return Ok(self.from..self.to);
        }
        Err(format!("--from {} is not before --to {}", self.from, self.to).into())
    }

    fn vectors(&self) -> &[DisturbanceVector] {
        if self.vectors.is_empty() { &DisturbanceVector::ALL } else { &self.vectors }
    }

    /// Whether this is what the committed file is made of.
    fn is_usual(&self) -> bool {
        self.vectors.is_empty() && (self.from..self.to) == WINDOW
    }
}

pub(crate) fn tables(check: bool) -> Result<(), Box<dyn Error>> {
    let bitconditions = committed()?;
    if !check {
        for table in generate(&bitconditions)? {
            table.write(&root())?;
            println!("{}: written; {}", table.path, table.summary);
        }
        return Ok(());
    }
    let (done, stale): (Vec<_>, Vec<_>) =
        confirm_all(&root(), &bitconditions, |path| eprintln!("{path}: looked at"))
            .into_iter()
            .partition(Result::is_ok);
    done.into_iter().flatten().for_each(|told| println!("{told}"));
    // Every stale table is named, not just the first.
    let stale: Vec<_> = stale.into_iter().filter_map(Result::err).collect();
    if stale.is_empty() { Ok(()) } else { Err(stale.join("\n").into()) }
}

pub(crate) fn derive_all(scope: &Scope, check: bool) -> Result<(), Box<dyn Error>> {
    let window = scope.window()?;
    let derived = for_each(
        scope.vectors(),
        |dv| derive(dv, window.clone()),
        |dv, derived| eprintln!("{dv}: {} groups, rank {}", derived.groups.len(), derived.rank),
    );
    let rank: usize = derived.iter().map(|derived| derived.rank).sum();
    let beyond: Vec<_> = derived.iter().filter(|derived| !derived.is_pairwise()).collect();
    for derived in &beyond {
        eprintln!("{}: some relations are between more than two bits", derived.dv);
    }
    let groups = derived.iter().flat_map(|derived| derived.groups.clone()).collect();
    let bitconditions = BitConditions::new(groups);
    if scope.is_usual() {
        if !beyond.is_empty() {
            return Err("the file can hold only relations between two bits".into());
        }
        let groups = bitconditions.groups().len();
        let summary = format!("{groups} groups, rank {rank}, each relation proven");
        let file = Generated { path: PATH, text: bitconditions.file(), summary };
        let how = if check {
            file.compare(&root())?;
            "the same to the byte"
        } else {
            file.write(&root())?;
            "written"
        };
        println!("{PATH}: {how}; {}", file.summary);
        return Ok(());
    }
    if check {
        return Err("--check compares the usual window and all vectors".into());
    }
    print!("{bitconditions}");
    eprintln!("rank {rank} in steps {} to {}; nothing was written", window.start, window.end - 1);
    Ok(())
}

pub(crate) fn prove_all(scope: &Scope, data: Option<PathBuf>) -> Result<(), Box<dyn Error>> {
    let bitconditions = data.map_or_else(committed, |file| BitConditions::read(&file))?;
    let window = scope.window()?;
    let results = for_each(
        scope.vectors(),
        |dv| prove(dv, &bitconditions, window.clone()),
        |dv, result| match result {
            Ok(count) => println!("{dv}: {count} conditions, each unavoidable"),
            Err(witness) => println!("{witness}"),
        },
    );
    let disproved = results.iter().filter(|result| result.is_err()).count();
    if disproved > 0 {
        return Err(format!("vectors with a condition that can be avoided: {disproved}").into());
    }
    let proven: usize = results.into_iter().flatten().sum();
    println!("{proven} conditions proven");
    Ok(())
}

pub(crate) fn report(markdown: bool, nonlinear: bool) -> Result<(), Box<dyn Error>> {
    let bitconditions = committed()?;
    let mut lines = report::lines(&bitconditions, |kind| eprintln!("{kind} ..."))?;
    if nonlinear {
        lines.push(report::beyond(&bitconditions, |dv| eprintln!("{dv}: patterns found")));
    }
    print!("{}", if markdown { report::markdown(&lines) } else { report::plain(&lines) });
    Ok(())
}

pub(crate) fn map(svg: &Path, table: Option<PathBuf>) -> Result<(), Box<dyn Error>> {
    let table = read(&table.unwrap_or_else(|| root().join(SCALAR)))?;
    std::fs::write(svg, report::map(&committed()?, &table))
        .map_err(|error| format!("{}: {error}", svg.display()))?;
    Ok(())
}
