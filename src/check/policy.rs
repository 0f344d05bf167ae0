//! Decides whether the Content-Security-Policy of a page allows what it loads and runs.

use std::fmt;

/// Something that the policy of a page must allow.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Wanted {
    /// A file at this URL.
    File(Kind, String),
    /// An inline script, in an element or an attribute.
    ScriptInPage,
    /// An inline style, in an element or an attribute.
    StyleInPage,
}

/// The kind of a loaded file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Script,
    Style,
    Image,
    Media,
    Frame,
}

impl Kind {
    fn directive(self) -> &'static str {
        match self {
            Self::Script => "script-src",
            Self::Style => "style-src",
            Self::Image => "img-src",
            Self::Media => "media-src",
            Self::Frame => "frame-src",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Script => "script",
            Self::Style => "style sheet",
            Self::Image => "image",
            Self::Media => "audio or video",
            Self::Frame => "frame",
        })
    }
}

/// Returns whether a policy allows something on a page of this origin.
pub(super) fn allows(policy: &str, wanted: &Wanted, origin: &str) -> bool {
    let directive = match wanted {
        Wanted::File(kind, _) => kind.directive(),
        Wanted::ScriptInPage => "script-src",
        Wanted::StyleInPage => "style-src",
    };
    let Some(sources) = sources(policy, directive) else { return true };
    match wanted {
        Wanted::File(_, address) => sources.iter().any(|source| fits(source, address, origin)),
        // Hashes allow single texts, which are used for the code of services.
        Wanted::ScriptInPage | Wanted::StyleInPage => sources.contains(&"'unsafe-inline'"),
    }
}

/// Returns the sources of a directive, or of `default-src`.
fn sources<'p>(policy: &'p str, directive: &str) -> Option<Vec<&'p str>> {
    let find = |name: &str| {
        policy.split(';').find_map(|part| {
            let mut words = part.split_ascii_whitespace();
            (words.next()? == name).then(|| words.collect())
        })
    };
    find(directive).or_else(|| find("default-src"))
}

fn fits(source: &str, address: &str, origin: &str) -> bool {
    let address = address
        .strip_prefix("//")
        .map_or_else(|| address.to_owned(), |rest| format!("https://{rest}"));
    // A URL without a host is on the site itself.
    let Some((scheme, rest)) = address.split_once(':') else { return source == "'self'" };
    if !scheme.chars().all(|c| c.is_ascii_alphanumeric()) {
        return source == "'self'";
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return source == format!("{scheme}:");
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let own = origin.split_once("://").map(|(_, host)| host);
    if source == "'self'" {
        return own == Some(host.as_str());
    }
    let Some(allowed) = source.strip_prefix("https://") else { return false };
    let is_secure = scheme.eq_ignore_ascii_case("https");
    is_secure
        && match allowed.strip_prefix("*.") {
            Some(above) => host.strip_suffix(above).is_some_and(|rest| rest.ends_with('.')),
            None => host == allowed,
        }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Wanted, allows};

    #[test]
    fn a_policy_is_read_as_browsers_read_it() {
        let policy = "default-src 'none'; script-src 'self' https://a.example https://*.b.example; img-src 'self' data:";
        let script = |address: &str| {
            allows(policy, &Wanted::File(Kind::Script, address.into()), "https://own.example")
        };
        for address in [
            "/x.js", "x.js?a:b", "https://own.example/x.js", "https://A.example/x.js",
            "//a.example/x.js", "https://c.b.example/x",
        ] {
            assert!(script(address), "{address}");
        }
        for address in [
            "http://a.example/x.js", "https://aa.example/", "https://b.example/",
            "https://a.example.evil/", "data:text/javascript,1", "blob:x",
        ] {
            assert!(!script(address), "{address}");
        }
        let image = |address: &str| {
            allows(policy, &Wanted::File(Kind::Image, address.into()), "https://own.example")
        };
        assert!(image("data:image/png;base64,x") && !image("https://a.example/x.png"));
        let frame = Wanted::File(Kind::Frame, "/x".into());
        assert!(!allows(policy, &frame, "") && allows("img-src x", &frame, ""));
        assert!(!allows(policy, &Wanted::ScriptInPage, ""));
    }
}
