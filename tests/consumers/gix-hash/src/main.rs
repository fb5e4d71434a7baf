//! Hashes standard input as gitoxide would and prints the object id, or the error.

use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut message = Vec::new();
    std::io::stdin().read_to_end(&mut message)?;
    let mut hasher = gix_hash::hasher(gix_hash::Kind::Sha1);
    hasher.update(&message);
    match hasher.try_finalize() {
        Ok(id) => println!("{id}"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
