//! A script that starts external services, for sites whose policy allows no inline scripts.

use crate::config::Config;
use crate::json::for_script;

/// The asset name of the script.
pub(super) const SCRIPT: &str = "services.js";

/// Returns the script, for sites that use such a service.
pub(super) fn script(config: &Config) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(matomo) = &config.services.matomo
        && let Some(host) = &matomo.host
    {
        let url = for_script(&host.url("matomo.php"));
        let site = for_script(&matomo.site);
        parts.push(format!(
            "(window._paq ??= []).push([\"setTrackerUrl\", {url}], [\"setSiteId\", {site}], \
             [\"trackPageView\"], [\"enableLinkTracking\"]);\n"
        ));
    }
    if config.services.plausible.as_ref().is_some_and(|one| one.site.starts_with("pa-")) {
        parts.push(
            "{\nconst calls = (...call) => { (calls.q ??= []).push(call); };\n\
             calls.init = options => { calls.o = options ?? {}; };\n\
             window.plausible ??= calls;\nwindow.plausible.init();\n}\n"
                .to_owned(),
        );
    }
    let all = parts.concat();
    if all.is_empty() {
        return None;
    }
    // Visits of the preview are not counted.
    let host = config.base_url.origin.split_once("://").map_or("", |(_, host)| host);
    let host = host.split(':').next().unwrap_or_default();
    Some(match host {
        "" => format!("\"use strict\";\n{all}"),
        host => {
            let host = for_script(host);
            format!("\"use strict\";\nif (location.hostname === {host}) {{\n{all}}}\n")
        }
    })
}
