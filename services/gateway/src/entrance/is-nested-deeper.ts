/** Depth of a body: a character card nests some ten deep, and recursion runs out of stack at about a thousand. */
export const MAX_DEPTH = 64;

/** Tells whether a list or object lies deeper in a value than `depth`. No recursion: that is what it guards. */
export function isNestedDeeper(value: unknown, depth: number): boolean {
  let level = [value].filter(isNested);
  for (let reached = 1; level.length > 0; reached += 1) {
    if (reached > depth) return true;
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
