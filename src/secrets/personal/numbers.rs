//! Card, account and social security numbers, with their check digits.

use super::super::checks;
use super::super::classes::Class;
use super::super::rule::Rule;
use super::super::tier::Tier;
use super::Seen;

pub(super) const ROWS: &[Rule] = &[
    Rule::swept("card-number", "card number", Tier::Likely, "ISO/IEC 7812-1", |random| {
        let body = format!("4{}", random.text("0-9", 14));
        let digit = (b'0'..=b'9').find(|last| {
            let mut digits = body.clone().into_bytes();
            digits.push(*last);
            checks::luhn(&digits)
        });
        let secret = format!("{body}{}", char::from(digit.unwrap_or(b'0')));
        (format!("paid with {secret} today"), secret)
    })
    .personal(),
    Rule::swept("iban", "bank account", Tier::Certain, "ISO 13616", |random| {
        let account = random.text("0-9", 18);
        let check = 98 - remainder(format!("{account}DE00").as_bytes());
        let secret = format!("DE{check:02}{account}");
        (format!("to {secret} by Friday"), secret)
    })
    .personal(),
    Rule::swept(
        "us-social-security-number",
        "US social security number",
        Tier::Possible,
        "US Social Security Administration: SSN randomization",
        |random| {
            let parts = (random.text("1-5", 3), random.text("1-9", 2), random.text("1-9", 4));
            let secret = format!("{}-{}-{}", parts.0, parts.1, parts.2);
            (format!("the number {secret} is his"), secret)
        },
    )
    .personal(),
];

/// Returns whether digits have the prefix and length of a card number: Visa, Mastercard, American Express,
/// Discover, Diners Club, JCB, UnionPay, Maestro.
fn is_issued(digits: &[u8]) -> bool {
    let begin = |count: usize| {
        digits.iter().take(count).fold(0_u32, |sum, digit| sum * 10 + u32::from(digit - b'0'))
    };
    let (two, three, four) = (begin(2), begin(3), begin(4));
    match digits.len() {
        13 | 19 => begin(1) == 4 || digits.len() == 19 && two == 62,
        14 => matches!(two, 36 | 38) || (300..=305).contains(&three),
        15 => matches!(two, 34 | 37),
        16 => {
            begin(1) == 4
                || (51..=55).contains(&two)
                || (2221..=2720).contains(&four)
                || four == 6011
                || two == 65
                || (644..=649).contains(&three)
                || (3528..=3589).contains(&four)
                || two == 62
        }
        _ => false,
    }
}

/// Test numbers published by issuers and payment services.
const TESTS: [&str; 9] = [
    "4242424242424242", "4111111111111111", "5555555555554444", "378282246310005",
    "6011111111111117", "4000056655665556", "5105105105105100", "4012888888881881",
    "371449635398431",
];

/// Finds the card number that starts at a digit.
pub(super) fn card(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let most = Class::DIGITS.and(b" -").run(bytes, at, 24);
    let span = bytes.get(at..at + most)?;
    let mut digits = Vec::with_capacity(19);
    let mut end = at;
    let mut groups = vec![0_usize];
    for (place, byte) in span.iter().enumerate() {
        if byte.is_ascii_digit() {
            digits.push(*byte);
            end = at + place + 1;
            *groups.last_mut()? += 1;
        } else if groups.last() == Some(&0) {
            break;
        } else {
            groups.push(0);
        }
    }
    groups.retain(|group| *group > 0);
    let grouped =
        matches!(groups.as_slice(), [_] | [4, 4, 4, 4] | [4, 4, 4, 4, 3] | [4, 6, 5] | [4, 6, 4]);
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    let part = before.is_some_and(|byte| matches!(byte, b'.' | b'-' | b'/' | b'='));
    let after = bytes.get(end).is_some_and(|byte| {
        byte.is_ascii_alphanumeric()
            || *byte == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit)
    });
    let number = String::from_utf8_lossy(&digits);
    let same = digits.windows(2).all(|two| two.first() == two.last());
    if !grouped || part || after || same || TESTS.contains(&number.as_ref()) {
        return None;
    }
    (is_issued(&digits) && checks::luhn(&digits)).then_some(("card-number", at..end, Tier::Likely))
}

/// The countries of the IBAN registry and the lengths of their numbers.
const LENGTHS: [(&[u8; 2], usize); 76] = [
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BI", 27),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DJ", 27),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FK", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MN", 20),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NI", 28),
    (b"NL", 18),
    (b"NO", 15),
    (b"OM", 23),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"SA", 24),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"TR", 26),
    (b"UA", 29),
];

/// Finds the account number that starts with two capital letters.
pub(super) fn iban(text: &str, at: usize) -> Seen {
    let bytes = text.as_bytes();
    let country: &[u8] = bytes.get(at..at + 2)?;
    let (_, length) = LENGTHS.iter().find(|(known, _)| known.as_slice() == country)?;
    if !bytes.get(at + 2..at + 4)?.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut number = Vec::with_capacity(34);
    let mut end = at;
    for (place, byte) in bytes.get(at..)?.iter().take(48).enumerate() {
        match byte {
            b'A'..=b'Z' | b'0'..=b'9' if number.len() < *length => {
                number.push(*byte);
                end = at + place + 1;
            }
            b' ' | b'-' if number.len() < *length => {}
            _ => break,
        }
    }
    if number.len() != *length || bytes.get(end).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let (head, tail) = number.split_at_checked(4)?;
    let turned = [tail, head].concat();
    (remainder(&turned) == 1).then_some(("iban", at..end, Tier::Certain))
}

/// Returns digits and letters modulo 97; letters count from ten.
fn remainder(characters: &[u8]) -> u32 {
    characters.iter().fold(0, |sum, byte| {
        let value = char::from(*byte).to_digit(36).unwrap_or_default();
        (if value > 9 { sum * 100 } else { sum * 10 } + value) % 97
    })
}

/// Finds the social security number that starts at a digit.
pub(super) fn social(text: &str, at: usize) -> Seen {
    let span = text.get(at..at + 11)?;
    let (area, rest) = span.split_once('-')?;
    let (group, serial) = rest.split_once('-')?;
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let shaped = [area, group, serial].map(str::len) == [3, 2, 4];
    if !shaped || !digits(area) || !digits(group) || !digits(serial) {
        return None;
    }
    let never = ["000", "666"].contains(&area) || area.starts_with('9');
    let ends = text.as_bytes().get(at + 11);
    let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
    let longer = ends.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        || before == Some(&b'-');
    if never || group == "00" || serial == "0000" || longer || span == "123-45-6789" {
        return None;
    }
    Some(("us-social-security-number", at..at + 11, Tier::Possible))
}
