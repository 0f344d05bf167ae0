//! The client of a search engine, with credentials from the environment.

use std::path::Path;
use std::time::Duration;

use super::{Failure, report};
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity};
use crate::disk;
use crate::engine::{Address, Client, Credentials, EngineError};

/// The variables for the credentials, the file that contains them, and the file with certificates.
const CREDENTIALS: &str = "CONVO_SITE_ENGINE_CREDENTIALS";
const CREDENTIALS_FILE: &str = "CONVO_SITE_ENGINE_CREDENTIALS_FILE";
const CA_FILE: &str = "CONVO_SITE_ENGINE_CA_FILE";

/// Returns a client for the engine at a URL, with a timeout for requests.
#[expect(clippy::disallowed_methods, reason = "secrets come from the environment")]
pub(super) fn client(url: &str, patience: Duration) -> Result<Client, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    // The URL may contain a password, so the error does not quote it.
    let address = Address::parse(url)
        .map_err(|why| Failure::Usage(format!("invalid URL of the search engine: {why}")))?;
    let (text, from) = match (variable(CREDENTIALS), variable(CREDENTIALS_FILE)) {
        (Some(text), _) => (text, CREDENTIALS),
        (None, Some(path)) => {
            let bytes = disk::read(Path::new(&path))?;
            (String::from_utf8_lossy(&bytes).into_owned(), CREDENTIALS_FILE)
        }
        (None, None) => (String::new(), CREDENTIALS),
    };
    let credentials = Credentials::parse(&text, &address)
        .map_err(|why| Failure::Usage(format!("invalid credentials in {from}: {why}")))?;
    let certificates = variable(CA_FILE).map(|path| disk::read(Path::new(&path))).transpose()?;
    let waiting = |why: &str| {
        report::summary(&format!("note: waiting for the search engine: {}", visible(why)));
    };
    Client::new(address, credentials, certificates.as_deref(), patience, waiting).map_err(failure)
}

/// Returns the diagnostic for a failure of the engine.
pub(super) fn failure(trouble: EngineError) -> Failure {
    let note = Diagnostic::new(Severity::Error, "search-engine", trouble.message);
    let note = match trouble.hint {
        Some(hint) => note.hint(hint),
        None => note,
    };
    Failure::Site(vec![note])
}
