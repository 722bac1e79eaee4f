//! The programs of `[ocr]`, as `pensieve check-dependencies` shows them.

use crate::cli::shared::{settings, terminal};
use crate::config::Config;
use pensieve_isolate::process::{CommandTemplate, locate, version_of};
use serde::Serialize;
use std::fmt;

/// The programs that recognise text; empty if none is configured.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub struct OcrReport(Vec<OcrProgram>);

/// One of them.
#[derive(Debug, Serialize)]
struct OcrProgram {
    key: &'static str,
    program: String,
    command: String,
    path: Option<String>,
    version: Option<String>,
}

impl OcrReport {
    /// Each program is started once, to ask for its version.
    pub fn of(config: &Config) -> OcrReport {
        let Some(ocr) = settings::ocr(config) else { return OcrReport::default() };
        let program = |(key, command): (&'static str, String)| {
            let program = CommandTemplate::parse(&command).ok()?.program().to_owned();
            let path = locate(&program);
            let version = path.as_deref().and_then(version_of);
            let path = path.map(|path| terminal::bytes(path.as_os_str().as_encoded_bytes()));
            Some(OcrProgram { key, program, command, path, version })
        };
        let commands = [("ocr.command", ocr.recognizer()), ("ocr.render", ocr.renderer(1))];
        OcrReport(commands.into_iter().filter_map(program).collect())
    }
}

impl fmt::Display for OcrReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for OcrProgram { key, program, path, version, .. } in &self.0 {
            let program = terminal::line(program);
            match path {
                Some(path) => {
                    let version = version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
                    writeln!(f, "[✓] {program}{version} found ({path}): {key}")?;
                }
                None => {
                    writeln!(
                        f,
                        "[✗] {program} not found: images and scanned pages are not recognised; install it or change {key}"
                    )?;
                }
            }
        }
        Ok(())
    }
}
