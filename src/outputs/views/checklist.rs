//! The to-do list of a session: the last state of each item, and where it was done.

use std::collections::HashMap;

use super::tools::plan_id;
use crate::locale::Locale;
use crate::model::{Action, Block, Conversation, PlanStep, StepState, Turn};
use crate::theme::view::{LinkView, StepView, TodoView};
use crate::time::Time;

/// The minimum number of items of a list.
const MIN_ITEMS: usize = 2;
/// The maximum number of items that are listed.
const MAX_ITEMS: usize = 200;

/// Returns the to-do list of a page.
pub(crate) fn view(conversation: &Conversation, locale: &Locale) -> Option<TodoView> {
    let mut list = Checklist::default();
    for turn in &conversation.turns {
        for (at, block) in turn.blocks.iter().enumerate() {
            let Block::Tool(call) = block else { continue };
            let Some(Action::Plan { steps }) = &call.action else { continue };
            if !call.has_failed() {
                list.update(steps, Place { turn, at });
            }
        }
    }
    let items: Vec<Item<'_>> = list.items.into_iter().filter(|item| !item.is_removed).collect();
    if items.len() < MIN_ITEMS {
        return None;
    }
    let done = items.iter().filter(|item| item.step.state == StepState::Done).count();
    let numbers =
        [("done", locale.number(done as u64)), ("all", locale.number(items.len() as u64))];
    let numbers = numbers.each_ref().map(|(name, number)| (*name, number.as_str()));
    Some(TodoView {
        label: locale.fill("session.todo", &numbers),
        steps: items.iter().take(MAX_ITEMS).map(|item| item.view(locale)).collect(),
    })
}

/// The items of a list, in the order in which they were first mentioned.
#[derive(Default)]
struct Checklist<'a> {
    items: Vec<Item<'a>>,
    /// The indexes of items, by their texts.
    by_text: HashMap<&'a str, usize>,
    /// The indexes of the items that were not done in the last list, or since.
    open: Vec<usize>,
}

/// A call: its turn, and the index of its block.
#[derive(Clone, Copy)]
struct Place<'a> {
    turn: &'a Turn,
    at: usize,
}

/// An item of a list.
struct Item<'a> {
    step: &'a PlanStep,
    /// The call that changed its state.
    place: Place<'a>,
    /// Whether a later list does not have it, although it was not done.
    is_removed: bool,
}

impl<'a> Checklist<'a> {
    /// Applies what a call wrote: one item, or the whole list.
    fn update(&mut self, steps: &'a [PlanStep], place: Place<'a>) {
        if steps.len() > 1 {
            for index in std::mem::take(&mut self.open) {
                if let Some(item) = self.items.get_mut(index) {
                    item.is_removed = item.step.state != StepState::Done;
                }
            }
        }
        for step in steps {
            let index = *self.by_text.entry(&step.text).or_insert(self.items.len());
            match self.items.get_mut(index) {
                Some(item) => {
                    if item.step.state != step.state {
                        (item.step, item.place) = (step, place);
                    }
                    item.is_removed = false;
                }
                None => self.items.push(Item { step, place, is_removed: false }),
            }
            if step.state != StepState::Done {
                self.open.push(index);
            }
        }
    }
}

impl Item<'_> {
    fn view(&self, locale: &Locale) -> StepView {
        let is_done = self.step.state == StepState::Done;
        let link = || {
            let clock = self.place.turn.time.as_ref().and_then(Time::clock);
            LinkView {
                title: clock.map_or_else(|| locale.text("session.done").to_owned(), |(at, _)| at),
                url: format!("#{}", plan_id(&self.place.turn.id, self.place.at)),
            }
        };
        StepView {
            text: self.step.text.clone(),
            is_done,
            is_active: self.step.state == StepState::Active,
            done: is_done.then(link),
        }
    }
}
