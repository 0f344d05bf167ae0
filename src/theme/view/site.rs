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
    /// What it is about; may be empty.
    pub description: String,
    /// Who publishes it; may be empty.
    pub author: String,
    /// BCP 47 tag of the interface.
    pub language: String,
    /// `rtl` or `ltr`: the direction of the interface.
    pub direction: &'static str,
    /// The address of the home page.
    pub home: String,
    /// Overviews: archive, speakers and so on.
    pub sections: Vec<LinkView>,
    /// The menu.
    pub menu: Vec<LinkView>,
    /// What the site's author says at the foot of every page.
    pub footer: FooterView,
    /// What the site's author says to programs.
    pub head: HeadView,
    /// What the home page says, where that stands in `site.toml`.
    pub home_text: Option<Html>,
    /// The page of the search, if the site has one.
    pub search: Option<SearchView>,
    /// The address of the Atom feed; absent while the site's own address is not known.
    pub feed: Option<String>,
    /// The address of the JSON Feed, likewise.
    pub json_feed: Option<String>,
    /// The title and the address of the podcast, where there are episodes.
    pub podcast: Option<LinkView>,
    /// Addresses of the theme's assets by name: `site.assets["style.css"]`.
    pub assets: BTreeMap<String, String>,
    /// The values of `[extra]` in `site.toml`, as they are written.
    pub extra: DataView,
    /// The address of the site's own stylesheet, which comes after all others.
    pub own_style: Option<String>,
    /// The address of the site's own script, which comes after all others.
    pub own_script: Option<String>,
    /// The picture that stands for the site elsewhere.
    pub image: Option<ImageView>,
    /// The address of the site's own logo.
    pub logo: Option<String>,
    /// Its width where it is 32 pixels high, if that is known.
    pub logo_width: Option<u32>,
    /// The Content-Security-Policy of a page with nothing on it that is not on every page; that of
    /// each is `page.policy`.
    pub policy: String,
}

/// The foot of every page.
#[derive(Serialize, Clone)]
pub struct FooterView {
    /// What it says.
    pub text: Option<Html>,
    /// Its links.
    pub links: Vec<LinkView>,
    /// Whether it names the program.
    pub made_with: bool,
}

/// What stands in the head of every page, for programs.
#[derive(Serialize, Clone)]
pub struct HeadView {
    /// The address of the site's own icon.
    pub favicon: Option<String>,
    /// Addresses of profiles of its author.
    pub me: Vec<String>,
    /// Names and contents of tags that verify whose site it is.
    pub verification: Vec<(String, String)>,
}

/// The page of the search.
#[derive(Serialize, Clone)]
pub struct SearchView {
    /// The address of the page.
    pub page: String,
    /// The address of the file that names the index's other files.
    pub index: String,
    /// The address of what serves without JavaScript.
    pub instead: String,
    /// What the script says, as JSON.
    pub words: String,
}
