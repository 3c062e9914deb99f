/** A character card nests some ten deep. What reads a value by recursion runs out of stack at about a thousand. */
export const MAX_DEPTH = 64;

/** Does a list or object lie deeper in it than `depth`? Goes by a list of its own, since recursion is what it guards. */
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
