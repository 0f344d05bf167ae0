//! The URL of the site, and host names.

use serde::Deserialize;

/// A host name with an optional port, valid in a Content-Security-Policy.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Host(pub String);

impl TryFrom<String> for Host {
    type Error = &'static str;

    fn try_from(host: String) -> Result<Self, Self::Error> {
        let (name, port) = host.split_once(':').unwrap_or((&host, "443"));
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        let is_name = name.chars().all(fits) && !name.split('.').any(str::is_empty);
        // `data:` is not a host, but would allow inline images.
        if !is_name || port.parse::<u16>().is_err() {
            return Err("expected a host name such as `images.example.org`");
        }
        Ok(Self(host.to_ascii_lowercase()))
    }
}

/// The URL of the site: an origin, and a path that starts and ends with `/`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct BaseUrl {
    /// The origin, such as `https://ada.github.io`; empty if unknown.
    pub origin: String,
    /// The path, such as `/talks/`.
    pub path: String,
}

impl TryFrom<String> for BaseUrl {
    type Error = &'static str;

    fn try_from(url: String) -> Result<Self, Self::Error> {
        if url.is_empty() {
            return Ok(Self { origin: String::new(), path: "/".to_owned() });
        }
        let wrong = "expected a URL such as `https://ada.github.io/talks/`";
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let rest = rest.ok_or(wrong)?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let fits = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
        let plain = path.chars().all(fits) && !path.split('/').any(|part| part == "..");
        if Host::try_from(host.to_owned()).is_err() || !plain {
            return Err(wrong);
        }
        let path = path.trim_matches('/');
        let path = if path.is_empty() { "/".to_owned() } else { format!("/{path}/") };
        let origin = url[..url.len() - rest.len() + host.len()].to_ascii_lowercase();
        Ok(Self { origin, path })
    }
}

impl BaseUrl {
    /// Returns whether it is a reserved example URL, such as the one in a new site.
    pub fn is_example(&self) -> bool {
        let host = self.origin.split_once("://").map_or("", |(_, host)| host);
        let host = host.strip_prefix("www.").unwrap_or(host);
        self.path == "/" && ["example.org", "example.com", "example.net"].contains(&host)
    }

    /// Returns the link to a file or folder of the output, such as `c/a-talk/`.
    pub fn link(&self, path: &str) -> String {
        let mut url = self.path.clone();
        url.push_str(&crate::text::percent_encode(path));
        url
    }

    /// Returns the absolute URL of a path; `None` if the origin is unknown.
    pub fn absolute(&self, path: &str) -> Option<String> {
        (!self.origin.is_empty()).then(|| format!("{}{}", self.origin, self.link(path)))
    }
}
