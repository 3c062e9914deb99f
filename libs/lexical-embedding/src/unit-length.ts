/**
 * Scales a vector to length 1, so that a dot product is a cosine.
 * @throws RangeError when it has no direction: all zeros, or a number that is not finite
 */
export function toUnitLength(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2;
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length === 0) throw new RangeError('the vector has no direction');
  return Float32Array.from(vector, (value) => value / length);
}
