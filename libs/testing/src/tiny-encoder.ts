import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Words of the encoder, each with its vector: words of one meaning have like ones. */
const VECTORS: Readonly<Record<string, readonly number[]>> = {
  '[PAD]': [9, 9, 9, 9],
  '[UNK]': [0.1, 0.1, 0.1, 0.1],
  '[END]': [0, 0, 0, 0.1],
  pet: [1, 0, 0, 0],
  puppy: [0.9, 0.1, 0, 0],
  rain: [0, 1, 0, 0],
  weather: [0.1, 0.9, 0, 0],
  query: [0, 0, 0.2, 0],
};
const WORDS = Object.keys(VECTORS);
export const TINY_DIMENSIONS = 4;

/** Writes a sentence encoder as a hub would have it: the vectors of words, looked up, and a tokenizer by spaces. */
export async function writeTinyEncoder(
  directory: string,
  name: string,
  description: object = {},
): Promise<void> {
  const folder = join(directory, name);
  await mkdir(folder, { recursive: true });
  const described = { dimensions: TINY_DIMENSIONS, pooling: 'mean', maxTokens: 8, ...description };
  await Promise.all([
    writeFile(join(folder, 'model.onnx'), onnxModel()),
    writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer())),
    writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ unk_token: '[UNK]' })),
    writeFile(join(folder, 'kith-model.json'), JSON.stringify(described)),
  ]);
}

function tokenizer(): object {
  const end = { SpecialToken: { id: '[END]', type_id: 0 } };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: ['[PAD]', '[UNK]', '[END]'].map((content) => ({
      id: WORDS.indexOf(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ Sequence: { id: 'A', type_id: 0 } }, end],
      pair: [{ Sequence: { id: 'A', type_id: 0 } }, end, { Sequence: { id: 'B', type_id: 0 } }, end],
      special_tokens: { '[END]': { id: '[END]', ids: [WORDS.indexOf('[END]')], tokens: ['[END]'] } },
    },
    decoder: null,
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
      unk_token: '[UNK]',
    },
  };
}

/*
 * ONNX is a protobuf: of a ModelProto the version of the format (1), the graph (7) and the operators' version (8); of
 * the graph its nodes (1), name (2), constants (5), inputs (11) and outputs (12).
 */
const FLOAT = 1;
const INT64 = 7;

function onnxModel(): Uint8Array {
  const table = Float32Array.from(WORDS.flatMap((word) => [...VECTORS[word]!]));
  const node = [text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather')];
  const constant = [
    number(1, WORDS.length),
    number(1, TINY_DIMENSIONS),
    number(2, FLOAT),
    text(8, 'table'),
    bytes(9, new Uint8Array(table.buffer)),
  ];
  const graph = [
    bytes(1, joined(node)),
    text(2, 'tiny'),
    bytes(5, joined(constant)),
    bytes(11, tensor('input_ids', INT64, ['texts', 'tokens'])),
    bytes(11, tensor('attention_mask', INT64, ['texts', 'tokens'])),
    bytes(12, tensor('last_hidden_state', FLOAT, ['texts', 'tokens', TINY_DIMENSIONS])),
  ];
  return joined([number(1, 8), bytes(7, joined(graph)), bytes(8, joined([text(1, ''), number(2, 13)]))]);
}

/** An input or output: its name, the type of its numbers, and its sizes. */
function tensor(name: string, type: number, sizes: readonly (string | number)[]): Uint8Array {
  const shape = sizes.map((size) => bytes(1, typeof size === 'string' ? text(2, size) : number(1, size)));
  const typed = bytes(1, joined([number(1, type), bytes(2, joined(shape))]));
  return joined([text(1, name), bytes(2, typed)]);
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, new TextEncoder().encode(value));
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return joined([varint((field << 3) | 2), varint(value.length), value]);
}

function number(field: number, value: number): Uint8Array {
  return joined([varint(field << 3), varint(value)]);
}

function varint(value: number): Uint8Array {
  const parts: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.from([...parts, rest]);
    parts.push((rest & 0x7f) | 0x80);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
