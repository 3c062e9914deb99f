import { lastOf } from '@kith/contracts';

/** An encoder's answer for one batch: of each text either a vector, or one for each of its tokens. */
export interface Hidden {
  data: Float32Array;
  /** Texts, tokens of the longest, numbers; or texts, numbers. */
  dims: readonly number[];
}

/**
 * Makes one vector of each text. A mean leaves out what only fills a shorter text up.
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
