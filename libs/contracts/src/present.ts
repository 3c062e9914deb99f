/**
 * Takes what is there by what the code around it has made sure of: an entry of a map, a place in a list.
 * @throws TypeError where it is not, which is a mistake of ours
 */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('a value is missing that is always there');
  return value;
}

/** Takes the first of a list that has something in it. */
export function firstOf<T>(list: readonly T[]): T {
  return present(list[0]);
}

/** Takes the last of a list that has something in it. */
export function lastOf<T>(list: readonly T[]): T {
  return present(list.at(-1));
}
