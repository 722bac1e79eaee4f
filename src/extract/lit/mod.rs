//! probe
mod binary;
mod cipher;
mod container;
mod lzx;
mod names;
mod seal;
mod section;
use super::source::{Sink, Source};
use super::settings::ReadSettings;
use crate::model::{Document, Problem, Segment};
/// Probe.
pub fn read(source: &mut Source<'_>, _: &ReadSettings, _: &mut dyn Sink) -> Result<Document, Problem> {
    let bytes = source.bytes()?;
    let mut c = container::Container::open(&bytes)?;
    seal::open(&mut c)?;
    let names: Vec<String> = c.names().map(str::to_owned).collect();
    let mut out = String::new();
    for n in names {
        let s = c.stream(&n);
        out.push_str(&format!("{n} {:?}\n", s.as_ref().map(|s| s.len())));
        if n == "/manifest" || n.ends_with("/atom") { out.push_str(&format!("{:?}\n", String::from_utf8_lossy(&s.clone().unwrap_or_default()))); }
        if n == "/meta" || n.ends_with("/content") {
            let base = n.trim_end_matches("/content");
            let atoms = c.stream(&format!("{base}/atom")).map(|b| binary::Atoms::read(&b)).unwrap_or_default();
            out.push_str(&binary::markup(&s.unwrap_or_default(), &names::Names, &atoms));
            out.push('\n');
        }
    }
    out.push_str(&format!("broken {:?}\n", c.broken));
    Ok(Document { text: Segment { text: out, ..Default::default() }, ..Default::default() })
}
