//! Searches of the web.

use convo_base::json::Value;
use convo_base::model::{Action, Citation};

/// A web search, or a visit to a page.
pub(super) struct Search {
    /// Identifies the search.
    pub(super) key: String,
    /// The name of the tool.
    pub(super) name: &'static str,
    /// The action of the call.
    pub(super) action: Action,
}

/// Reads a search. Its query is beside `action` or inside it.
pub(super) fn search(query: Option<&str>, action: Option<&Value>) -> Option<Search> {
    let text = |key: &str| {
        let value = action.and_then(|action| action.get(key)?.as_str());
        value.filter(|text| !text.is_empty())
    };
    let kind = text("type").unwrap_or("search").to_ascii_lowercase().replace('_', "");
    let page = |url: &str| Citation { title: None, url: Some(url.to_owned()) };
    let (name, query, results) = match kind.as_str() {
        "openpage" => {
            let url = text("url").or(query.filter(|query| !query.is_empty()))?;
            ("open_page", None, vec![page(url)])
        }
        "findinpage" => {
            let words = text("pattern").map(str::to_owned);
            ("find_in_page", words, text("url").map(page).into_iter().collect())
        }
        _ => {
            let many = action.and_then(|action| action.get("queries")?.as_array());
            let many = many.into_iter().flatten().filter_map(Value::as_str);
            let many = many.collect::<Vec<_>>().join("\n");
            let many = Some(many).filter(|many| !many.is_empty());
            let query = query.filter(|query| !query.is_empty()).or(text("query"));
            ("web_search", many.or(query.map(str::to_owned)), Vec::new())
        }
    };
    if query.is_none() && results.is_empty() {
        return None;
    }
    let key = format!("{name}\n{query:?}\n{results:?}");
    Some(Search { key, name, action: Action::Search { query, results } })
}
