//! The outline of a conversation: its prompts, on every part of a long one.

use crate::config::Config;
use crate::markup;
use crate::model::{Conversation, Kind, Turn};
use crate::path::part_folder;
use crate::site::ConversationPage;
use crate::sources::{OUTLINE_CHARS, PartOutline};
use crate::text::readable_excerpt;
use crate::theme::view::{OutlinePartView, QuestionView};

/// The minimum number of prompts in the outline of a conversation on one page.
const MIN_QUESTIONS: usize = 3;
/// About how many prompts of other parts are listed.
const MAX_ELSEWHERE: usize = 40;
/// How many parts before and after the current one are listed, besides the first and the last.
const MAX_BESIDE: usize = 20;

/// Returns the outline, if people talk to an assistant. `has_prompts` says so for this page.
pub(crate) fn of_page(
    planned: &ConversationPage,
    conversation: &Conversation,
    has_prompts: bool,
    config: &Config,
) -> Vec<OutlinePartView> {
    if planned.part_count == 1 {
        let questions = if has_prompts { questions(conversation, config) } else { Vec::new() };
        if questions.len() < MIN_QUESTIONS {
            return Vec::new();
        }
        return vec![OutlinePartView { questions, ..OutlinePartView::default() }];
    }
    let parts: &[PartOutline] = &planned.outline;
    if parts.iter().all(|part| part.prompts.is_empty()) {
        return Vec::new();
    }
    let here = planned.text_ref.part_number;
    let last = parts.len().saturating_sub(1);
    let is_listed =
        |number: usize| number == 0 || number == last || number.abs_diff(here) <= MAX_BESIDE;
    let listed: Vec<(usize, &PartOutline)> =
        parts.iter().enumerate().filter(|(number, _)| is_listed(*number)).collect();
    let share = (MAX_ELSEWHERE / listed.len().saturating_sub(1).max(1)).max(1);
    let part = |(number, part): (usize, &PartOutline)| {
        let url = config.base_url.link(&part_folder(&planned.card.path, number));
        let is_here = number == here;
        let questions = match is_here {
            true => questions(conversation, config),
            false => part
                .prompts
                .iter()
                .take(share)
                .map(|prompt| QuestionView {
                    url: format!("{url}#{}", prompt.turn),
                    text: prompt.text.clone(),
                })
                .collect(),
        };
        let more = part.count.saturating_sub(questions.len()) as u64;
        let more = Some(more).filter(|more| *more > 0 && !is_here);
        OutlinePartView {
            label: config.locale.fill("conversation.numbered", &[("n", &(number + 1).to_string())]),
            url,
            is_here,
            more: more.map(|more| config.locale.count("count.more", more)),
            questions,
        }
    };
    listed.into_iter().map(part).collect()
}

/// Returns the prompts on a page.
fn questions(conversation: &Conversation, config: &Config) -> Vec<QuestionView> {
    let is_person = |turn: &&Turn| conversation.kind_of(turn) == Some(Kind::Person);
    let asked = conversation.turns.iter().filter(is_person);
    let asked = asked.map(|turn| QuestionView {
        url: format!("#{}", turn.id),
        text: readable_excerpt(&markup::scan(&turn.prose(), config.math).text, OUTLINE_CHARS),
    });
    asked.filter(|question| !question.text.is_empty()).collect()
}
