//! The title and the URL of a new site: from the options, or asked for on a terminal.

use crate::cli::Failure;
use crate::cli::args::{DeployHost, InitArgs};
use crate::cli::report;
use crate::cli::terminal::{ask, is_interactive};
use crate::config::BaseUrl;
use crate::text::toml_string;

const TEMPLATE: &str = include_str!("site.toml");
/// Values of the template.
const TITLE: &str = "My conversations";
pub(super) const URL: &str = "https://example.org/";

/// What is known of a new site.
#[derive(Default)]
pub(super) struct Answers {
    title: Option<String>,
    base_url: Option<BaseUrl>,
}

impl Answers {
    /// Takes the options. Without any, asks if somebody is there to answer.
    pub(super) fn of(args: &InitArgs) -> Result<Self, Failure> {
        let answers = Self { title: args.title.clone(), base_url: args.address.base_url.clone() };
        let is_given = answers.title.is_some() || answers.base_url.is_some();
        match is_given || !is_interactive() {
            true => Ok(answers),
            false => Self::ask(),
        }
    }

    fn ask() -> Result<Self, Failure> {
        let title = ask(&format!("Title of the site [{TITLE}]: "))?;
        let mut answers = Self { title, base_url: None };
        while let Some(url) = ask("URL at which you will publish it, if you know it: ")? {
            match BaseUrl::try_from(url) {
                Ok(url) => {
                    answers.base_url = Some(url);
                    break;
                }
                Err(reason) => report::summary(reason),
            }
        }
        Ok(answers)
    }

    /// Returns the text of site.toml.
    pub(super) fn site_toml(&self, host: Option<DeployHost>) -> String {
        let set = |text: String, key: &str, before: &str, value: &str| {
            let value = toml_string(value);
            text.replacen(&format!("{key} = \"{before}\""), &format!("{key} = {value}"), 1)
        };
        let mut text = TEMPLATE.to_owned();
        if let Some(title) = &self.title {
            text = set(text, "title", TITLE, title);
        }
        if let Some(url) = self.base_url.as_ref().and_then(|url| url.absolute("")) {
            text = set(text, "base_url", URL, &url);
        }
        let Some((_, name)) = host.map(DeployHost::hosting) else { return text };
        let example = "#[deploy]\n#host = \"github-pages\"";
        text.replacen(example, &format!("[deploy]\nhost = \"{name}\""), 1)
    }
}
