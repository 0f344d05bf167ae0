// Loads, checks and unpacks files of the index, which `search/index/files.rs` writes.

import { say } from "./messages.js";
import { VERSION_DIGITS } from "./tables.js";

/** An error that prevents reading the index, with a message in the site's language. */
export class LoadError extends Error {}

// The maximum size of an unpacked file in bytes, so that a damaged or hostile file cannot fill the memory.
const MAX_BYTES = 64 << 20;

/**
 * Loads a URL. `message` returns the error message for a cause.
 *
 * @param {string} url
 * @param {RequestInit} options
 * @param {(why: string) => string} message
 */
export async function load(url, options, message) {
  const response = await fetch(url, options).catch(() => null);
  if (!response?.ok) throw new LoadError(message(response ? ` (${response.status})` : ""));
  return response;
}

/**
 * Loads a text; returns an empty one if that fails.
 *
 * @param {string} url
 */
export const loadText = url => fetch(url).then(response => response.ok ? response.text() : "", () => "");

/**
 * Loads a file of the index, which must have this version: the last digits of its checksum in base 36.
 *
 * @param {string} url
 * @param {string} version
 * @param {RequestInit} options
 * @returns {Promise<Uint8Array>}
 */
export async function loadFile(url, version, options) {
  const response = await load(`${url}?v=${version}`, options, why => say("part_not_loaded", { why }));
  const file = new Uint8Array(await response.arrayBuffer());
  if (checksum(file) % 36 ** VERSION_DIGITS === parseInt(version, 36)) return unpack(file);
  if (options.cache) throw damaged();
  // The browser may have kept what it got while the site was being published.
  return loadFile(url, version, { cache: "reload" });
}

export const damaged = () => new LoadError(say("part_damaged"));

/**
 * The FNV-1a checksum.
 *
 * @param {Uint8Array} bytes
 */
function checksum(bytes) {
  let sum = 0x811C9DC5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/** @param {Uint8Array<ArrayBuffer>} packed */
async function unpack(packed) {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const pieces = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MAX_BYTES) throw damaged();
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
