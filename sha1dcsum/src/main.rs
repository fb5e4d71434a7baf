//! `sha1dcsum`: prints SHA-1 digests as `sha1sum` does, and tells of collision attacks.
//!
//! Standard output has one line a file, exactly as `sha1sum` would print it, but that a message of
//! an attack has `*coll*` between its digest and its name. Standard error says where each attack
//! stands and which disturbance vector it follows, and which files could not be read. The exit
//! status is 1 if there was either.

mod files;
mod group;

use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write as _};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use clap::Parser;
use sha1dc::Digest;

/// Print SHA-1 digests and detect collision attacks.
#[derive(Parser)]
#[command(
    version,
    after_help = "\
A message of a collision attack is marked *coll*, and standard error says where the attack stands.
The exit status is 0 if all files could be read and none holds an attack, 1 otherwise."
)]
struct Arguments {
    /// The files to hash; standard input if there are none or for `-`
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
}

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    if arguments.files.is_empty() {
        arguments.files.push("-".into());
    }
    match run(&arguments.files) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever read our output wants no more of it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(error) => {
            complain(format_args!("standard output: {}", reason(&error)));
            ExitCode::FAILURE
        }
    }
}

/// Prints a line for every file; whether all were read and none holds an attack. Fails only if
/// standard output does.
fn run(files: &[OsString]) -> io::Result<bool> {
    let mut output = BufWriter::new(io::stdout().lock());
    // Whoever watches sees each line when it is there.
    let at_terminal = io::stdout().is_terminal();
    let mut clean = true;
    files::each(files, |file, outcome| {
        let name = Shown(file);
        match outcome {
            Ok(Ok(digest)) => print(&mut output, digest, false, file)?,
            Ok(Err(collision)) => {
                clean = false;
                print(&mut output, collision.digest(), true, file)?;
                output.flush()?;
                complain(format_args!("{name}: {}", collision.attack()));
            }
            Err(error) => {
                clean = false;
                output.flush()?;
                complain(format_args!("{name}: {}", reason(&error)));
            }
        }
        if at_terminal { output.flush() } else { Ok(()) }
    })?;
    output.flush()?;
    Ok(clean)
}

/// Says something on standard error. If that is closed, nobody wants to know.
fn complain(what: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr(), "sha1dcsum: {what}");
}

/// What the system says of an error, without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// A file's name for standard error: control characters, which could move the cursor or fake a
/// line, are escaped.
struct Shown<'a>(&'a OsStr);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.to_string_lossy().chars() {
            if character.is_control() {
                write!(f, "{}", character.escape_default())?;
            } else {
                f.write_char(character)?;
            }
        }
        Ok(())
    }
}

/// Prints a line as `sha1sum` does: a name with a backslash or a line break in it is escaped, and
/// the line then starts with a backslash.
fn print(output: &mut impl Write, digest: Digest, attacked: bool, file: &OsStr) -> io::Result<()> {
    let name = file.as_encoded_bytes();
    let escaped = name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r'));
    let mark = if attacked { "*coll* " } else { " " };
    write!(output, "{}{digest} {mark}", if escaped { "\\" } else { "" })?;
    if escaped {
        for byte in name {
            match byte {
                b'\\' => output.write_all(b"\\\\")?,
                b'\n' => output.write_all(b"\\n")?,
                b'\r' => output.write_all(b"\\r")?,
                byte => output.write_all(&[*byte])?,
            }
        }
    } else {
        output.write_all(name)?;
    }
    output.write_all(b"\n")
}
