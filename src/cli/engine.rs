//! A search engine as the environment lets it be asked.

use std::path::Path;
use std::time::Duration;

use super::{Failure, report};
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity};
use crate::disk;
use crate::engine::{Address, Client, Credentials, Trouble};

/// The variables that have credentials, that name the file which has them, and that name the file of
/// certificates.
const CREDENTIALS: &str = "CONVO_SITE_ENGINE_CREDENTIALS";
const CREDENTIALS_FILE: &str = "CONVO_SITE_ENGINE_CREDENTIALS_FILE";
const CA_FILE: &str = "CONVO_SITE_ENGINE_CA_FILE";

/// Returns the client of the engine at an address, which waits so long for the answer to a request.
#[expect(clippy::disallowed_methods, reason = "secrets come from the environment")]
pub(super) fn client(url: &str, patience: Duration) -> Result<Client, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    // What may have a password in it is not shown.
    let address =
        Address::parse(url).map_err(|why| Failure::Usage(format!("the engine: {why}")))?;
    let (text, from) = match (variable(CREDENTIALS), variable(CREDENTIALS_FILE)) {
        (Some(text), _) => (text, CREDENTIALS),
        (None, Some(path)) => {
            let bytes = disk::read(Path::new(&path))?;
            (String::from_utf8_lossy(&bytes).into_owned(), CREDENTIALS_FILE)
        }
        (None, None) => (String::new(), CREDENTIALS),
    };
    let credentials = Credentials::parse(&text, &address)
        .map_err(|why| Failure::Usage(format!("the credentials of {from}: {why}")))?;
    let certificates = variable(CA_FILE).map(|path| disk::read(Path::new(&path))).transpose()?;
    let waiting = |why: &str| {
        report::summary(&format!("note: waiting for the search engine: {}", visible(why)));
    };
    Client::new(address, credentials, certificates.as_deref(), patience, waiting).map_err(failure)
}

/// Returns what people are told of trouble with an engine.
pub(super) fn failure(trouble: Trouble) -> Failure {
    let note = Diagnostic::new(Severity::Error, "search-engine", trouble.message);
    let note = match trouble.hint {
        Some(hint) => note.hint(hint),
        None => note,
    };
    Failure::Site(vec![note])
}
