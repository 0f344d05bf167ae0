//! `convo-site init --deploy`: writes the files that a host needs to build and publish a site.

use std::path::{Path, PathBuf};

use super::{answers, servers};
use crate::cli::args::{DeployHost, InitArgs};
use crate::cli::{Failure, report};
use crate::config::{self, Config, Hosting};
use crate::diag::emit::visible;
use crate::disk::{self, Disk};
use crate::files::Files;

const SCRIPT: &str = include_str!("hosts/build-site.sh");
/// The folder of the workflows of GitHub.
const WORKFLOWS: &str = ".github/workflows";
/// The workflow that `init` writes.
const GITHUB_PATH: &str = ".github/workflows/pages.yml";
const GITHUB: &str = include_str!("hosts/pages.yml");
const NETLIFY: &str = include_str!("hosts/netlify.toml");
const CLOUDFLARE: &str = include_str!("hosts/wrangler.jsonc");
const GITLAB: &str = include_str!("hosts/gitlab-ci.yml");

/// The URL of the releases of convo-site; empty if it was built without a repository URL.
const RELEASES: &str = if env!("CARGO_PKG_REPOSITORY").is_empty() {
    ""
} else {
    concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/download")
};

impl DeployHost {
    /// Returns its value in site.toml.
    pub(super) fn hosting(self) -> (Hosting, &'static str) {
        match self {
            Self::Github => (Hosting::GithubPages, "github-pages"),
            Self::Netlify => (Hosting::Netlify, "netlify"),
            Self::Cloudflare => (Hosting::CloudflarePages, "cloudflare-pages"),
            Self::Gitlab => (Hosting::GitlabPages, "gitlab-pages"),
            Self::Caddy | Self::Nginx => (Hosting::Other, "other"),
        }
    }

    /// Returns the remaining manual steps.
    fn clicks(self) -> &'static [&'static str] {
        match self {
            Self::Github => &[
                "on GitHub, under Settings, Pages, choose \"GitHub Actions\" as the source",
                "commit these files and push them to the branch `main`",
            ],
            Self::Netlify => &[
                "commit these files and push them",
                "on Netlify choose \"Add new project\", \"Import an existing project\", and the repository",
                "leave the settings as they are, and choose \"Deploy\"",
            ],
            Self::Cloudflare => &[
                "commit these files and push them",
                "on Cloudflare, under Workers & Pages, create an application from the repository; \
                 the build command is `sh build-site.sh`, the deploy command `npx wrangler deploy`, \
                 and for other branches `npx wrangler versions upload`",
                "when you know the URL of the site, set `base_url` in site.toml",
            ],
            Self::Gitlab => &[
                "commit these files and push them to the default branch",
                "on GitLab, the URL of the site is under Deploy, Pages",
                "for previews of merge requests (GitLab Premium), set the CI/CD variable \
                 CONVO_SITE_PREVIEWS to 1",
            ],
            Self::Caddy => &[
                "test it with `caddy validate --config Caddyfile`, then start or reload Caddy with it",
            ],
            Self::Nginx => &[
                "link it into /etc/nginx/sites-enabled, test it with `nginx -t`, and reload nginx",
                "add a certificate with `certbot --nginx`",
            ],
        }
    }

    /// Returns whether the host itself installs convo-site.
    pub(super) fn installs(self) -> bool {
        !matches!(self, Self::Caddy | Self::Nginx)
    }
}

/// Writes the files of a host, or prints them. `is_new` is whether the site was just created.
pub(super) fn run(host: DeployHost, args: &InitArgs, is_new: bool) -> Result<(), Failure> {
    let (root, files) = match host.installs() {
        true => of_host(host, args),
        false => (args.dir.clone(), vec![servers::file(host, args)?]),
    };
    if args.print {
        for (name, text) in &files {
            let head = if files.len() > 1 { format!("# {name}\n") } else { String::new() };
            report::output(&format!("{head}{text}"));
        }
        return Ok(());
    }
    let new = missing(&root, &files)?;
    disk::write_new(&root, &new)?;
    let list = |names: Vec<&str>| names.join(" and ");
    let written: Vec<&str> = new.iter().map(|(name, _)| *name).collect();
    let folder = report::quoted(&root);
    report::summary(&match written.is_empty() {
        true => format!("all files already exist in {folder}"),
        false => format!("wrote {} in {folder}", list(written)),
    });
    if matches!(host, DeployHost::Github) {
        note_other_workflow(&root, Some(GITHUB_PATH));
    }
    print_next_steps(host, args, is_new);
    Ok(())
}

/// Fails if a file that the host needs exists with different content.
pub(super) fn check(host: DeployHost, args: &InitArgs) -> Result<(), Failure> {
    let (root, files) = of_host(host, args);
    missing(&root, &files).map(|_| ())
}

/// Returns the files that do not exist yet. Fails if one exists with different content.
fn missing<'a>(
    root: &Path,
    files: &'a [(String, String)],
) -> Result<Vec<(&'a str, &'a str)>, Failure> {
    let mut new = Vec::new();
    for (name, text) in files {
        let path = root.join(name);
        if !disk::is_there(&path) {
            new.push((name.as_str(), text.as_str()));
        } else if disk::read(&path)? != text.as_bytes() {
            let shown = visible(&path.display().to_string());
            return Err(Failure::Usage(format!(
                "`{shown}` already exists with different content, so nothing was written; \
                 print the new content with `--print`"
            )));
        }
    }
    Ok(new)
}

/// The warning about sources in a repository.
const SOURCES_ARE_READ: &str = "keep the repository private: everybody who can read it can read the \
     sources in `content/`, withheld conversations included";

/// Prints how to publish the output from a public repository, without the sources.
pub(super) fn public(args: &InitArgs) {
    let folder = report::quoted(&args.dir);
    let other = pages_workflow(&repository_of(&disk::resolve(&args.dir)), None);
    let (url, place, publish, again) = match &other {
        Some(_) => (
            "with its path, such as `https://USER.github.io/REPOSITORY/talks/`",
            format!(
                "`convo-site build {folder}`, then `convo-site deploy {folder} --to ./static/talks`, with a \
                 folder that the workflow uploads unchanged, such as `./static` or `./docs`"
            ),
            "commit and push that folder",
            "after each change, repeat the two steps before this one",
        ),
        None => (
            "such as `https://USER.github.io/REPOSITORY/`",
            format!(
                "in a git repository with the remote `origin`: `convo-site build {folder}`, then \
                 `convo-site deploy {folder} --to git:gh-pages`"
            ),
            "on GitHub, under Settings, Pages, choose \"Deploy from a branch\" and `gh-pages`",
            "after each change, build and deploy again",
        ),
    };
    if let Some(workflow) = &other {
        report::summary(&format!(
            "note: `{}` already publishes this repository on GitHub Pages; with these steps, it publishes the \
             site too",
            visible(workflow)
        ));
    }
    let url_now = config_of(&args.dir).and_then(|config| config.base_url.absolute(""));
    let has_url = url_now.is_some_and(|url| url != answers::URL);
    let set_url = format!("set `base_url` in site.toml to the URL of the site, {url}");
    let steps = (!has_url).then_some(set_url).into_iter();
    report::summary(
        "GitHub Pages from a public repository: only the output is pushed, because pushing `content/` \
         would publish the sources, withheld conversations included",
    );
    next_steps(steps.chain([place, publish.to_owned(), again.to_owned()]));
    if other.is_none() {
        report::summary(
            "if GitHub Pages already publishes something else from this repository, these steps would \
             replace it: see “Alongside an existing documentation site” in the manual",
        );
    }
    report::summary(
        "to write sources that are safe to publish, use `convo-site import --redact`; to let \
         GitHub build the site from the sources, use `--private-repository`",
    );
}

/// Prints numbered steps.
fn next_steps(steps: impl Iterator<Item = String>) {
    report::summary("next steps:");
    for (number, step) in (1..).zip(steps) {
        report::summary(&format!("  {number}. {step}"));
    }
}

/// Notes that a workflow of the repository other than `own` publishes it on GitHub Pages, if there is
/// one.
fn note_other_workflow(root: &Path, own: Option<&str>) {
    if let Some(workflow) = pages_workflow(root, own) {
        report::summary(&format!(
            "note: `{}` already publishes this repository on GitHub Pages, and the steps below would \
             replace that site; to publish both, deploy into a folder that the workflow uploads, such \
             as `--to ./docs/talks`",
            visible(&workflow)
        ));
    }
}

/// Returns the path of a workflow other than `own` that publishes the repository on GitHub Pages.
fn pages_workflow(root: &Path, own: Option<&str>) -> Option<String> {
    let names = Disk::new(root).names(WORKFLOWS).into_iter();
    let mut paths = names.map(|name| format!("{WORKFLOWS}/{name}"));
    paths.find(|path| {
        if own == Some(path.as_str()) {
            return false;
        }
        let text = disk::read(&root.join(path)).unwrap_or_default();
        String::from_utf8_lossy(&text).contains("actions/deploy-pages")
    })
}

/// Returns the folder of the repository that contains a folder, or else that folder.
fn repository_of(folder: &Path) -> PathBuf {
    let root = folder.ancestors().find(|above| disk::is_there(&above.join(".git")));
    root.unwrap_or(folder).to_owned()
}

/// Prints the remaining steps.
fn print_next_steps(host: DeployHost, args: &InitArgs, is_new: bool) {
    let mut left: Vec<String> = Vec::new();
    if host.installs() {
        let instead = match host {
            DeployHost::Netlify => {
                "; from a public one, use `convo-site deploy --to netlify`, \
                                    which uploads only the output"
            }
            DeployHost::Cloudflare => {
                "; from a public one, use `convo-site deploy --to wrangler`, \
                                       which uploads only the output"
            }
            _ => "",
        };
        left.push(format!("{SOURCES_ARE_READ}{instead}"));
    }
    if host.installs() && RELEASES.is_empty() {
        left.push(format!(
            "set `releases` in build-site.sh to the URL of the releases of convo-site, and `sha256` to the \
             SHA-256 of the archive: convo-site {} has no release URL, and without these two values the \
             host cannot install it",
            env!("CARGO_PKG_VERSION")
        ));
    } else if host.installs() && args.sha256.is_none() {
        left.push(format!(
            "copy the SHA-256 of convo-site-{}-x86_64-unknown-linux-musl.tar.gz from SHA256SUMS of \
             the release to build-site.sh; nothing is installed without it",
            env!("CARGO_PKG_VERSION")
        ));
    }
    let (hosting, name) = host.hosting();
    let named = config_of(&args.dir).map(|config| config.deploy.host);
    if !is_new && host.installs() && named != Some(hosting) {
        left.push(format!(
            "set `host = \"{name}\"` under `[deploy]` in site.toml, so that `check` knows the limits of \
             the host"
        ));
    }
    left.extend(host.clicks().iter().map(|click| (*click).to_owned()));
    next_steps(left.into_iter());
}

/// Returns the configuration of a site, if it has a valid one.
fn config_of(site: &Path) -> Option<Config> {
    let text = disk::read(&site.join("site.toml")).ok()?;
    Some(config::load(&String::from_utf8_lossy(&text)).ok()?.value)
}

/// Returns the folder of the repository, and the files of a host to write there.
fn of_host(host: DeployHost, args: &InitArgs) -> (PathBuf, Vec<(String, String)>) {
    let folder = disk::resolve(&args.dir);
    let root = repository_of(&folder);
    let site = folder.strip_prefix(&root).unwrap_or(Path::new(""));
    let site = site.to_string_lossy().replace('\\', "/");
    let below = |name: &str| match site.is_empty() {
        true => name.to_owned(),
        false => format!("{site}/{name}"),
    };
    let site = if site.is_empty() { "." } else { site.as_str() };
    // JSON strings are also valid in YAML and TOML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let words = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let sum = args.sha256.clone().unwrap_or_default();
    let fill = |text: &str| {
        text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))
            .replace("@SHA256@", &words(&sum))
            .replace("@RELEASES@", &words(RELEASES))
            .replace("@SITE_QUOTED@", &quoted(site))
            .replace("@PUBLIC_QUOTED@", &quoted(&below("public")))
            .replace("@STATE_QUOTED@", &quoted(&below(".convo-site")))
            .replace("@PUBLIC@", &below("public"))
            .replace("@STATE@", &below(".convo-site"))
            .replace("@SITE@", &words(site))
            .replace("@NAME@", &quoted(&project_name(&folder)))
    };
    let (name, text) = match host {
        DeployHost::Github => (GITHUB_PATH, GITHUB),
        DeployHost::Netlify => ("netlify.toml", NETLIFY),
        DeployHost::Cloudflare => ("wrangler.jsonc", CLOUDFLARE),
        DeployHost::Gitlab | DeployHost::Caddy | DeployHost::Nginx => (".gitlab-ci.yml", GITLAB),
    };
    let script = ("build-site.sh".to_owned(), fill(SCRIPT));
    (root, vec![(name.to_owned(), fill(text)), script])
}

/// Returns a project name that Cloudflare accepts, from the name of a folder.
fn project_name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let small = name.to_ascii_lowercase();
    let name = small.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let name: String = name.trim_matches('-').chars().take(50).collect();
    if name.is_empty() { "conversations".to_owned() } else { name }
}
