// Light stemming, as in `query/stem.rs`: removes inflectional endings.

import { ENDINGS } from "./tables.js";

/**
 * Stems a folded word. Words with characters other than a to z are unchanged.
 *
 * @param {string} word
 * @param {string} language
 */
export function stem(word, language) {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  if (language === "en") return stemEnglish(word);
  const endings = ENDINGS[language]?.split(" ") ?? [];
  for (let round = 0; round < 2; round++) {
    const ending = endings.find(ending => word.length >= ending.length + 4 && word.endsWith(ending));
    if (ending === undefined) break;
    word = word.slice(0, -ending.length);
  }
  return word;
}

/** @param {string} word */
function stemEnglish(word) {
  /** @param {number} count */
  const without = count => word.slice(0, word.length - count);
  if (word.endsWith("ies") && word.length > 4 || word.endsWith("sses")) word = without(2);
  else if (word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) word = without(1);
  if (word.endsWith("ied") && word.length > 4) word = without(2);
  else if (!word.endsWith("eed")) {
    const rest = /^(.*?)(?:ed|ing)$/.exec(word)?.[1];
    if (rest !== undefined && rest.length > 1 && /[aeiouy]/.test(rest)) {
      word = rest;
      if (word.length > 3 && /([^aeioulsz])\1$/.test(word)) word = without(1);
    }
  }
  if (word.length > 2) {
    if (/[^e]e$/.test(word)) return without(1);
    if (/[^aeiou]y$/.test(word)) return `${without(1)}i`;
  }
  return word;
}
