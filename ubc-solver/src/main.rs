//! Derives and proves the bitconditions, makes the filter tables of `sha1dc`, and checks both.

#[cfg(feature = "z3")]
mod solving;

use std::error::Error;
#[cfg(feature = "z3")]
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use ubc_solver::bitconditions::{BitConditions, PATH};
use ubc_solver::check;
use ubc_solver::tables::root;

#[cfg(feature = "z3")]
use crate::solving::{Scope, derive_all, map, prove_all, report, tables};

/// Makes the filter tables of sha1dc from the bitconditions in ubc-solver/data.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Write nothing; fail and name the first difference if a committed table is stale
    #[cfg(feature = "z3")]
    #[arg(long)]
    check: bool,
}

#[derive(Subcommand)]
enum Command {
    #[cfg(feature = "z3")]
    /// Derive the bitconditions from the disturbance vectors, and write ubc-solver/data
    Derive {
        /// Write nothing; fail and name the first difference if the committed file is stale
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        scope: Scope,
    },
    #[cfg(feature = "z3")]
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
    #[cfg(feature = "z3")]
    /// Print what each form costs, what was proven of it, and the strength of each vector
    Report {
        /// Print Markdown
        #[arg(long)]
        markdown: bool,
        /// Add the patterns of a few bits that vectors rule out beyond their bitconditions
        #[arg(long)]
        nonlinear: bool,
        /// Write a map of the message bits instead: tied groups, and the conditions of a table
        #[arg(long, value_name = "FILE", conflicts_with_all = ["markdown", "nonlinear"])]
        svg: Option<PathBuf>,
        /// The table whose conditions the map shows
        #[arg(long, value_name = "FILE", requires = "svg")]
        table: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        #[cfg(feature = "z3")]
        None => tables(arguments.check),
        #[cfg(not(feature = "z3"))]
        None => Err("built without z3: only `verify` works".into()),
        #[cfg(feature = "z3")]
        Some(Command::Derive { check, scope }) => derive_all(&scope, check),
        #[cfg(feature = "z3")]
        Some(Command::Prove { data, scope }) => prove_all(&scope, data),
        Some(Command::Verify) => verify(),
        #[cfg(feature = "z3")]
        Some(Command::Report { markdown, nonlinear, svg: None, .. }) => report(markdown, nonlinear),
        #[cfg(feature = "z3")]
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

fn committed() -> Result<BitConditions, Box<dyn Error>> {
    BitConditions::read(&root().join(PATH))
}

fn verify() -> Result<(), Box<dyn Error>> {
    for line in check::verify(&root(), &committed()?)? {
        println!("{line}");
    }
    Ok(())
}
