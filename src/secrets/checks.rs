//! Issuers' checksums, and other properties of valid credentials.

use super::tier::Tier;

/// A condition that a value of a shape must also meet.
pub(super) struct Check {
    /// Returns whether a value meets the condition.
    pub(super) holds: fn(&str) -> bool,
    /// Changes a value so that it meets the condition, for examples.
    pub(super) complete: fn(&str) -> String,
    /// The tier of a value that does not meet the condition; `None` if it is not a match.
    pub(super) otherwise: Option<Tier>,
    /// Whether the condition is a checksum, which invented values do not meet by chance.
    pub(super) is_sum: bool,
}

/// The last six characters are the CRC-32 of the thirty before them in base 62 (GitHub's blog, "Behind
/// GitHub's new authentication token formats"; npm does the same).
pub(super) static CRC_BASE62: Check = Check {
    holds: |token| token == crc_base62(token),
    complete: crc_base62,
    otherwise: Some(Tier::Likely),
    is_sum: true,
};

fn crc_base62(token: &str) -> String {
    let cut = token.len().saturating_sub(6);
    let (head, _) = token.split_at_checked(cut).unwrap_or((token, ""));
    let body = head.split_once('_').map_or(head, |(_, body)| body);
    let digits = base(62, crc32fast::hash(body.as_bytes()), 6);
    format!("{head}{digits}")
}

/// The part after the last `_` is the CRC-32 of everything before it, in hexadecimal digits (Grafana).
pub(super) static CRC_HEX: Check = Check {
    holds: |token| token == crc_hex(token),
    complete: crc_hex,
    otherwise: Some(Tier::Likely),
    is_sum: true,
};

fn crc_hex(token: &str) -> String {
    let head = token.rsplit_once('_').map_or(token, |(head, _)| head);
    format!("{head}_{:08x}", crc32fast::hash(head.as_bytes()).swap_bytes())
}

/// The last seven characters are the CRC-32 of everything before them in base 36 (GitLab's design of
/// routable tokens).
pub(super) static CRC_BASE36: Check = Check {
    holds: |token| token == crc_base36(token),
    complete: crc_base36,
    otherwise: Some(Tier::Likely),
    is_sum: true,
};

fn crc_base36(token: &str) -> String {
    let cut = token.len().saturating_sub(7);
    let (head, _) = token.split_at_checked(cut).unwrap_or((token, ""));
    format!("{head}{}", base(36, crc32fast::hash(head.as_bytes()), 7).to_ascii_lowercase())
}

/// OpenAI keys contain the name of the company in Base64 in the middle.
pub(super) static OPENAI: Check = Check {
    holds: |token| token.contains(OPENAI_MARK),
    complete: |token| {
        let middle = token.len() / 2;
        let (head, tail) = token.split_at_checked(middle).unwrap_or((token, ""));
        let tail = tail.get(OPENAI_MARK.len()..).unwrap_or_default();
        format!("{head}{OPENAI_MARK}{tail}")
    },
    otherwise: Some(Tier::Likely),
    is_sum: false,
};

const OPENAI_MARK: &str = "T3BlbkFJ";

/// At least one digit and one capital letter, for common shapes.
pub(super) static VARIED: Check = Check {
    holds: |token| {
        let body = token.get(token.len().min(4)..).unwrap_or_default();
        body.bytes().any(|byte| byte.is_ascii_digit())
            && body.bytes().any(|byte| byte.is_ascii_alphabetic())
    },
    complete: |token| {
        let head = token.get(..token.len().saturating_sub(2)).unwrap_or_default();
        format!("{head}7K")
    },
    otherwise: None,
    is_sum: false,
};

/// Formats a number in a radix, padded to `width`. After the digits come upper-case and then lower-case
/// letters.
fn base(radix: u32, mut number: u32, width: usize) -> String {
    let mut digits = Vec::new();
    while number > 0 || digits.len() < width {
        let digit = u8::try_from(number % radix).unwrap_or_default();
        digits.push(match digit {
            0..=9 => b'0' + digit,
            10..=35 => b'A' + digit - 10,
            _ => b'a' + digit - 36,
        });
        number /= radix;
    }
    digits.iter().rev().map(|digit| char::from(*digit)).collect()
}

/// Returns whether the last digit of a number is its Luhn check digit.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let value = u32::from(digit.wrapping_sub(b'0')) * (1 + u32::from(place % 2 == 1));
            if value > 9 { value - 9 } else { value }
        })
        .sum();
    sum.is_multiple_of(10)
}
