//! Sends requests to an engine, and retries them while it is unreachable or busy.

use std::fmt;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::address::{Address, Credentials};

/// The maximum size of a response, in bytes.
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// The pause before the first retry; it doubles for each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The maximum pause, even if the engine requests a longer one.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// A failed request.
#[derive(Debug)]
pub struct EngineError {
    /// The error message.
    pub message: String,
    /// A hint.
    pub hint: Option<&'static str>,
}

impl EngineError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// Returns the error for an unexpected response.
    pub(super) fn unexpected(what: &str, answer: &Answer) -> Self {
        let reason = answer.reason();
        let message = format!("{what}: the engine responded with {} {reason}", answer.status);
        let hint = match answer.status {
            403 if reason.contains("blocked by") => {
                Some("free disk space on the cluster, or remove its write block")
            }
            401 | 403 => Some(
                "set CONVO_SITE_ENGINE_CREDENTIALS to `name:password` or a header such as `ApiKey …`, or \
                 CONVO_SITE_ENGINE_CREDENTIALS_FILE to a file that contains it",
            ),
            _ => None,
        };
        Self { message: message.trim_end().to_owned(), hint }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The hint for timeouts.
pub(super) const RETRY_HINT: &str =
    "run the same command again to continue; `--timeout` sets how long to wait for a response";

/// Why a request failed.
enum Failed {
    /// A retry may succeed.
    Again(String),
    /// A retry would fail, too.
    Once(String),
}

impl From<ureq::Error> for Failed {
    fn from(error: ureq::Error) -> Self {
        match error {
            ureq::Error::BodyExceedsLimit(most) => {
                let most = crate::text::bytes(most);
                Self::Once(format!("a response from the search engine is larger than {most}"))
            }
            error => Self::Again(error.to_string()),
        }
    }
}

/// The time until which a request is retried.
pub(super) struct Deadline<'a> {
    client: &'a Client,
    /// `None` for no limit.
    end: Option<Instant>,
    tries: u32,
}

impl Deadline<'_> {
    /// Returns the remaining time, which is never zero.
    fn left(&self) -> Duration {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()));
        left.unwrap_or(Duration::MAX).max(Duration::from_millis(1))
    }

    /// Waits before a retry, longer each time. Returns `false`, without waiting, if there is no time left for one.
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

/// A response of an engine.
pub(super) struct Answer {
    pub(super) status: u16,
    /// The pause before a retry that the engine requests.
    retry_after: Option<Duration>,
    /// The body; `Null` if it is not JSON.
    pub(super) body: Value,
}

impl Answer {
    pub(super) fn is_fine(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the reason in an error response.
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
    /// The maximum time for one request, retries and pauses included.
    patience: Duration,
    /// Called with the reason of each longer pause.
    waiting: Box<dyn Fn(&str)>,
}

impl Client {
    /// Creates a client. `certificates` are additional certificates of your own authority, as PEM. Fails if they are
    /// invalid.
    pub fn new(
        address: Address,
        credentials: Option<Credentials>,
        certificates: Option<&[u8]>,
        patience: Duration,
        waiting: impl Fn(&str) + 'static,
    ) -> Result<Self, EngineError> {
        let mut tls = ureq::tls::TlsConfig::builder();
        if let Some(pem) = certificates {
            let mut known = Vec::new();
            for item in ureq::tls::parse_pem(pem) {
                let wrong = |_| EngineError::new("the certificate file is not a PEM file");
                if let ureq::tls::PemItem::Certificate(one) = item.map_err(wrong)? {
                    known.push(one);
                }
            }
            if known.is_empty() {
                return Err(EngineError::new("the certificate file contains no certificates"));
            }
            tls = tls.root_certs(known.into());
        }
        let config = ureq::Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            // Never send credentials to another host.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("convo-site/", env!("CARGO_PKG_VERSION")))
            .allow_non_standard_methods(true);
        let agent = config.build().new_agent();
        Ok(Self { agent, address, credentials, patience, waiting: Box::new(waiting) })
    }

    /// Sends a request once, with the timeout `most` for the whole response.
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

    /// Sends a request until there is a response. All requests are idempotent, so that retries do no harm.
    pub(super) fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&[u8]>,
    ) -> Result<Answer, EngineError> {
        let mut deadline = self.deadline();
        loop {
            let answer = self.once(method, path, body, deadline.left());
            let (why, asked) = match answer {
                Ok(answer) if !matches!(answer.status, 429 | 502 | 503 | 504) => {
                    return Ok(answer);
                }
                Err(Failed::Once(why)) => return Err(EngineError::new(why)),
                Err(Failed::Again(why)) => (why, None),
                Ok(answer) => {
                    let why = format!("it responded with {} {}", answer.status, answer.reason());
                    (why.trim_end().to_owned(), answer.retry_after)
                }
            };
            if !deadline.pause(asked, &why) {
                let message = format!("cannot reach the search engine: {why}");
                return Err(EngineError { message, hint: Some(RETRY_HINT) });
            }
        }
    }

    /// Returns the deadline of a request that starts now.
    pub(super) fn deadline(&self) -> Deadline<'_> {
        let end = Instant::now().checked_add(self.patience);
        Deadline { client: self, end, tries: 0 }
    }

    /// Sends a JSON request that must succeed, and returns the body of the response.
    pub(super) fn ask_json(
        &self,
        what: &str,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, EngineError> {
        let bytes = body.map(|body| body.to_string().into_bytes());
        let answer = self.ask(method, path, bytes.as_deref())?;
        match answer.is_fine() {
            true => Ok(answer.body),
            false => Err(EngineError::unexpected(what, &answer)),
        }
    }
}
