//! The URL of a search engine, and the credentials for it.

use std::fmt;

use crate::text::base64_encode;

/// The URL of an index: the server, and the alias that searches use for the index with the documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The scheme, host, port and path of the engine, without a slash at the end.
    pub server: String,
    /// The alias.
    pub alias: String,
}

/// The alias for a URL without one.
const DEFAULT_ALIAS: &str = "convo-site";

impl Address {
    /// Parses a URL such as `https://search.example.org:9200/talks`.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected a URL such as `https://search.example.org:9200/talks`";
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
                "remove the name and password from the URL; they are read from the environment",
            );
        }
        let path = path.trim_matches('/');
        let (above, alias) = match path.rsplit_once('/') {
            Some((above, alias)) => (format!("/{above}"), alias),
            None => (String::new(), path),
        };
        let alias = if alias.is_empty() { DEFAULT_ALIAS } else { alias };
        // The characters that OpenSearch allows and that need no escaping.
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
        if !alias.chars().all(is_part) || alias.starts_with(['-', '_', '.']) || alias.len() > 200 {
            return Err("expected an index name of lower-case letters, digits, `-`, `_` and `.`");
        }
        Ok(Self { server: format!("{scheme}://{host}{above}"), alias: alias.to_owned() })
    }

    /// Returns whether the connection is encrypted or local.
    fn is_safe(&self) -> bool {
        let Some(rest) = self.server.strip_prefix("http://") else { return true };
        let host = rest.split('/').next().unwrap_or_default();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
    }
}

/// The credentials for an engine. They are never printed.
#[derive(Clone)]
pub struct Credentials(String);

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials(…)")
    }
}

impl Credentials {
    /// Parses `name:password`, or the value of an `Authorization` header such as `ApiKey …`; returns `None` for an
    /// empty text.
    pub fn parse(text: &str, address: &Address) -> Result<Option<Self>, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if text.contains(char::is_control) {
            return Err("expected one line: `name:password`, or a header such as `ApiKey …`");
        }
        if !address.is_safe() {
            return Err("credentials are only sent with `https`, or to localhost");
        }
        let schemes = ["Basic ", "Bearer ", "ApiKey "];
        let header = if schemes.iter().any(|scheme| text.starts_with(scheme)) {
            text.to_owned()
        } else if text.contains(':') {
            format!("Basic {}", base64_encode(text.as_bytes()))
        } else {
            return Err("expected `name:password`, or a header such as `ApiKey …`");
        };
        Ok(Some(Self(header)))
    }

    /// Returns the value of the `Authorization` header.
    pub(super) fn header(&self) -> &str {
        &self.0
    }
}
