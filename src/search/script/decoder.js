// Decodes variable-length numbers, texts and dictionaries; see `search/varint.rs`.

import { damaged } from "./files.js";

const UTF8 = new TextDecoder();

/** @param {Uint8Array} bytes */
export const decodeText = bytes => UTF8.decode(bytes);

/** Decodes bytes from a position on. */
export class Decoder {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at
   */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw damaged();
    return byte;
  }

  // Seven bits in each byte, the low ones first (LEB128); shifts would lose bits of numbers above 32 bits.
  number() {
    let number = 0, factor = 1, byte;
    do {
      byte = this.byte();
      number += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return number;
  }

  text() {
    const length = this.number();
    this.at += length;
    return decodeText(this.bytes.subarray(this.at - length, this.at));
  }
}

/**
 * Reads the dictionary at the start of a file: each term with the `count` numbers after it, and where the dictionary
 * ends. Terms are front-coded.
 *
 * @param {Uint8Array} bytes
 * @param {number} count
 */
export function decodeDictionary(bytes, count) {
  const decoder = new Decoder(bytes);
  const end = decoder.number() + decoder.at;
  const encoder = new TextEncoder();
  const all = [];
  let before = new Uint8Array();
  for (let left = decoder.number(); left > 0; left--) {
    const shared = decoder.number();
    const term = decodeText(before.subarray(0, shared)) + decoder.text();
    before = encoder.encode(term);
    all.push({ term, numbers: Array.from({ length: count }, () => decoder.number()) });
  }
  return { all, end };
}
