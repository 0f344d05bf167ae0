//! Requests to an engine, which is away, too busy or changing its mind now and then.

use std::fmt;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::address::{Address, Credentials};

/// The most bytes of an answer.
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// How long is waited before something is asked the second time; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause, whatever the engine asks for.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Why an engine could not be asked, or what it refused.
#[derive(Debug)]
pub struct Trouble {
    /// What happened, for people.
    pub message: String,
    /// What may help.
    pub hint: Option<&'static str>,
}

impl Trouble {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// An answer that nobody expects.
    pub(super) fn unexpected(what: &str, answer: &Answer) -> Self {
        let reason = answer.reason();
        let message = format!("{what}: the engine says {} {reason}", answer.status);
        let hint = match answer.status {
            403 if reason.contains("blocked by") => {
                Some("the cluster takes no writes until its disks have room or its block is lifted")
            }
            401 | 403 => Some(
                "CONVO_SITE_ENGINE_CREDENTIALS, or the file that CONVO_SITE_ENGINE_CREDENTIALS_FILE \
                 names, has `name:password` or such as `ApiKey …`",
            ),
            _ => None,
        };
        Self { message: message.trim_end().to_owned(), hint }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What to do when an engine could not be asked in time.
pub(super) const AGAIN: &str = "run the same command again: it goes on where it stopped; `--timeout` says how \
                                long it waits for an answer";

/// Why there is no answer.
enum Failed {
    /// Another try may get one.
    Again(String),
    /// Every other try would fail as well.
    Once(String),
}

impl From<ureq::Error> for Failed {
    fn from(error: ureq::Error) -> Self {
        match error {
            ureq::Error::BodyExceedsLimit(most) => {
                let most = crate::text::bytes(most);
                Self::Once(format!("an answer of the search engine is longer than {most}"))
            }
            error => Self::Again(error.to_string()),
        }
    }
}

/// Until when something is tried.
pub(super) struct Deadline<'a> {
    client: &'a Client,
    /// `None` for one that is never over.
    end: Option<Instant>,
    tries: u32,
}

impl Deadline<'_> {
    /// Returns how long is left; never nothing.
    fn left(&self) -> Duration {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        left.unwrap_or(Duration::MAX).max(Duration::from_millis(1))
    }

    /// Waits, the longer the more often. Returns whether there is time for another try; if not, it did not
    /// wait.
    pub(super) fn pause(&mut self, asked: Option<Duration>, why: &str) -> bool {
        self.tries += 1;
        let own = FIRST_PAUSE.saturating_mul(1 << (self.tries - 1).min(10));
        let pause = asked.unwrap_or_default().max(own).min(MAX_PAUSE);
        if pause >= self.left() {
            return false;
        }
        if self.tries > 2 {
            (self.client.waiting)(why);
        }
        std::thread::sleep(pause);
        true
    }
}

/// An answer of an engine.
pub(super) struct Answer {
    pub(super) status: u16,
    /// How long to wait before asking again, where the engine says so.
    retry_after: Option<Duration>,
    /// What it says; `Null` where that is no JSON.
    pub(super) body: Value,
}

impl Answer {
    pub(super) fn is_fine(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns why the engine refused.
    fn reason(&self) -> String {
        let error = &self.body["error"];
        let reason = error["reason"].as_str().or_else(|| error.as_str()).unwrap_or_default();
        reason.chars().filter(|c| !c.is_control()).take(300).collect()
    }
}

/// A client of an engine.
pub struct Client {
    agent: ureq::Agent,
    pub(super) address: Address,
    credentials: Option<Credentials>,
    /// How long is waited for one request: connections, answers, and pauses before it is asked again.
    patience: Duration,
    /// Told of each pause, for people who wait.
    waiting: Box<dyn Fn(&str)>,
}

impl Client {
    /// Creates one. `certificates` are those by which its server is known, as PEM, where that is none
    /// of the web's. The error says what is wrong with them.
    pub fn new(
        address: Address,
        credentials: Option<Credentials>,
        certificates: Option<&[u8]>,
        patience: Duration,
        waiting: impl Fn(&str) + 'static,
    ) -> Result<Self, Trouble> {
        let mut tls = ureq::tls::TlsConfig::builder();
        if let Some(pem) = certificates {
            let mut known = Vec::new();
            for item in ureq::tls::parse_pem(pem) {
                let wrong = |_| Trouble::new("the file of certificates is no PEM");
                if let ureq::tls::PemItem::Certificate(one) = item.map_err(wrong)? {
                    known.push(one);
                }
            }
            if known.is_empty() {
                return Err(Trouble::new("there is no certificate in the file of certificates"));
            }
            tls = tls.root_certs(known.into());
        }
        let config = ureq::Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            // Nobody else is told who asks.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("convo-site/", env!("CARGO_PKG_VERSION")))
            .allow_non_standard_methods(true);
        let agent = config.build().new_agent();
        Ok(Self { agent, address, credentials, patience, waiting: Box::new(waiting) })
    }

    /// Asks once, and waits for all of the answer no longer than `most`.
    fn once(
        &self,
        method: &str,
        path: &str,
        body: Option<&[u8]>,
        most: Duration,
    ) -> Result<Answer, Failed> {
        let kind = match path.contains("_bulk") {
            true => "application/x-ndjson",
            false => "application/json",
        };
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}/{path}", self.address.server))
            .header("Accept", "application/json");
        if let Some(credentials) = &self.credentials {
            request = request.header("Authorization", credentials.header());
        }
        let wrong = |error: ureq::http::Error| Failed::Once(error.to_string());
        let mut answer = match body {
            Some(body) => {
                let request = request.header("Content-Type", kind).body(body).map_err(wrong)?;
                let request = self.agent.configure_request(request);
                self.agent.run(request.timeout_global(Some(most)).build())?
            }
            None => {
                let request = self.agent.configure_request(request.body(()).map_err(wrong)?);
                self.agent.run(request.timeout_global(Some(most)).build())?
            }
        };
        let retry_after = answer.headers().get("Retry-After");
        let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
        let status = answer.status().as_u16();
        let body = answer.body_mut().with_config().limit(MAX_ANSWER_BYTES).read_to_vec()?;
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Ok(Answer { status, retry_after: retry_after.map(Duration::from_secs), body })
    }

    /// Asks until there is an answer. What is asked may be asked twice: each request that this
    /// program makes has the same effect once and several times.
    pub(super) fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&[u8]>,
    ) -> Result<Answer, Trouble> {
        let mut deadline = self.deadline();
        loop {
            let answer = self.once(method, path, body, deadline.left());
            let (why, asked) = match answer {
                Ok(answer) if !matches!(answer.status, 429 | 502 | 503 | 504) => {
                    return Ok(answer);
                }
                Err(Failed::Once(why)) => return Err(Trouble::new(why)),
                Err(Failed::Again(why)) => (why, None),
                Ok(answer) => {
                    let why = format!("it says {} {}", answer.status, answer.reason());
                    (why.trim_end().to_owned(), answer.retry_after)
                }
            };
            if !deadline.pause(asked, &why) {
                let message = format!("the search engine cannot be asked: {why}");
                return Err(Trouble { message, hint: Some(AGAIN) });
            }
        }
    }

    /// Returns the deadline of something that begins now.
    pub(super) fn deadline(&self) -> Deadline<'_> {
        let end = Instant::now().checked_add(self.patience);
        Deadline { client: self, end, tries: 0 }
    }

    /// Asks with JSON for what has to be there.
    pub(super) fn ask_json(
        &self,
        what: &str,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, Trouble> {
        let bytes = body.map(|body| body.to_string().into_bytes());
        let answer = self.ask(method, path, bytes.as_deref())?;
        match answer.is_fine() {
            true => Ok(answer.body),
            false => Err(Trouble::unexpected(what, &answer)),
        }
    }
}
