//! The view of the site, which all pages share.

use std::collections::BTreeMap;

use serde::Serialize;

use super::data::DataView;
use super::page::{ImageView, LinkView};
use crate::markup::Html;

/// The view that all pages share.
#[derive(Serialize, Clone)]
pub struct SiteView {
    /// The name of the site.
    pub title: String,
    /// The description; may be empty.
    pub description: String,
    /// The author; may be empty.
    pub author: String,
    /// BCP 47 tag of the interface.
    pub language: String,
    /// `rtl` or `ltr`: the direction of the interface.
    pub direction: &'static str,
    /// The URL of the home page.
    pub home: String,
    /// Overviews: archive, speakers and so on.
    pub sections: Vec<LinkView>,
    /// The menu.
    pub menu: Vec<LinkView>,
    /// The site's own footer.
    pub footer: FooterView,
    /// The site's own tags for the `<head>`.
    pub head: HeadView,
    /// The text of the home page, if it is in `site.toml`.
    pub home_text: Option<Html>,
    /// The search, if the site has one.
    pub search: Option<SearchView>,
    /// The URL of the Atom feed; absent while `base_url` is not set.
    pub feed: Option<String>,
    /// The URL of the JSON Feed, likewise.
    pub json_feed: Option<String>,
    /// The title and the URL of the podcast, if there are episodes.
    pub podcast: Option<LinkView>,
    /// URLs of the theme's assets by name: `site.assets["style.css"]`.
    pub assets: BTreeMap<String, String>,
    /// The values of `[extra]` in `site.toml`, unchanged.
    pub extra: DataView,
    /// The URL of the site's own style sheet, which is loaded last.
    pub own_style: Option<String>,
    /// The URL of the site's own script, which is loaded last.
    pub own_script: Option<String>,
    /// The preview image of the site.
    pub image: Option<ImageView>,
    /// The URL of the site's logo.
    pub logo: Option<String>,
    /// The width of the logo at a height of 32 pixels, if it is known.
    pub logo_width: Option<u32>,
    /// The Content-Security-Policy of a page that loads nothing special; the policy of each page is
    /// `page.policy`.
    pub policy: String,
}

/// The footer of every page.
#[derive(Serialize, Clone)]
pub struct FooterView {
    /// Its text.
    pub text: Option<Html>,
    /// Its links.
    pub links: Vec<LinkView>,
    /// Whether it mentions convo-site.
    pub made_with: bool,
}

/// The site's own tags in the `<head>` of every page.
#[derive(Serialize, Clone)]
pub struct HeadView {
    /// The URL of the site's icon.
    pub favicon: Option<String>,
    /// URLs of profiles of the author, for `rel="me"`.
    pub me: Vec<String>,
    /// Names and contents of tags that verify the owner of the site.
    pub verification: Vec<(String, String)>,
}

/// The search.
#[derive(Serialize, Clone)]
pub struct SearchView {
    /// The URL of the search page.
    pub page: String,
    /// The URL of the file that lists the other files of the index.
    pub index: String,
    /// The URL of a page to use without JavaScript.
    pub instead: String,
    /// The texts of the script, as JSON.
    pub words: String,
}
