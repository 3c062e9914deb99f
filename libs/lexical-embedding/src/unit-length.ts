/**
 * Scales a vector to length 1, so that a dot product is a cosine.
 * @throws RangeError when it has no direction: all zeros, or a number that is not finite
 */
export function toUnitLength(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw new RangeError('the vector has no direction');
  const scaled = new Float32Array(vector.length);
  // `Float32Array.from` takes some thirty times as long.
  for (let index = 0; index < vector.length; index += 1) scaled[index] = (vector[index] ?? 0) / length;
  return scaled;
}
