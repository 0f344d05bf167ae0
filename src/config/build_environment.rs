//! Where a site will stand as far as `site.toml` does not say it: what the command was told, and
//! what the machine of a host says of itself to the builds that it runs.

use super::base_url::BaseUrl;
use super::keys::Config;

/// The variable that names the address of the site on any machine.
pub const ADDRESS_VARIABLE: &str = "CONVO_SITE_BASE_URL";

/// Branches that are published as the site itself, where `site.toml` names none. Only Cloudflare
/// has to be asked by branch: the other hosts say what is a preview.
const PRODUCTION_BRANCHES: [&str; 8] =
    ["main", "master", "production", "prod", "live", "release", "trunk", "gh-pages"];

/// An address, and who named it: an option or a variable.
type Named = (BaseUrl, &'static str);

/// The environment of a build: options and the variables of hosts. None of it is read later than this, so that every command that is given
/// the same environment plans the same site.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildEnvironment {
    /// The address that somebody chose for this one build.
    chosen: Option<Named>,
    /// The address of the site itself, as the host names it.
    production: Option<Named>,
    /// The address at which the host shows this build, if it is a preview.
    preview: Option<Named>,
    stage: Stage,
}

/// What a host does with a build.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// It is the site itself, as far as anybody knows.
    #[default]
    Production,
    /// It is for those who look at a change.
    Preview,
    /// It depends on the branch.
    OfBranch(String),
}

/// What the environment of a build decided about the site, for people.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeployContext {
    /// What named the address, if that was not `site.toml`.
    pub address_from: Option<&'static str>,
    /// Why the build is a preview, if it is one.
    pub preview: Option<String>,
}

impl BuildEnvironment {
    /// Reads what variables say. `chosen` is the address that an option names; it goes before all
    /// variables. The error is a variable that holds no address.
    pub fn read(
        chosen: Option<BaseUrl>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        // A server sets a variable to nothing where there is nothing to say.
        let value = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let is = |name: &str, wanted: &str| value(name).is_some_and(|value| value == wanted);
        let address = |name: &'static str| -> Result<Option<Named>, String> {
            let Some(text) = value(name) else { return Ok(None) };
            let url = BaseUrl::try_from(text.trim().to_owned());
            let url = url.map_err(|why| format!("`{name}` is `{text}`: {why}"))?;
            Ok(Some((url, name)))
        };
        let chosen = match chosen {
            Some(url) => Some((url, "--base-url")),
            None => address(ADDRESS_VARIABLE)?,
        };
        let mut read = Self { chosen, ..Self::default() };
        let of_branch = |name| value(name).map_or(Stage::Production, Stage::OfBranch);
        if is("NETLIFY", "true") {
            read.production = address("URL")?;
            read.preview = address("DEPLOY_PRIME_URL")?;
            if value("CONTEXT").is_some_and(|context| context != "production") {
                read.stage = Stage::Preview;
            }
        } else if is("CF_PAGES", "1") {
            read.preview = address("CF_PAGES_URL")?;
            read.production = read.preview.clone().map(|(url, name)| (whole(url), name));
            read.stage = of_branch("CF_PAGES_BRANCH");
        } else if is("WORKERS_CI", "1") {
            // No variable names an address there.
            read.stage = of_branch("WORKERS_CI_BRANCH");
        } else if is("GITLAB_CI", "true") {
            read.production = address("CI_PAGES_URL")?;
            read.preview = read.production.clone();
            if value("CI_MERGE_REQUEST_IID").is_some() {
                read.stage = Stage::Preview;
            }
        }
        Ok(read)
    }

    /// Completes a configuration. A preview stands where its host says, and search engines are
    /// asked not to list it; the site itself stands where `site.toml` says, if that names an address.
    pub(super) fn complete(&self, config: &mut Config) {
        let is_preview = self.is_preview(config);
        let own = &config.base_url;
        let has_own = !own.origin.is_empty() && !own.is_example();
        let of_host = match is_preview {
            true => &self.preview,
            false => &self.production,
        };
        let of_host = of_host.as_ref().filter(|_| is_preview || !has_own);
        if let Some((url, _)) = self.chosen.as_ref().or(of_host) {
            config.base_url = url.clone();
        }
        if is_preview {
            config.search_engines = false;
        }
    }

    /// Returns what was decided about a site that this environment completed.
    pub fn deploy_context(&self, config: &Config) -> DeployContext {
        let is_preview = self.is_preview(config);
        let of_host = if is_preview { &self.preview } else { &self.production };
        let named = self.chosen.as_ref().or(of_host.as_ref());
        let named = named.filter(|(url, _)| *url == config.base_url);
        let preview = is_preview.then(|| match &self.stage {
            Stage::OfBranch(branch) => format!("of the branch `{branch}`"),
            Stage::Production | Stage::Preview => "of a change".to_owned(),
        });
        DeployContext { address_from: named.map(|(_, name)| *name), preview }
    }

    fn is_preview(&self, config: &Config) -> bool {
        match (&self.stage, &config.deploy.production_branch) {
            (Stage::Production, _) => false,
            (Stage::Preview, _) => true,
            (Stage::OfBranch(branch), Some(production)) => branch != production,
            (Stage::OfBranch(branch), None) => !PRODUCTION_BRANCHES.contains(&branch.as_str()),
        }
    }
}

/// Returns the address of a project on Cloudflare Pages from that of one deployment of it, such as
/// `https://373f31e2.talks.pages.dev`: the only one that its variables know, though the site itself
/// stands at `https://talks.pages.dev`.
fn whole(url: BaseUrl) -> BaseUrl {
    let project = url.origin.strip_prefix("https://").and_then(|host| {
        let (deployment, rest) = host.split_once('.')?;
        let name = rest.strip_suffix(".pages.dev")?;
        let is_one = deployment.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_one && !name.contains('.')).then(|| format!("https://{rest}"))
    });
    BaseUrl { origin: project.unwrap_or(url.origin), path: url.path }
}
