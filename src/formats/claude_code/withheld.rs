//! Subagents that private calls started: their conversations are private too.

use std::collections::{HashMap, HashSet};

use super::agents::{Agent, first_words};
use super::entry::{Entry, Log, What};
use super::files::About;
use super::talk::Starts;
use convo_base::hash::Hash;
use convo_base::json::Value;

/// What private records started.
#[derive(Default)]
pub(super) struct Withheld {
    /// The ids of calls and of subagents.
    ids: HashSet<String>,
    /// The prompts of subagents.
    prompts: HashSet<Hash>,
}

impl Withheld {
    /// Returns what the private records of a log started, and its calls of servers: what these start is as private
    /// as their output.
    pub(super) fn of(log: &Log) -> Self {
        let mut withheld = Self::default();
        log.withheld.iter().for_each(|entry| withheld.add(entry));
        let is_served = |part: &&Value| {
            let name = part.get("name").and_then(Value::as_str);
            name.is_some_and(|name| name.starts_with("mcp__"))
        };
        for entry in &log.entries {
            parts(entry).filter(is_served).for_each(|part| withheld.call(part));
        }
        withheld
    }

    /// Adds what a private record started.
    fn add(&mut self, entry: &Entry) {
        parts(entry).for_each(|part| self.call(part));
        if let What::User(user) = &entry.what {
            let id = |key: &str| Some(user.result.get(key)?.as_str()?.to_owned());
            self.ids.extend(["agentId", "agent_id", "runId"].into_iter().filter_map(id));
        }
    }

    /// Removes the subagents that private calls started, and those that these started. Returns the number of
    /// their messages.
    pub(super) fn remove(
        &mut self,
        agents: &mut Vec<Agent>,
        starts: &Starts,
        about: &HashMap<String, About>,
    ) -> u64 {
        let mut count = 0;
        loop {
            let before = agents.len();
            agents.retain(|agent| {
                let is_kept = !self.started(agent, starts, about);
                if !is_kept {
                    let messages = agent.entries.iter().filter(|entry| entry.has_message());
                    count += messages.count() as u64;
                    agent.entries.iter().for_each(|entry| self.add(entry));
                }
                is_kept
            });
            if agents.len() == before {
                return count;
            }
        }
    }

    fn started(&self, agent: &Agent, starts: &Starts, about: &HashMap<String, About>) -> bool {
        if self.ids.is_empty() && self.prompts.is_empty() {
            return false;
        }
        let known = about.get(&agent.id).and_then(|about| about.call.as_ref());
        let run = agent.run.as_ref();
        let by_run = run.and_then(|run| starts.runs.get(run));
        let ids = [Some(&agent.id), known, starts.agents.get(&agent.id), run, by_run];
        let words = || first_words(&agent.entries);
        ids.into_iter().flatten().any(|id| self.ids.contains(id))
            || words().is_some_and(|words| self.prompts.contains(&Hash::of(words.trim())))
    }

    /// Adds a call, if it is one.
    fn call(&mut self, part: &Value) {
        if part.get("type").is_none_or(|kind| kind != "tool_use") {
            return;
        }
        self.ids.extend(part.get("id").and_then(Value::as_str).map(str::to_owned));
        let prompt = part.get("input").and_then(|input| input.get("prompt")?.as_str());
        self.prompts.extend(prompt.map(|prompt| Hash::of(prompt.trim())));
    }
}

/// Returns the parts of an answer.
fn parts(entry: &Entry) -> impl Iterator<Item = &Value> {
    let content = match &entry.what {
        What::Assistant(answer) => answer.content.as_array(),
        _ => None,
    };
    content.into_iter().flatten()
}
