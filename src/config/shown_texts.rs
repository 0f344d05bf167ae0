//! The texts of `site.toml` that pages show.

use super::{Config, MenuTarget, Podcast};

impl Config {
    /// Calls `change` for each text that pages show, with the key or table that it belongs to.
    pub fn for_each_shown_text(&mut self, change: &mut dyn FnMut(&'static str, &mut String)) {
        change("title", &mut self.title);
        change("description", &mut self.description);
        change("author", &mut self.author);
        self.extra.for_each_text(&mut |text| change("extra", text));
        let Podcast { title, description, author, category, image: _, explicit: _ } =
            &mut self.podcast;
        for text in [title, description, author, category] {
            change("podcast", text);
        }
        change("footer", &mut self.footer.text);
        change("home", &mut self.home.text);
        let links = self.footer.links.iter_mut().map(|link| ("footer", link));
        for (key, link) in links.chain(self.menu.iter_mut().map(|link| ("menu", link))) {
            link.title.iter_mut().for_each(|title| change(key, title));
            if let MenuTarget::Url(url) = &mut link.target {
                change(key, &mut url.text);
            }
        }
        self.head.me.iter_mut().for_each(|url| change("head", &mut url.0));
        self.head.verification.values_mut().for_each(|value| change("head", value));
        for person in &mut self.people.listed {
            change("people", &mut person.bio);
            change("people", &mut person.url);
            for (title, url) in &mut person.links {
                change("people", title);
                change("people", url);
            }
        }
    }
}
