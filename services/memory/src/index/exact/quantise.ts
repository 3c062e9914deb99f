/**
 * Writes a vector as whole numbers, from `start` on. Returns the worth of one.
 * @param largest the number that its largest component becomes
 */
export function quantise(vector: Float32Array, into: Int8Array | Int16Array, start: number, largest: number) {
  let most = 0;
  for (const component of vector) most = Math.max(most, Math.abs(component));
  const scale = most / largest || 1;
  for (let i = 0; i < vector.length; i += 1) into[start + i] = Math.round((vector[i] ?? 0) / scale);
  return scale;
}
