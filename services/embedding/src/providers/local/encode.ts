// Runs in a thread of its own, since an encoder blocks the thread that calls it.
import { readFile } from 'node:fs/promises';
import { present, firstOf, lastOf } from '@kith/contracts/present';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelFolder } from '@kith/local-models';

/** A loaded encoder. The thread serves one folder. */
interface Encoder {
  /** The part that is used: the package's own types do not resolve. */
  tokenizer: { encode(text: string): { ids: number[] } };
  session: InferenceSession;
}
let encoder: Promise<Encoder> | undefined;

/**
 * Makes vectors of texts, in their order, not yet of unit length.
 * @param threads how many cores one call may take
 */
export async function encode(folder: ModelFolder, threads: number, texts: readonly string[]) {
  const { tokenizer, session } = await (encoder ??= load(folder, threads).catch(leave));
  const { maxTokens, pooling } = folder.description;
  const tokens = texts.map((text) => cutTokens(tokenizer.encode(text).ids, maxTokens));
  const longest = Math.max(...tokens.map(({ length }) => length));
  const dims = [texts.length, longest];
  const filled = (of: (token: number | undefined) => number) =>
    new Tensor(
      'int64',
      BigInt64Array.from(
        tokens.flatMap((ids) => Array.from({ length: longest }, (_, at) => BigInt(of(ids[at])))),
      ),
      dims,
    );
  const inputs: Record<string, Tensor> = {
    input_ids: filled((token) => token ?? 0),
    attention_mask: filled((token) => (token === undefined ? 0 : 1)),
    token_type_ids: filled(() => 0),
  };
  const wanted = session.inputNames.map((name) => {
    const input = inputs[name];
    if (!input) throw new Error(`the encoder wants an input ${name}, which is unknown here`);
    return [name, input] as const;
  });
  const output = await session.run(Object.fromEntries(wanted));
  const hidden = present(output[firstOf(session.outputNames)]);
  if (hidden.type !== 'float32')
    throw new Error(`the encoder answers ${hidden.type} where float32 is expected`);
  return pool(
    hidden as Hidden,
    tokens.map(({ length }) => length),
    pooling,
  );
}

/** Forgets an encoder that did not load, so that the folder is read again once it is fixed. */
function leave(error: unknown): never {
  encoder = undefined;
  throw error;
}

async function load(folder: ModelFolder, threads: number): Promise<Encoder> {
  const [tokenizer, config] = await Promise.all([
    readFile(folder.tokenizerFile, 'utf8'),
    readFile(folder.tokenizerConfigFile, 'utf8').catch(() => '{}'),
  ]);
  const session = await InferenceSession.create(folder.modelFile, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
  });
  // oxlint-disable-next-line typescript/no-unsafe-call -- its types do not resolve
  const made = new Tokenizer(JSON.parse(tokenizer), JSON.parse(config)) as Encoder['tokenizer'];
  return { tokenizer: made, session };
}

/** Cuts a text to so many tokens, and keeps the last one, which marks its end. */
function cutTokens(ids: readonly number[], maxTokens: number): readonly number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), lastOf(ids)];
}

/** Output of an encoder for a batch: for each text one vector, or one for each of its tokens. */
interface Hidden {
  data: Float32Array;
  /** Number of texts, of tokens of the longest, and of values in a vector; without tokens where each text has one vector. */
  dims: readonly number[];
}

/**
 * Makes one vector of each text. A mean leaves out the padding of shorter texts.
 * @param lengths tokens of each text
 */
function pool({ data, dims }: Hidden, lengths: readonly number[], how: 'mean' | 'cls') {
  const width = lastOf(dims);
  const [, tokens = 1] = dims.slice(0, -1);
  return lengths.map((length, text) => {
    const start = text * tokens * width;
    const counted = dims.length === 2 || how === 'cls' ? 1 : length;
    const vector = new Float32Array(width);
    for (let token = 0; token < counted; token += 1)
      for (let at = 0; at < width; at += 1)
        vector[at] = (vector[at] ?? 0) + (data[start + token * width + at] ?? 0) / counted;
    return vector;
  });
}
