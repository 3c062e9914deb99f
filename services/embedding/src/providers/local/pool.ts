import { lastOf } from '@kith/contracts/present';

/** Output of an encoder for a batch: for each text one vector, or one for each of its tokens. */
export interface Hidden {
  data: Float32Array;
  /** Number of texts, of tokens of the longest, and of values in a vector; without tokens where each text has one vector. */
  dims: readonly number[];
}

/**
 * Makes one vector of each text. A mean leaves out the padding of shorter texts.
 * @param lengths tokens of each text
 */
export function pool(
  { data, dims }: Hidden,
  lengths: readonly number[],
  how: 'mean' | 'cls',
): Float32Array[] {
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
