//! `convo-site init --deploy`: the files with which a host builds and publishes a site.

use std::path::{Path, PathBuf};

use super::servers;
use crate::cli::args::{DeployHost, InitArgs};
use crate::cli::{Failure, report};
use crate::config::{self, Hosting};
use crate::diag::emit::visible;
use crate::disk;

const SCRIPT: &str = include_str!("hosts/build-site.sh");
const GITHUB: &str = include_str!("hosts/pages.yml");
const NETLIFY: &str = include_str!("hosts/netlify.toml");
const CLOUDFLARE: &str = include_str!("hosts/wrangler.jsonc");
const GITLAB: &str = include_str!("hosts/gitlab-ci.yml");

/// Where the releases of this program are; nothing where the program does not know it.
const RELEASES: &str = if env!("CARGO_PKG_REPOSITORY").is_empty() {
    ""
} else {
    concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/download")
};

impl DeployHost {
    /// Returns what site.toml calls it.
    pub(super) fn hosting(self) -> (Hosting, &'static str) {
        match self {
            Self::Github => (Hosting::GithubPages, "github-pages"),
            Self::Netlify => (Hosting::Netlify, "netlify"),
            Self::Cloudflare => (Hosting::CloudflarePages, "cloudflare-pages"),
            Self::Gitlab => (Hosting::GitlabPages, "gitlab-pages"),
            Self::Caddy | Self::Nginx => (Hosting::Other, "other"),
        }
    }

    /// Returns what is left to do by hand.
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
                "when the site has its address, set `base_url` in site.toml to it",
            ],
            Self::Gitlab => &[
                "commit these files and push them to the default branch",
                "on GitLab, Deploy, Pages shows the address of the site",
                "for previews of merge requests, which need GitLab Premium, set a CI/CD variable \
                 CONVO_SITE_PREVIEWS to 1",
            ],
            Self::Caddy => &["`caddy validate --config Caddyfile` tries it; then give it to Caddy"],
            Self::Nginx => &[
                "link it into /etc/nginx/sites-enabled, try it by `nginx -t`, and reload nginx",
                "`certbot --nginx` adds the certificate",
            ],
        }
    }

    /// Returns whether a machine of the host installs the program.
    pub(super) fn installs(self) -> bool {
        !matches!(self, Self::Caddy | Self::Nginx)
    }
}

/// Writes the files of a host, or prints them. `is_new` says whether the site was made just now.
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
    let mut new = Vec::new();
    for (name, text) in &files {
        let path = root.join(name);
        if !disk::is_there(&path) {
            new.push((name.as_str(), text.as_str()));
        } else if disk::read(&path)? != text.as_bytes() {
            let shown = visible(&path.display().to_string());
            return Err(Failure::Usage(format!(
                "`{shown}` is there already and says something else, so nothing was written; \
                 `--print` shows what it would be"
            )));
        }
    }
    disk::write_new(&root, &new)?;
    let list = |names: Vec<&str>| names.join(" and ");
    let written: Vec<&str> = new.iter().map(|(name, _)| *name).collect();
    let folder = super::quoted(&root);
    report::summary(&match written.is_empty() {
        true => format!("all is there already in {folder}"),
        false => format!("wrote {} in {folder}", list(written)),
    });
    tell_the_rest(host, args, is_new);
    Ok(())
}

/// What whoever can read a repository with sources can read.
const SOURCES_ARE_READ: &str = "keep the repository private: pushing `content/` publishes the sources to everybody who can \
     read it, conversations that are held back too";

/// Says how the output of a site gets into a public repository without the sources.
pub(super) fn public(args: &InitArgs) {
    let folder = super::quoted(&args.dir);
    report::summary(&format!(
        "GitHub Pages of a public repository: pushing `content/` would publish the sources, \
         conversations that are held back too, so nothing but the output is pushed\n\
         what is left to do:\n  \
         1. in a git repository with the remote `origin`: `convo-site build {folder}`, then \
         `convo-site deploy {folder} --to git:gh-pages`\n  \
         2. on GitHub, under Settings, Pages, choose \"Deploy from a branch\" and `gh-pages`\n  \
         3. after each change, the two commands of step 1 again\n\
         `convo-site import --redact` writes sources that may be public; with \
         `--private-repository` GitHub builds the site from the sources"
    ));
}

/// Says what is left to do.
fn tell_the_rest(host: DeployHost, args: &InitArgs, is_new: bool) {
    let mut left: Vec<String> = Vec::new();
    if host.installs() {
        let instead = match host {
            DeployHost::Netlify => {
                "; for a public one, `convo-site deploy --to netlify` uploads \
                                    the output alone"
            }
            DeployHost::Cloudflare => {
                "; for a public one, `convo-site deploy --to wrangler` \
                                       uploads the output alone"
            }
            _ => "",
        };
        left.push(format!("{SOURCES_ARE_READ}{instead}"));
    }
    if host.installs() && RELEASES.is_empty() {
        left.push(format!(
            "this convo-site {} knows of no release of itself: until there is one, name in \
             `releases` in build-site.sh where its archive is, and its SHA-256 in `sha256`; before \
             that the host can install nothing",
            env!("CARGO_PKG_VERSION")
        ));
    } else if host.installs() && args.sha256.is_none() {
        left.push(format!(
            "write the SHA-256 of convo-site-{}-x86_64-unknown-linux-musl.tar.gz, as SHA256SUMS of \
             the release says, into build-site.sh: without it nothing is installed",
            env!("CARGO_PKG_VERSION")
        ));
    }
    let (hosting, name) = host.hosting();
    if !is_new && host.installs() && named_host(&args.dir) != Some(hosting) {
        left.push(format!(
            "in site.toml, below `[deploy]`, say `host = \"{name}\"`, so that `check` knows the \
             host's limits"
        ));
    }
    left.extend(host.clicks().iter().map(|click| (*click).to_owned()));
    report::summary("what is left to do:");
    for (number, what) in left.iter().enumerate() {
        report::summary(&format!("  {}. {what}", number + 1));
    }
}

/// Returns the host that site.toml names.
fn named_host(site: &Path) -> Option<Hosting> {
    let text = disk::read(&site.join("site.toml")).ok()?;
    let config = config::load(&String::from_utf8_lossy(&text)).ok()?.value;
    Some(config.deploy.host)
}

/// Returns the folder of the repository, and the files for a host that go there.
fn of_host(host: DeployHost, args: &InitArgs) -> (PathBuf, Vec<(String, String)>) {
    let folder = disk::resolve(&args.dir);
    let root = folder.ancestors().find(|above| disk::is_there(&above.join(".git")));
    let root = root.unwrap_or(&folder).to_owned();
    let site = folder.strip_prefix(&root).unwrap_or(Path::new(""));
    let site = site.to_string_lossy().replace('\\', "/");
    let below = |name: &str| match site.is_empty() {
        true => name.to_owned(),
        false => format!("{site}/{name}"),
    };
    let site = if site.is_empty() { "." } else { site.as_str() };
    // A string of JSON is one of YAML and of TOML as well.
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
        DeployHost::Github => (".github/workflows/pages.yml", GITHUB),
        DeployHost::Netlify => ("netlify.toml", NETLIFY),
        DeployHost::Cloudflare => ("wrangler.jsonc", CLOUDFLARE),
        DeployHost::Gitlab | DeployHost::Caddy | DeployHost::Nginx => (".gitlab-ci.yml", GITLAB),
    };
    let script = ("build-site.sh".to_owned(), fill(SCRIPT));
    (root, vec![(name.to_owned(), fill(text)), script])
}

/// Returns a name that Cloudflare takes, from that of a folder.
fn project_name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let small = name.to_ascii_lowercase();
    let name = small.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let name: String = name.trim_matches('-').chars().take(50).collect();
    if name.is_empty() { "conversations".to_owned() } else { name }
}
