//! A reader: a browser, and its actions on a page.

use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::host::{Sent, Server};

/// A browser, and the server of the site that it shows.
pub(crate) struct Visitor {
    pub(crate) browser: Browser,
    pub(crate) server: Server,
}

impl Visitor {
    pub(crate) fn new(root: &Path) -> Self {
        let server = Server::start(root);
        let browser = Browser::start_live(&format!("http://127.0.0.1:{}", server.port));
        Self { browser, server }
    }

    /// Continues with an empty browser profile.
    pub(crate) fn renew(&mut self) {
        self.browser = Browser::start_live(&format!("http://127.0.0.1:{}", self.server.port));
        self.browser.appear(1280, false);
        self.server.traffic.restart();
    }

    /// Opens the search page with a query, and waits for the results.
    pub(crate) fn open_search(&mut self, query: &str) {
        // Letters, digits and spaces need no other encoding.
        self.browser.open(&format!("/search/?q={}", query.replace(' ', "+")));
        self.browser.wait_for("document.querySelector('[role=status]').textContent !== ''");
    }

    /// Types a query into the open page, and returns the milliseconds until it shows the results.
    pub(crate) fn type_query(&mut self, query: &str) -> f64 {
        let time = self.browser.evaluate(&format!("({TYPE})({})", json!(query)));
        time.as_f64().expect("a time")
    }

    /// The results of the index, without the page.
    pub(crate) fn find(&mut self, query: &str) -> Value {
        self.browser.evaluate(&format!("({FIND})({})", json!(query)))
    }

    pub(crate) fn ask_pagefind(&mut self, query: &str) {
        self.browser.evaluate(&format!("({PAGEFIND})({})", json!(query)));
    }

    /// The responses since the last call, once all have arrived.
    pub(crate) fn sent(&mut self) -> Sent {
        while !self.server.traffic.is_quiet() {
            thread::sleep(Duration::from_millis(10));
        }
        self.server.traffic.restart()
    }
}

/// The page shows the number of results once they are visible.
pub(crate) const TYPE: &str = "query => new Promise(done => {
    const status = document.querySelector('[role=status]');
    const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => done(performance.now() - started));
    });
    observer.observe(status, { childList: true });
    const input = document.getElementById('q');
    input.value = query;
    const started = performance.now();
    input.dispatchEvent(new Event('input', { bubbles: true }));
})";

pub(crate) const FIND: &str = "async query => {
    const index = await (window.benchmarked ??= convoSearch.open('/search/index.json'));
    const { turns, conversations, corrections, words } = await index.find(query);
    const best = conversations.slice(0, 10).map(conversation => index.about(conversation));
    return {
        turns,
        conversations: conversations.length,
        titles: (await Promise.all(best)).map(({ title }) => title),
        corrections,
        words: words.map(phrase => phrase.words.map(word => word.terms)),
    };
}";

/// Its own page shows five results.
pub(crate) const PAGEFIND: &str = "async query => {
    const pagefind = await import('/pagefind/pagefind.js');
    const { results } = await pagefind.search(query);
    await Promise.all(results.slice(0, 5).map(result => result.data()));
}";

/// The terms of each item of a query; `None` if one is a phrase.
pub(crate) fn single_words(items: &Value) -> Option<Vec<Vec<String>>> {
    let items: Vec<Vec<Vec<String>>> = serde_json::from_value(items.clone()).expect("terms");
    items.into_iter().map(|mut words| words.pop().filter(|_| words.is_empty())).collect()
}
