//! Regenerates the filter tables of `sha1dc`, or checks that they are fresh.

use std::process::ExitCode;

use clap::Parser;
use ubc_solver::bitconditions::BitConditions;
use ubc_solver::generate::generate;
use ubc_solver::tables::root;

/// Makes the filter tables of sha1dc from the bitconditions in ubc-solver/data.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Write nothing; fail and name the first difference if a committed table is stale
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let tables = match generate(&BitConditions::committed()) {
        Ok(tables) => tables,
        Err(error) => {
            eprintln!("ubc-solver: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut status = ExitCode::SUCCESS;
    for table in tables {
        let done = if arguments.check { table.compare(&root()) } else { table.write(&root()) };
        match done {
            Ok(()) => println!("{}: {}", table.path, table.summary),
            Err(error) => {
                eprintln!("ubc-solver: {error}");
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}
