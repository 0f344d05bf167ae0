// The files of `index/mod.rs`, and what a query finds in them.

class Trouble extends Error {}

function checksum(bytes) {
  let sum = 0x811C9DC5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

// The most that a file may unpack to: a damaged or hostile one must not fill the memory.
const LARGEST = 64 << 20;

async function unpacked(url, options) {
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new Trouble(say("part_not_loaded", { why: "" }));
  }
  if (!response.ok) throw new Trouble(say("part_not_loaded", { why: ` (${response.status})` }));
  const file = new Uint8Array(await response.arrayBuffer());
  const damaged = () => new Trouble(say("part_damaged"));
  if (file.length < 4 || new DataView(file.buffer).getUint32(0, true) !== checksum(file.subarray(4))) throw damaged();
  const reader = new Blob([file.subarray(4)]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > LARGEST) throw damaged();
      pieces.push(value);
    }
  } catch {
    throw damaged();
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

const UTF8 = new TextDecoder();

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  number() {
    let number = 0, factor = 1, byte;
    do {
      byte = this.byte();
      number += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return number;
  }

  byte() {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Trouble(say("part_damaged"));
    return byte;
  }

  text() {
    const length = this.number();
    this.at += length;
    return UTF8.decode(this.bytes.subarray(this.at - length, this.at));
  }
}

// The dictionary of a file: for each term the `count` numbers that follow it.
function dictionary(bytes, count) {
  const reader = new Reader(bytes);
  const end = reader.number() + reader.at;
  const all = [];
  const encoder = new TextEncoder();
  let before = new Uint8Array();
  for (let left = reader.number(); left > 0; left--) {
    const shared = reader.number();
    const term = UTF8.decode(before.subarray(0, shared)) + reader.text();
    before = encoder.encode(term);
    all.push({ term, numbers: Array.from({ length: count }, () => reader.number()) });
  }
  return { all, end };
}

// Turns of a conversation as one number each.
const TURNS = 2 ** 21;

class Segment {
  constructor(base, about, options) {
    Object.assign(this, about);
    this.options = options;
    this.base = base + about.folder;
    this.files = new Map();
  }

  load(name, read) {
    let file = this.files.get(name);
    if (!file) {
      file = unpacked(`${this.base}${name}.bin`, this.options).then(read);
      // What failed is tried again the next time.
      file.catch(() => this.files.delete(name));
      this.files.set(name, file);
    }
    return file;
  }

  postings(number) {
    return this.load(`p${number}`, bytes => {
      const { all, end } = dictionary(bytes, 3);
      let gaps = end, places = end, weights = end;
      for (const { numbers } of all) {
        places += numbers[1];
        weights += numbers[1] + numbers[2];
      }
      for (const { numbers } of all) {
        numbers.push(numbers[0] % 2);
        numbers[0] = Math.floor(numbers[0] / 2);
      }
      return new Map(all.map(({ term, numbers: [turns, documents, length, dense] }) => {
        const list = { bytes, turns, gaps, places, weights, dense };
        gaps += documents;
        places += length;
        weights += turns;
        return [term, list];
      }));
    });
  }

  positions(number) {
    return this.load(`q${number}`, bytes => {
      const { all, end } = dictionary(bytes, 1);
      let at = end;
      return new Map(all.map(({ term, numbers }) => {
        const list = { bytes, at };
        at += numbers[0];
        return [term, list];
      }));
    });
  }

  // The turns of a term with their weights, or null.
  async list(term) {
    const number = place(this.postings_, term);
    if (number < 0) return null;
    const found = (await this.postings(number)).get(term);
    if (!found) return null;
    return found.read ??= turnsOf(found);
  }

  // The terms that start with these letters, up to a hundred.
  async starting(letters) {
    const found = [];
    let number = Math.max(place(this.postings_, letters), 0);
    for (; number < this.postings_.length && found.length < EXPANDED; number++) {
      const first = this.postings_[number];
      if (compare(first, letters) > 0 && !first.startsWith(letters)) break;
      for (const term of (await this.postings(number)).keys()) {
        if (term.startsWith(letters) && !term.includes(":")) found.push(term);
      }
    }
    return found.slice(0, EXPANDED);
  }

  json(name) {
    return this.load(name, bytes => JSON.parse(UTF8.decode(bytes)));
  }

  // The words of some numbers of letters, or more.
  async words(lengths) {
    const files = this.by_length ? lengths.filter(length => length >= 3 && length <= 24) : [0];
    return (await Promise.all(files.map(file => this.wordsOf(file)))).flat();
  }

  wordsOf(file) {
    return this.load(`w${file}`, bytes => UTF8.decode(bytes).split("\n").slice(0, -1));
  }
}

const EXPANDED = 100;

// By code points, as the index is sorted.
function compare(a, b) {
  if (a === b) return 0;
  const x = Array.from(a), y = Array.from(b);
  for (let i = 0; i < x.length && i < y.length; i++) {
    const difference = x[i].codePointAt(0) - y[i].codePointAt(0);
    if (difference) return difference;
  }
  return x.length - y.length;
}

// The number of the last file that starts at or before a term; -1 if none does.
function place(firsts, term) {
  let low = 0, high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(firsts[middle], term) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// What a byte of weight means: see `weight` in `index/files.rs`.
const WEIGHTS = Float32Array.from({ length: 256 }, (_, step) => 2.2 * Math.cbrt(step / 200));

function turnsOf({ bytes, turns, gaps, places, weights, dense }) {
  const ids = new Float64Array(turns);
  const gap = new Reader(bytes, gaps), at = new Reader(bytes, places);
  let document = -1;
  for (let i = 0; i < turns;) {
    document += gap.number() + 1;
    if (dense) {
      const end = at.number();
      for (let byte = 0; byte < end; byte++) {
        for (let bits = at.byte(), turn = byte * 8; bits; bits >>= 1, turn++) {
          if (bits & 1) ids[i++] = document * TURNS + turn;
        }
      }
      continue;
    }
    for (let turn = 0, last = 0; !last && i < turns;) {
      const number = at.number();
      last = number % 2;
      turn += (number - last) / 2;
      ids[i++] = document * TURNS + turn;
    }
  }
  return { ids, weights: Float32Array.from(bytes.subarray(weights, weights + turns), step => WEIGHTS[step]) };
}

// The turns that are in one of the lists, with the greatest of their weights.
function either(lists) {
  if (lists.length === 1) return lists[0];
  const all = new Map();
  for (const { ids, weights } of lists) {
    ids.forEach((id, i) => all.set(id, Math.max(all.get(id) ?? 0, weights[i])));
  }
  const ids = Float64Array.from(all.keys()).sort();
  return { ids, weights: Float64Array.from(ids, id => all.get(id)) };
}

// Calls `each` with the places of what two sorted lists have in common.
function both(a, b, each) {
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] < b[j]) i++;
    else if (a[i] > b[j]) j++;
    else each(i++, j++);
  }
}

function only(ids, keep) {
  const kept = [];
  both(ids, keep, i => kept.push(ids[i]));
  return Float64Array.from(kept);
}

function without(ids, drop) {
  const dropped = new Set();
  both(ids, drop, i => dropped.add(i));
  return dropped.size ? ids.filter((_, i) => !dropped.has(i)) : ids;
}

// The index

class Index {
  constructor(url, root, options) {
    const base = new URL(url.replace(/search\/[^/]*$/, ""), location.href).href;
    this.base = base;
    this.version = JSON.stringify(root);
    this.languages = root.languages;
    this.segments = root.segments.map(({ postings, positions, ...about }) =>
      new Segment(base, { ...about, postings_: postings, positions_: positions }, options));
    this.turns = this.segments.reduce((sum, segment) => sum + segment.turns, 0);
    this.common = new Map(this.segments[0]?.common ?? []);
  }

  get facetBytes() {
    return this.segments.reduce((sum, segment) => sum + segment.facets, 0);
  }

  // The lists of all forms of a word in a segment.
  async wordLists(segment, word) {
    const lists = await Promise.all(word.terms.map(term => segment.list(term)));
    return lists.filter(Boolean);
  }

  // Finds out which terms each word of a query means, and mends those that nobody wrote.
  async resolve(query) {
    const mended = [];
    const known = async terms => {
      const lists = this.segments.flatMap(segment => terms.map(term => segment.list(term)));
      return (await Promise.all(lists)).some(Boolean);
    };
    const starting = async letters => {
      const all = (await Promise.all(this.segments.map(segment => segment.starting(letters)))).flat();
      return Array.from(new Set(all)).sort(compare).slice(0, EXPANDED);
    };
    const resolveWord = async (word, prefix, mendable) => {
      word.terms = word.forms;
      if (word.open || prefix === "always") {
        word.terms = Array.from(new Set([...word.forms, ...await starting(word.surface)]));
      } else if (!await known(word.forms)) {
        const longer = prefix === "unknown" && Array.from(word.surface).length > 1 ? await starting(word.surface) : [];
        if (longer.length) word.terms = longer;
        else if (mendable) {
          const better = await this.mend(word.surface);
          if (better) {
            mended.push([word.surface, better]);
            word.terms = Array.from(new Set(this.languages.map(language => stem(better, language))));
            word.surface = better;
          }
        }
      }
    };
    const jobs = query.items.filter(item => item.words).flatMap(item => {
      if (this.isLeftOut(item, query)) item.common = true;
      if (item.common) return [];
      return item.words.map((word, i) =>
        resolveWord(word, i === item.words.length - 1 ? item.prefix : "", !item.not));
    });
    await Promise.all(jobs);
    return mended;
  }

  // Words that almost every turn has are left out beside others.
  isLeftOut(item, query) {
    const turnsWith = item => {
      if (!item.words || item.not || item.words.length > 1 || item.prefix === "always") return 0;
      return Math.max(...item.words[0].forms.map(form => this.common.get(form) ?? 0));
    };
    const turns = turnsWith(item);
    // Of common words alone the rarest stays.
    const isRarer = (other, i) => turnsWith(other) < turns || turnsWith(other) === turns && i < query.items.indexOf(item);
    return turns > 0 && query.items.some((other, i) => other !== item && other.words && !other.not && isRarer(other, i));
  }

  // The word that was meant, if one is near.
  async mend(word) {
    const length = Array.from(word).length;
    const most = length < 4 ? 0 : length < 8 ? 1 : 2;
    if (!most || !/^\p{Alphabetic}+$/u.test(word)) return null;
    const lengths = new Set();
    const stems = this.languages.map(language => stem(word, language));
    for (const part of [word, ...stems]) {
      const count = Array.from(part).length;
      for (let n = count - most; n <= count + most; n++) lengths.add(n);
    }
    const loads = this.segments.map(segment => segment.words(Array.from(lengths)));
    let best = null;
    for (const line of (await Promise.all(loads)).flat()) {
      const candidate = line.slice(1);
      let far = distance(word, candidate, most);
      stems.forEach((own, i) => far = Math.min(far, distance(own, stem(candidate, this.languages[i]), most)));
      if (far > most) continue;
      const starts = candidate[0] === word[0] || candidate[0] === word[1] && candidate[1] === word[0];
      const rank = [far, starts ? 0 : 1, -line.charCodeAt(0)];
      const order = best ? rank.map((value, i) => value - best.rank[i]).find(value => value !== 0) ?? compare(candidate, best.candidate) : -1;
      if (order < 0) best = { candidate, rank };
    }
    return best?.candidate ?? null;
  }

  // The turns of a segment in which an item stands.
  async item(segment, { words }) {
    const nothing = { ids: new Float64Array(), weights: [] };
    const lists = await Promise.all(words.map(word => this.wordLists(segment, word)));
    if (lists.some(list => !list.length)) return nothing;
    if (words.length === 1) return either(lists[0]);
    let ids = null;
    const merged = lists.map(either);
    for (const list of merged) ids = ids ? only(ids, list.ids) : list.ids;
    if (!ids.length) return nothing;
    const places = await Promise.all(words.map(word => this.places(segment, word, ids)));
    const kept = [], weights = [];
    ids.forEach((id, i) => {
      let starts = places[0][i];
      for (let k = 1; k < places.length && starts.length; k++) {
        const next = new Set(places[k][i]);
        starts = starts.filter(start => next.has(start + k));
      }
      if (starts.length) kept.push(id);
    });
    ids = Float64Array.from(kept);
    for (const list of merged) both(ids, list.ids, (i, j) => weights[i] = Math.max(weights[i] ?? 0, list.weights[j]));
    return { ids, weights };
  }

  // For each of these turns the positions of a word.
  async places(segment, { terms }, ids) {
    const all = Array.from(ids, () => []);
    await Promise.all(terms.map(async term => {
      const list = await segment.list(term);
      const number = place(segment.positions_, term);
      if (!list || number < 0) return;
      const found = (await segment.positions(number)).get(term);
      if (!found) return;
      const reader = new Reader(found.bytes, found.at);
      let wanted = 0;
      for (const id of list.ids) {
        // Another form of the word may stand where this one does not.
        while (ids[wanted] < id) wanted++;
        const isWanted = id === ids[wanted];
        let position = 0;
        for (let last = 0; !last;) {
          const number = reader.number();
          last = number % 2;
          position += (number - last) / 2;
          if (isWanted) all[wanted].push(position);
        }
        if (wanted === ids.length) break;
      }
    }));
    return all;
  }

  // The turns of a segment that pass a filter; for one of whole conversations, their titles.
  async filtered(segment, { terms }) {
    let ids = null;
    for (const list of await Promise.all(terms.map(term => segment.list(term)))) {
      if (!list) return new Float64Array();
      ids = ids ? only(ids, list.ids) : list.ids;
    }
    return ids;
  }

  // Everything that a query finds, the best first.
  async find(text) {
    const query = parse(text, this.languages);
    const mended = await this.resolve(query);
    const { items, notes } = query;
    const words = items.filter(item => item.words && !item.not && !item.common);
    const filters = items.filter(item => item.terms && !item.not);
    const nots = items.filter(item => item.not && (item.words || item.terms));
    const days = items.filter(item => item.before || item.after);
    const leftOut = items.filter(item => item.common).map(item => item.words[0].surface);
    if (leftOut.length) notes.push(say("left_out", { words: leftOut.map(word => `“${word}”`).join(", ") }));
    const isAsked = words.length > 0 || filters.length > 0 || days.length > 0;
    const result = { query, notes, mended, turns: 0, conversations: [], words, isAsked };
    if (!isAsked) {
      if (items.length) notes.push(say("only_nots"));
      return result;
    }
    const found = await Promise.all(this.segments.map(segment => this.findIn(segment, words, filters, nots, days)));
    const counts = words.map((_, i) => found.reduce((sum, { lists }) => sum + lists[i].ids.length, 0));
    const weight = counts.map(count => Math.log(1 + (this.turns - count + 0.5) / (count + 0.5)));
    found.forEach(({ ids, lists }, number) => {
      const scores = new Float64Array(ids.length);
      lists.forEach((list, k) => both(ids, list.ids, (i, j) => {
        scores[i] += weight[k] * list.weights[j] * (ids[i] % TURNS === 0 ? TITLE : 1);
      }));
      let conversation = null;
      ids.forEach((id, i) => {
        const document = Math.floor(id / TURNS);
        if (conversation?.document !== document) {
          conversation = { segment: this.segments[number], number, document, turns: [], score: 0 };
          result.conversations.push(conversation);
        }
        conversation.turns.push({ turn: id % TURNS, score: scores[i] });
        conversation.score = Math.max(conversation.score, scores[i]);
      });
      result.turns += ids.length;
    });
    for (const conversation of result.conversations) {
      conversation.turns.sort((a, b) => b.score - a.score || a.turn - b.turn);
    }
    result.conversations.sort((a, b) => b.score - a.score || b.number - a.number || b.document - a.document);
    return result;
  }

  async findIn(segment, words, filters, nots, days) {
    const [lists, passed, excluded, rows] = await Promise.all([
      Promise.all(words.map(item => this.item(segment, item))),
      Promise.all(filters.map(item => this.filtered(segment, item))),
      Promise.all(nots.map(item => item.words ? this.item(segment, item).then(list => list.ids) : this.filtered(segment, item))),
      days.length ? this.days(segment) : null,
    ]);
    let ids = null;
    const narrow = list => ids = ids ? only(ids, list) : list;
    lists.toSorted((a, b) => a.ids.length - b.ids.length).forEach(list => narrow(list.ids));
    const documents = lists => new Set(lists.flatMap(ids => Array.from(ids, id => Math.floor(id / TURNS))));
    const isWide = item => WIDE.includes(item.field);
    const fields = Array.from(new Set(filters.map(item => item.field)));
    for (const field of fields.toSorted((a, b) => WIDE.includes(a) - WIDE.includes(b))) {
      const any = passed.filter((_, i) => filters[i].field === field);
      if (ids && WIDE.includes(field)) {
        const within = documents(any);
        ids = ids.filter(id => within.has(Math.floor(id / TURNS)));
      } else narrow(any.length > 1 ? either(any.map(ids => ({ ids, weights: ids }))).ids : any[0]);
    }
    // Nothing but days: the conversations themselves, by their titles.
    ids ??= Float64Array.from(rows, (_, document) => document * TURNS);
    nots.forEach((item, i) => {
      if (!isWide(item)) ids = without(ids, excluded[i]);
      else {
        const within = documents([excluded[i]]);
        ids = ids.filter(id => !within.has(Math.floor(id / TURNS)));
      }
    });
    if (rows) {
      const fits = day => day !== null && days.every(item => item.before ? day < item.before : day >= item.after);
      ids = ids.filter(id => fits(rows[Math.floor(id / TURNS)]));
    }
    return { ids, lists };
  }

  async days(segment) {
    const { rows } = await segment.json("f0");
    let day = 0;
    return rows.map(([step]) => step === null ? null : day += step);
  }

  // What results are filed under, with the number of conversations for each.
  async facets(result) {
    const counts = { speaker: new Map(), model: new Map(), lang: new Map(), type: new Map(), tag: new Map(), year: new Map() };
    const files = await Promise.all(this.segments.map(async segment => [await segment.json("f0"), await this.days(segment)]));
    for (const { number, document, turns } of result.conversations) {
      const [{ names, rows }, days] = files[number];
      const [, speakers, models, langs, type, tags, pattern] = rows[document];
      const said = new Set(turns.map(({ turn }) => pattern.charCodeAt(turn) - 48).filter(place => place >= 0));
      const values = {
        speaker: Array.from(said, place => names.speaker[speakers[place]]),
        model: Array.from(said, place => names.model[models[place]]),
        lang: langs.map(place => names.lang[place]),
        type: type === null ? [] : [names.type[type]],
        tag: tags.map(place => names.tag[place]),
        year: days[document] === null ? [] : [String(Math.floor(days[document] / 10000))],
      };
      for (const [facet, list] of Object.entries(values)) {
        for (const value of new Set(list)) if (value !== undefined) counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1);
      }
    }
    return counts;
  }

  // Address, title, day and parts of a conversation.
  async about({ segment, document }) {
    const rows = await segment.json(`d${Math.floor(document / 64)}`);
    const [path, title, day, parts] = rows[document % 64];
    return { path, title, day, parts };
  }

  // Where a turn of it stands: the address of its page, and the Markdown beside it.
  part({ path, parts }, turn) {
    let number = parts.findLastIndex(first => first <= turn);
    number = Math.max(number, 0);
    const folder = encodeURI(number ? `${path}${number + 1}/` : path);
    return { url: this.base + folder, first: parts[number], markdown: `${this.base}${folder}index.md` };
  }
}

// What whole conversations are filed under.
const WIDE = ["lang", "type", "tag"];

// How much more a title counts than a turn.
const TITLE = 2;

// Edits between two words, with neighbours swapped as one; more than `most` is any larger number.
function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = [], last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2] + 1);
      row.push(best);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[b.length];
}

async function open(url, options = {}) {
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new Trouble(say("not_loaded", { why: "" }));
  }
  if (!response.ok) throw new Trouble(say("not_loaded", { why: ` (${response.status})` }));
  let root;
  try {
    root = await response.json();
  } catch {
    throw new Trouble(say("damaged"));
  }
  if (root?.version !== 1 || !Array.isArray(root.segments)) throw new Trouble(say("other_version"));
  return new Index(url, root, options);
}
