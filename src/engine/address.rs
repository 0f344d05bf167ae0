//! Where an engine is, and who asks it.

use std::fmt;

use crate::text::base64_encode;

/// The address of an index: the server, and the name under which readers ask for the index, which is
/// an alias of the one that has the documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Scheme, host, port, and the path at which the engine stands, without a slash at its end.
    pub server: String,
    /// The alias.
    pub alias: String,
}

/// The alias where the address names none.
const DEFAULT_ALIAS: &str = "convo-site";

impl Address {
    /// Reads an address such as `https://search.example.org:9200/talks`.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str =
            "expected an address such as `https://search.example.org:9200/talks`";
        let (scheme, rest) = text.split_once("://").ok_or(EXPECTED)?;
        if !matches!(scheme, "http" | "https")
            || rest.contains(|c: char| c.is_whitespace() || c.is_control() || "?#\\\"".contains(c))
        {
            return Err(EXPECTED);
        }
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        if host.is_empty() {
            return Err(EXPECTED);
        }
        if host.contains('@') {
            return Err(
                "an address has no name and no password in it: they come from the environment",
            );
        }
        let path = path.trim_matches('/');
        let (above, alias) = match path.rsplit_once('/') {
            Some((above, alias)) => (format!("/{above}"), alias),
            None => (String::new(), path),
        };
        let alias = if alias.is_empty() { DEFAULT_ALIAS } else { alias };
        // What OpenSearch takes as a name, but for what would need to be escaped.
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        if !alias.chars().all(is_part) || alias.starts_with(['-', '_', '.']) || alias.len() > 200 {
            return Err("the name of an index is small letters, digits, `-`, `_` and points");
        }
        Ok(Self { server: format!("{scheme}://{host}{above}"), alias: alias.to_owned() })
    }

    /// Returns whether nobody between here and there can read along.
    fn is_safe(&self) -> bool {
        let Some(rest) = self.server.strip_prefix("http://") else { return true };
        let host = rest.split('/').next().unwrap_or_default();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
    }
}

/// What an engine knows by whom it is asked. It is never shown.
#[derive(Clone)]
pub struct Credentials(String);

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

impl Credentials {
    /// Reads `name:password`, or the value of an `Authorization` header such as `ApiKey …`; nothing
    /// of an empty text.
    pub fn parse(text: &str, address: &Address) -> Result<Option<Self>, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if text.contains(char::is_control) {
            return Err("they are one line: `name:password`, or such as `ApiKey …`");
        }
        if !address.is_safe() {
            return Err("they are sent by `https` only, or to this machine");
        }
        let schemes = ["Basic ", "Bearer ", "ApiKey "];
        let header = if schemes.iter().any(|scheme| text.starts_with(scheme)) {
            text.to_owned()
        } else if text.contains(':') {
            format!("Basic {}", base64_encode(text.as_bytes()))
        } else {
            return Err("expected `name:password`, or such as `ApiKey …`");
        };
        Ok(Some(Self(header)))
    }

    /// Returns the value of the header.
    pub(super) fn header(&self) -> &str {
        &self.0
    }
}
