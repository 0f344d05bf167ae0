//! The `[services]` of `site.toml`: the services of other hosts that pages use, from which the
//! Content-Security-Policy follows.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::base_url::Host;

/// The services of other hosts that pages use.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(try_from = "Table")]
pub struct Services {
    /// Plausible Analytics.
    pub plausible: Option<Measurement>,
    /// GoatCounter.
    pub goatcounter: Option<Measurement>,
    /// Matomo.
    pub matomo: Option<Measurement>,
    /// Umami.
    pub umami: Option<Measurement>,
    /// The token of Cloudflare Web Analytics.
    pub cloudflare: Option<String>,
    /// Comments in the discussions of a GitHub repository.
    pub giscus: Option<Giscus>,
    /// Comments in the issues of a GitHub repository, as owner and name.
    pub utterances: Option<String>,
    /// Whether links to YouTube videos become players on click.
    pub youtube: bool,
    /// Whether links to Vimeo videos become players on click.
    pub vimeo: bool,
    /// Other hosts.
    pub allow: Vec<AllowedHost>,
}

impl Services {
    /// Returns the other hosts from which pages may load a kind of file.
    pub fn hosts_for(&self, kind: LoadKind) -> Vec<String> {
        let allowed = self.allow.iter().filter(|host| host.kinds.contains(&kind));
        allowed.map(|allowed| allowed.host.clone()).collect()
    }

    /// Returns whether links to videos become players.
    pub fn have_players(&self) -> bool {
        self.youtube || self.vimeo
    }
}

/// An account at an analytics service.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Measurement {
    /// The id of the site at the service; may be empty if the host identifies it.
    pub site: String,
    /// The host of a self-hosted service, optionally with a path.
    pub host: Option<HostPath>,
}

/// A host, and the path of a service on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HostPath {
    /// The host.
    pub host: Host,
    /// The path; empty, or with a `/` at its start and none at its end.
    pub path: String,
}

/// The discussions that giscus shows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "GiscusTable")]
pub struct Giscus {
    /// The owner and name of the repository.
    pub repo: String,
    /// The id of the repository on GitHub.
    pub repo_id: String,
    /// The category of the discussions.
    pub category: String,
    /// The id of the category on GitHub.
    pub category_id: String,
}

/// A host from which pages may load files.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AllowedHost {
    /// The host, optionally with `*.` in front.
    pub host: String,
    /// The kinds of files that pages may load from it.
    pub kinds: Vec<LoadKind>,
}

/// Kinds of files that pages load.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadKind {
    /// Scripts.
    Script,
    /// Style sheets.
    Style,
    /// Images.
    Image,
    /// Audio and video.
    Media,
    /// Fonts.
    Font,
    /// Requests by scripts.
    Connection,
    /// Embedded pages.
    Frame,
}

impl LoadKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Script,
        Self::Style,
        Self::Image,
        Self::Media,
        Self::Font,
        Self::Connection,
        Self::Frame,
    ];
}

/// The structure of the table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    plausible: Option<OneOr<Plausible>>,
    goatcounter: Option<OneOr<Goatcounter>>,
    matomo: Option<OneOr<Matomo>>,
    umami: Option<OneOr<Umami>>,
    cloudflare: Option<Token>,
    giscus: Option<Giscus>,
    utterances: Option<Repository>,
    #[serde(default)]
    youtube: bool,
    #[serde(default)]
    vimeo: bool,
    #[serde(default)]
    allow: Vec<OneOr<Allowed>>,
}

impl TryFrom<Table> for Services {
    type Error = &'static str;

    fn try_from(table: Table) -> Result<Self, Self::Error> {
        if table.giscus.is_some() && table.utterances.is_some() {
            return Err("use either `giscus` or `utterances` for comments, not both");
        }
        Ok(Self {
            plausible: table.plausible.map(|one| one.0.0),
            goatcounter: table.goatcounter.map(|one| one.0.0),
            matomo: table.matomo.map(|one| one.0.0),
            umami: table.umami.map(|one| one.0.0),
            cloudflare: table.cloudflare.map(|token| token.0),
            giscus: table.giscus,
            utterances: table.utterances.map(|repository| repository.0),
            youtube: table.youtube,
            vimeo: table.vimeo,
            allow: table.allow.into_iter().map(|one| one.0.0).collect(),
        })
    }
}

/// A value that is either a string or a table.
struct OneOr<T>(T);

impl<'de, T: TryFrom<Written, Error = &'static str>> Deserialize<'de> for OneOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);

        impl<'de, T: TryFrom<Written, Error = &'static str>> Visitor<'de> for Either<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a table")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
                let site = text.to_owned();
                T::try_from(Written { site, ..Written::default() }).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                let written = Written::deserialize(MapAccessDeserializer::new(map))?;
                T::try_from(written).map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_any(Either(PhantomData)).map(Self)
    }
}

/// The keys in the table of a service.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    site: String,
    host: String,
    #[serde(rename = "for")]
    kinds: Vec<LoadKind>,
}

impl Written {
    fn measurement(
        self,
        fits: fn(&str) -> bool,
        wrong: &'static str,
    ) -> Result<Measurement, &'static str> {
        if !self.kinds.is_empty() {
            return Err("`for` is only allowed in `allow`");
        }
        let host = match self.host.as_str() {
            "" => None,
            host => Some(HostPath::parse(host)?),
        };
        match fits(&self.site) {
            true => Ok(Measurement { site: self.site, host }),
            false => Err(wrong),
        }
    }
}

impl HostPath {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let wrong = "expected a host such as `stats.example.org`, without `https://`";
        let (host, path) = text.split_once('/').unwrap_or((text, ""));
        let fits = |c: char| c.is_ascii_alphanumeric() || "-._~/".contains(c);
        let plain = path.chars().all(fits) && !path.split('/').any(|part| part == "..");
        let host = Host::try_from(host.to_owned()).map_err(|_| wrong)?;
        if !plain || !host.0.contains('.') {
            return Err(wrong);
        }
        let path = path.trim_matches('/');
        let path = if path.is_empty() { String::new() } else { format!("/{path}") };
        Ok(Self { host, path })
    }

    /// Returns the URL of a file below it.
    pub fn url(&self, file: &str) -> String {
        format!("https://{}{}/{file}", self.host.0, self.path)
    }
}

fn is_domain(text: &str) -> bool {
    !text.contains(':') && text.contains('.') && Host::try_from(text.to_owned()).is_ok()
}

/// Returns whether a text has from `least` to `most` characters, all of them ASCII letters, digits or `others`.
fn is_plain(text: &str, least: usize, most: usize, others: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    (least..=most).contains(&text.len()) && text.chars().all(fits)
}

struct Plausible(Measurement);

impl TryFrom<Written> for Plausible {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        // A domain, or the script name of newer accounts.
        let fits = |site: &str| match site.strip_prefix("pa-") {
            Some(id) => is_plain(id, 1, 64, "-_"),
            None => is_domain(site),
        };
        let wrong =
            "expected a domain such as `talks.example.org`, or the `pa-…` part of the script name";
        written.measurement(fits, wrong).map(Self)
    }
}

struct Goatcounter(Measurement);

impl TryFrom<Written> for Goatcounter {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let has_host = !written.host.is_empty();
        let wrong = "expected a code such as `mycode` from mycode.goatcounter.com, or a `host`";
        let found = written.measurement(|site| is_plain(site, 0, 63, "-"), wrong)?;
        match has_host != found.site.is_empty() {
            true => Err(wrong),
            false if has_host && !found.site.is_empty() => Err(wrong),
            false => Ok(Self(found)),
        }
    }
}

struct Matomo(Measurement);

impl TryFrom<Written> for Matomo {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let wrong = "expected `{ host = \"stats.example.org\", site = \"1\" }`";
        if written.host.is_empty() {
            return Err(wrong);
        }
        let is_number =
            |site: &str| is_plain(site, 1, 9, "") && site.bytes().all(|byte| byte.is_ascii_digit());
        written.measurement(is_number, wrong).map(Self)
    }
}

struct Umami(Measurement);

impl TryFrom<Written> for Umami {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let is_uuid = |site: &str| {
            let parts: Vec<usize> = site.split('-').map(str::len).collect();
            let is_hex = |c: char| c.is_ascii_hexdigit() || c == '-';
            parts == [8, 4, 4, 4, 12] && site.chars().all(is_hex)
        };
        let wrong = "expected a website id such as `4fb7fa4c-5b46-438d-94b3-3a8fb9bc2e8b`";
        written.measurement(is_uuid, wrong).map(Self)
    }
}

struct Allowed(AllowedHost);

impl TryFrom<Written> for Allowed {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let wrong = "expected a host such as `widgets.example.org`, without `https://`";
        // A plain string is the host.
        let host = match (written.site.as_str(), written.host.as_str()) {
            (host, "") | ("", host) => host.to_ascii_lowercase(),
            _ => {
                return Err("expected `{ host = \"widgets.example.org\", for = [\"script\"] }`");
            }
        };
        let name = host.strip_prefix("*.").unwrap_or(&host);
        if Host::try_from(name.to_owned()).is_err() || !name.contains('.') {
            return Err(wrong);
        }
        let kinds = match written.kinds.is_empty() {
            true => LoadKind::ALL.to_vec(),
            false => written.kinds,
        };
        Ok(Self(AllowedHost { host, kinds }))
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Token(String);

impl TryFrom<String> for Token {
    type Error = &'static str;

    fn try_from(token: String) -> Result<Self, Self::Error> {
        let is_token = token.len() == 32 && token.chars().all(|c| c.is_ascii_hexdigit());
        match is_token {
            true => Ok(Self(token)),
            false => Err("expected a token of 32 hexadecimal digits"),
        }
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Repository(String);

impl TryFrom<String> for Repository {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        let fits = |(owner, repository): (&str, &str)| {
            is_plain(owner, 1, 39, "-") && is_plain(repository, 1, 100, "-._")
        };
        match name.split_once('/').is_some_and(fits) {
            true => Ok(Self(name)),
            false => Err("expected a GitHub repository such as `ada/talks`"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GiscusTable {
    repo: Repository,
    repo_id: String,
    category: String,
    category_id: String,
}

impl TryFrom<GiscusTable> for Giscus {
    type Error = &'static str;

    fn try_from(table: GiscusTable) -> Result<Self, Self::Error> {
        let is_id = |id: &str| is_plain(id, 4, 100, "_=-");
        if !is_id(&table.repo_id) || !is_id(&table.category_id) {
            return Err("expected an id from giscus.app, such as `R_kgDOGjYtbQ`");
        }
        if table.category.trim().is_empty() || table.category.contains(char::is_control) {
            return Err("expected the name of a category, such as `Announcements`");
        }
        let GiscusTable { repo, repo_id, category, category_id } = table;
        Ok(Self { repo: repo.0, repo_id, category, category_id })
    }
}
