//! `robots.txt`: which crawlers may read the site, and the URL of the sitemap.

use std::fmt::Write;
use std::sync::Arc;

use crate::outputs::env::Env;
use crate::outputs::output::Output;
use crate::outputs::sitemap;
use crate::site::Site;

/// Crawlers for AI search.
const AI_SEARCH: [&str; 5] =
    ["OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Amzn-SearchBot", "AzureAI-SearchBot"];

/// Crawlers that collect training data for models, and the names that such crawlers obey.
const AI_TRAINING: [&str; 9] = [
    "GPTBot", "ClaudeBot", "CCBot", "Google-Extended", "Applebot-Extended", "meta-externalagent",
    "Bytespider", "Amazonbot", "cohere-training-data-crawler",
];

pub(crate) fn declare(name: &'static str, _: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    vec![Output::new(name, "robots.txt", env, (), |env, ()| {
        let config = &env.config;
        // Pages that search engines may not list say so themselves. Crawlers must be able to read them to
        // see that.
        let mut text = "User-agent: *\nAllow: /\n".to_owned();
        let choices = [(config.ai_search, &AI_SEARCH[..]), (config.ai_training, &AI_TRAINING)];
        for (_, names) in choices.into_iter().filter(|(may, _)| !may) {
            text.push('\n');
            for name in names {
                let _ = writeln!(text, "User-agent: {name}");
            }
            text.push_str("Disallow: /\n");
        }
        let sitemap = config.base_url.absolute(sitemap::PATH);
        if let Some(url) = sitemap.filter(|_| config.search_engines) {
            let _ = write!(text, "\nSitemap: {url}\n");
        }
        Ok(text.into_bytes())
    })]
}
