//! The `[services]` of `site.toml`: what pages load from other hosts, by names of services and not by
//! policies.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::base_url::Host;

/// The services of others that pages use.
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
    /// Comments in the issues of a GitHub repository: its owner and name.
    pub utterances: Option<String>,
    /// Whether links to videos of YouTube become players when a reader asks for it.
    pub youtube: bool,
    /// Whether links to videos of Vimeo do.
    pub vimeo: bool,
    /// Other hosts.
    pub allow: Vec<AllowedHost>,
}

impl Services {
    /// Returns the other hosts from which pages may load something of a kind.
    pub fn hosts_for(&self, kind: LoadKind) -> Vec<String> {
        let allowed = self.allow.iter().filter(|host| host.kinds.contains(&kind));
        allowed.map(|allowed| allowed.host.clone()).collect()
    }

    /// Returns whether videos become players.
    pub fn have_players(&self) -> bool {
        self.youtube || self.vimeo
    }
}

/// The account at a service that counts visits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Measurement {
    /// What the service calls the site; may be empty where the host alone tells it.
    pub site: String,
    /// The host of a service of one's own, perhaps with a path.
    pub host: Option<HostPath>,
}

/// A host, and the path below which a service stands there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HostPath {
    /// The host.
    pub host: Host,
    /// The path; empty, or with a `/` in front and none behind.
    pub path: String,
}

/// Where the discussions are that giscus shows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "GiscusTable")]
pub struct Giscus {
    /// Owner and name of the repository.
    pub repo: String,
    /// GitHub's id of it.
    pub repo_id: String,
    /// The category of the discussions.
    pub category: String,
    /// GitHub's id of it.
    pub category_id: String,
}

/// A host from which pages may load something.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AllowedHost {
    /// The host, perhaps with `*.` in front.
    pub host: String,
    /// What they may load.
    pub kinds: Vec<LoadKind>,
}

/// What pages load.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadKind {
    /// Scripts.
    Script,
    /// Stylesheets.
    Style,
    /// Images.
    Image,
    /// Sound and video.
    Media,
    /// Fonts.
    Font,
    /// What scripts send and fetch.
    Connection,
    /// Pages inside pages.
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

/// The table as it is written.
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
            return Err("comments are `giscus` or `utterances`, and not both");
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

/// A value that is written as a text alone or as a table.
struct OneOr<T>(T);

impl<'de, T: TryFrom<Written, Error = &'static str>> Deserialize<'de> for OneOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);

        impl<'de, T: TryFrom<Written, Error = &'static str>> Visitor<'de> for Either<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a table")
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

/// What a table of a service may have.
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
            return Err("`for` is for the hosts of `allow`");
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

    /// Returns the address of a file there.
    pub fn url(&self, file: &str) -> String {
        format!("https://{}{}/{file}", self.host.0, self.path)
    }
}

fn is_domain(text: &str) -> bool {
    !text.contains(':') && text.contains('.') && Host::try_from(text.to_owned()).is_ok()
}

/// Returns whether a text has from `least` to `most` characters, letters and digits of ASCII or some
/// `others`.
fn is_plain(text: &str, least: usize, most: usize, others: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
    (least..=most).contains(&text.len()) && text.chars().all(fits)
}

struct Plausible(Measurement);

impl TryFrom<Written> for Plausible {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        // A domain, or the name of the script that newer accounts have.
        let fits = |site: &str| match site.strip_prefix("pa-") {
            Some(id) => is_plain(id, 1, 64, "-_"),
            None => is_domain(site),
        };
        let wrong = "expected a domain such as `talks.example.org`, or the `pa-…` of its script";
        written.measurement(fits, wrong).map(Self)
    }
}

struct Goatcounter(Measurement);

impl TryFrom<Written> for Goatcounter {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let has_host = !written.host.is_empty();
        let wrong = "expected a code such as `mycode` of mycode.goatcounter.com, or a `host`";
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
        // Alone it is a text, and in a table the `host`.
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
            false => Err("expected a repository of GitHub such as `ada/talks`"),
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
            return Err("expected ids as giscus.app shows them, such as `R_kgDOGjYtbQ`");
        }
        if table.category.trim().is_empty() || table.category.contains(char::is_control) {
            return Err("expected the name of a category, such as `Announcements`");
        }
        let GiscusTable { repo, repo_id, category, category_id } = table;
        Ok(Self { repo: repo.0, repo_id, category, category_id })
    }
}
