/** Largest byte that a component becomes. */
const STEPS = 127;

/** Writes a vector as bytes, from `start` on. Returns the worth of one step of a byte. */
export function quantise(vector: Float32Array, into: Int8Array, start: number): number {
  let most = 0;
  for (const component of vector) most = Math.max(most, Math.abs(component));
  const scale = most === 0 ? 1 : most / STEPS;
  for (let i = 0; i < vector.length; i += 1) into[start + i] = Math.round((vector[i] ?? 0) / scale);
  return scale;
}
