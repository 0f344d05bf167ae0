// Posting lists and positions of terms, as `search/index/files.rs` encodes them.

import { Decoder, decodeDictionary } from "./decoder.js";
import { MAX_WEIGHT } from "./tables.js";
import { turnId } from "./turns.js";

/** @import { TurnList } from "./turns.js" */

// A byte stores the third power of a BM25 weight.
const WEIGHTS = Float32Array.from({ length: 256 }, (_, step) => 2.2 * Math.cbrt(step / MAX_WEIGHT));

/** The location of a term's posting list in a file. */
class PostingList {
  /**
   * @param {Uint8Array} bytes
   * @param {{turns: number, isDense: boolean, gaps: number, places: number, weights: number}} layout
   */
  constructor(bytes, layout) {
    this.bytes = bytes;
    this.layout = layout;
    /** @type {TurnList | null} */
    this.list = null;
  }

  // The turns with their weights, decoded once.
  decode() {
    return this.list ??= decodePostingList(this.bytes, this.layout);
  }
}

/**
 * Reads the posting lists of a file by term. After the dictionary come the gaps between conversations, the places of
 * turns and the weights, each for all terms.
 *
 * @param {Uint8Array} bytes
 */
export function decodePostings(bytes) {
  const { all, end } = decodeDictionary(bytes, 3);
  let gaps = end, places = end, weights = end;
  for (const { numbers } of all) {
    places += numbers[1];
    weights += numbers[1] + numbers[2];
  }
  return new Map(all.map(({ term, numbers: [twice, gapsLength, placesLength] }) => {
    const turns = Math.floor(twice / 2);
    const list = new PostingList(bytes, { turns, isDense: twice % 2 === 1, gaps, places, weights });
    gaps += gapsLength;
    places += placesLength;
    weights += turns;
    return [term, list];
  }));
}

/**
 * @param {Uint8Array} bytes
 * @param {PostingList["layout"]} layout
 * @returns {TurnList}
 */
function decodePostingList(bytes, { turns, isDense, gaps, places, weights }) {
  const ids = new Float64Array(turns);
  const gap = new Decoder(bytes, gaps), place = new Decoder(bytes, places);
  let document = -1;
  for (let i = 0; i < turns;) {
    document += gap.number() + 1;
    if (isDense) {
      // One bit for each turn.
      const length = place.number();
      for (let byte = 0; byte < length; byte++) {
        for (let bits = place.byte(), turn = byte * 8; bits; bits >>= 1, turn++) {
          if (bits & 1) ids[i++] = turnId(document, turn);
        }
      }
      continue;
    }
    for (let turn = 0, isEnd = false; !isEnd && i < turns;) {
      // The lowest bit marks the last turn of its conversation.
      const number = place.number();
      isEnd = number % 2 === 1;
      turn += Math.floor(number / 2);
      ids[i++] = turnId(document, turn);
    }
  }
  return { ids, weights: Float32Array.from(bytes.subarray(weights, weights + turns), step => WEIGHTS[step]) };
}
