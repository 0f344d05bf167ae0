//! The URL of a site from sources other than `site.toml`: options, and the variables that hosts set for the builds
//! they run.

use super::base_url::BaseUrl;
use super::keys::Config;

/// The environment variable for the URL of the site.
pub const ADDRESS_VARIABLE: &str = "CONVO_SITE_BASE_URL";

/// Production branches, if `site.toml` does not set one. Needed only for Cloudflare; the other hosts mark previews
/// themselves.
const PRODUCTION_BRANCHES: [&str; 8] =
    ["main", "master", "production", "prod", "live", "release", "trunk", "gh-pages"];

/// A URL, and the option or variable that it is from.
type Named = (BaseUrl, &'static str);

/// The environment of a build: options and the variables of hosts. It is read once, so that every command with the
/// same environment plans the same site.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BuildEnvironment {
    /// The URL chosen for this build by an option or a variable.
    chosen: Option<Named>,
    /// The production URL of the site, from the host.
    production: Option<Named>,
    /// The URL of this build on the host, if it is a preview.
    preview: Option<Named>,
    stage: Stage,
}

/// What a host uses a build for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// The published site; the default.
    #[default]
    Production,
    /// A preview of a change.
    Preview,
    /// One of both, depending on the branch.
    OfBranch(String),
}

/// The effects of the environment on the site, for messages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeployContext {
    /// The option or variable that set the URL, if it is not from `site.toml`.
    pub address_from: Option<&'static str>,
    /// What the build is a preview of, if it is one.
    pub preview: Option<String>,
}

impl BuildEnvironment {
    /// Reads the variables. `chosen` is the URL from an option, which overrides all variables. Fails if a variable is
    /// not a URL.
    pub fn read(
        chosen: Option<BaseUrl>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        // CI often sets unused variables to an empty value.
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
            // Workers has no variable with a URL.
            read.stage = of_branch("WORKERS_CI_BRANCH");
        } else if is("GITHUB_ACTIONS", "true") {
            // Set by the workflow of `init`, and by the action.
            read.production = address("PAGES_BASE_URL")?;
        } else if is("GITLAB_CI", "true") {
            read.production = address("CI_PAGES_URL")?;
            read.preview = read.production.clone();
            if value("CI_MERGE_REQUEST_IID").is_some() {
                read.stage = Stage::Preview;
            }
        }
        Ok(read)
    }

    /// Completes a configuration. A preview gets the URL from its host and is hidden from search engines; otherwise
    /// the URL in `site.toml` takes precedence.
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

    /// Returns the effects of this environment on a configuration that it completed.
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

/// Returns the URL of a project on Cloudflare Pages, such as `https://talks.pages.dev`, from the URL of one of its
/// deployments, such as `https://373f31e2.talks.pages.dev`; the variables contain only the latter.
fn whole(url: BaseUrl) -> BaseUrl {
    let project = url.origin.strip_prefix("https://").and_then(|host| {
        let (deployment, rest) = host.split_once('.')?;
        let name = rest.strip_suffix(".pages.dev")?;
        let is_one = deployment.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_one && !name.contains('.')).then(|| format!("https://{rest}"))
    });
    BaseUrl { origin: project.unwrap_or(url.origin), path: url.path }
}
