//! Derives and proves the bitconditions, makes the filter tables of `sha1dc`, and checks both.

use std::error::Error;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use ubc_solver::bitconditions::{BitConditions, PATH};
use ubc_solver::check;
use ubc_solver::derive::{derive, prove};
use ubc_solver::differential::WINDOW;
use ubc_solver::generate::generate;
use ubc_solver::report;
use ubc_solver::tables::{Generated, SCALAR, read, root};
use ubc_solver::work::for_each;
use ubc_table::DisturbanceVector;

/// Makes the filter tables of sha1dc from the bitconditions in ubc-solver/data.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Write nothing; fail and name the first difference if a committed table is stale
    #[arg(long)]
    check: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Derive the bitconditions from the disturbance vectors, and write ubc-solver/data
    Derive {
        /// Write nothing; fail and name the first difference if the committed file is stale
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        scope: Scope,
    },
    /// Prove every bitcondition unavoidable, or print a witness against one that is not
    Prove {
        /// Read bitconditions from this file instead of the committed one
        #[arg(long, value_name = "FILE")]
        data: Option<PathBuf>,
        #[command(flatten)]
        scope: Scope,
    },
    /// Check the committed tables against the bitconditions, and bound all cost models from below,
    /// without a solver
    Verify,
    /// Print what each form costs, what was proven of it, and the strength of each vector
    Report {
        /// Print Markdown
        #[arg(long)]
        markdown: bool,
        /// Add the patterns of a few bits that vectors rule out beyond their bitconditions
        #[arg(long)]
        nonlinear: bool,
        /// Write a map of the message bits instead: tied groups, and the conditions of a table
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// The table whose conditions the map shows
        #[arg(long, value_name = "FILE", requires = "svg")]
        table: Option<PathBuf>,
    },
}

/// Of which vectors, in which steps.
#[derive(Args)]
struct Scope {
    /// The first step in which attacks follow their vector
    #[arg(long, value_name = "STEP", default_value_t = WINDOW.start,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(20..80))]
    from: usize,
    /// The step after the last
    #[arg(long, value_name = "STEP", default_value_t = WINDOW.end,
        value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(21..80))]
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

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        None => tables(arguments.check),
        Some(Command::Derive { check, scope }) => derive_all(&scope, check),
        Some(Command::Prove { data, scope }) => prove_all(&scope, data),
        Some(Command::Verify) => verify(),
        Some(Command::Report { markdown, nonlinear, svg: None, .. }) => report(markdown, nonlinear),
        Some(Command::Report { svg: Some(svg), table, .. }) => map(&svg, table),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ubc-solver: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a file, or compares it with the committed one.
fn settle(file: &Generated, check: bool) -> Result<(), Box<dyn Error>> {
    let how = if check {
        file.compare(&root())?
    } else {
        file.write(&root())?;
        "written"
    };
    println!("{}: {how}; {}", file.path, file.summary);
    Ok(())
}

fn committed() -> Result<BitConditions, Box<dyn Error>> {
    BitConditions::read(&root().join(PATH))
}

fn tables(check: bool) -> Result<(), Box<dyn Error>> {
    let results = generate(&committed()?)?.into_iter().map(|file| settle(&file, check));
    // Every stale table is named, not just the first.
    let errors: Vec<_> = results.filter_map(Result::err).map(|error| error.to_string()).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n").into()) }
}

fn derive_all(scope: &Scope, check: bool) -> Result<(), Box<dyn Error>> {
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
        return settle(&Generated { path: PATH, text: bitconditions.file(), summary }, check);
    }
    if check {
        return Err("--check compares the usual window and all vectors".into());
    }
    print!("{bitconditions}");
    eprintln!("rank {rank} in steps {} to {}; nothing was written", window.start, window.end - 1);
    Ok(())
}

fn prove_all(scope: &Scope, data: Option<PathBuf>) -> Result<(), Box<dyn Error>> {
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

fn report(markdown: bool, nonlinear: bool) -> Result<(), Box<dyn Error>> {
    let bitconditions = committed()?;
    let mut lines = report::lines(&bitconditions, |kind| eprintln!("{kind} ..."))?;
    if nonlinear {
        lines.push(report::beyond(&bitconditions, |dv| eprintln!("{dv}: patterns found")));
    }
    print!("{}", if markdown { report::markdown(&lines) } else { report::plain(&lines) });
    Ok(())
}

fn map(svg: &Path, table: Option<PathBuf>) -> Result<(), Box<dyn Error>> {
    let table = read(&table.unwrap_or_else(|| root().join(SCALAR)))?;
    std::fs::write(svg, report::map(&committed()?, &table))
        .map_err(|error| format!("{}: {error}", svg.display()))?;
    Ok(())
}

fn verify() -> Result<(), Box<dyn Error>> {
    for line in check::verify(&root(), &committed()?)? {
        println!("{line}");
    }
    Ok(())
}
