//! Writes the main text of pages with rs-trafilatura. Each line of stdin names a page, its address (or nothing) and the
//! file for its text, separated by tabs. Prints how many pages could not be read.

use rs_trafilatura::{Options, extract_bytes_with_options};
use std::{fs, io};

fn main() -> io::Result<()> {
    let mut failed = 0;
    for line in io::stdin().lines() {
        let line = line?;
        let [page, address, output] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(io::Error::other("a line has three fields"));
        };
        let url = (!address.is_empty()).then(|| address.to_owned());
        let options = Options { url, ..Options::default() };
        let result = extract_bytes_with_options(&fs::read(page)?, &options);
        failed += usize::from(result.is_err());
        fs::write(output, result.map(|result| result.content_text).unwrap_or_default())?;
    }
    println!("{failed}");
    Ok(())
}
