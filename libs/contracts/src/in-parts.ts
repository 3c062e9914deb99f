/** Cuts a list into parts of at most this size, in their order. */
export function inParts<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, n) => list.slice(n * size, (n + 1) * size));
}
