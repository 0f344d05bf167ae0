//! Requests to an engine, which is away, too busy or changing its mind now and then.

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::address::{Address, Credentials};

/// How long an engine may take to be reached.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long it may take to answer. A bulk of documents takes a while on a small one.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);
/// The most bytes of an answer.
const MAX_ANSWER_BYTES: u64 = 64 << 20;
/// How often something is asked, at most, and how long is waited after the first time; it doubles.
const MAX_TRIES: u32 = 9;
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
            403 if reason.contains("blocked by") => Some(
                "the cluster takes no writes until its disks have room or its block is lifted",
            ),
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
        let reason =
            error["reason"].as_str().or_else(|| error.as_str()).unwrap_or_default();
        reason.chars().filter(|c| !c.is_control()).take(300).collect()
    }
}

/// A client of an engine.
pub struct Client {
    agent: ureq::Agent,
    pub(super) address: Address,
    credentials: Option<Credentials>,
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
                return Err(Trouble::new(
                    "there is no certificate in the file of certificates",
                ));
            }
            tls = tls.root_certs(known.into());
        }
        let config = ureq::Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            // Nobody else is told who asks.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_per_call(Some(ANSWER_TIMEOUT))
            .user_agent(concat!("convo-site/", env!("CARGO_PKG_VERSION")))
            .allow_non_standard_methods(true);
        let agent = config.build().new_agent();
        Ok(Self { agent, address, credentials, waiting: Box::new(waiting) })
    }

    /// Asks once.
    fn once(
        &self,
        method: &str,
        path: &str,
        body: Option<&[u8]>,
    ) -> Result<Answer, String> {
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
        let sent = match body {
            Some(body) => {
                let request = request.header("Content-Type", kind).body(body);
                self.agent.run(request.map_err(|error| error.to_string())?)
            }
            None => self.agent.run(request.body(()).map_err(|error| error.to_string())?),
        };
        let mut answer = sent.map_err(|error| error.to_string())?;
        let retry_after = answer.headers().get("Retry-After");
        let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
        let status = answer.status().as_u16();
        let bytes = answer.body_mut().with_config().limit(MAX_ANSWER_BYTES).read_to_vec();
        let body = bytes.map_err(|error| error.to_string())?;
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
        let mut tries = 0;
        loop {
            tries += 1;
            let answer = self.once(method, path, body);
            let is_busy = match &answer {
                Ok(answer) => matches!(answer.status, 429 | 502 | 503 | 504),
                Err(_) => true,
            };
            if !is_busy {
                return answer.map_err(Trouble::new);
            }
            let why = match &answer {
                Ok(answer) => format!("it says {} {}", answer.status, answer.reason()),
                Err(why) => why.clone(),
            };
            let why = why.trim_end();
            if tries == MAX_TRIES {
                let message = format!("the search engine cannot be asked: {why}");
                let hint =
                    Some("run the same command again: it goes on where it stopped");
                return Err(Trouble { message, hint });
            }
            let asked = answer.ok().and_then(|answer| answer.retry_after);
            self.pause(tries, asked, why);
        }
    }

    /// Waits, the longer the more often.
    pub(super) fn pause(&self, tries: u32, asked: Option<Duration>, why: &str) {
        let own = FIRST_PAUSE.saturating_mul(1 << tries.saturating_sub(1).min(10));
        let pause = asked.unwrap_or_default().max(own).min(MAX_PAUSE);
        if tries > 2 {
            (self.waiting)(why);
        }
        std::thread::sleep(pause);
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
