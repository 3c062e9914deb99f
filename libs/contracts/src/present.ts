/**
 * Returns a value that the code around it has made sure of, such as an entry of a map or of a list.
 * @throws TypeError where it is missing, which is a bug
 */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new TypeError('a value is missing that is always there');
  return value;
}

/** Returns the first entry of a list that is not empty. */
export function firstOf<T>(list: readonly T[]): T {
  return present(list[0]);
}

/** Returns the last entry of a list that is not empty. */
export function lastOf<T>(list: readonly T[]): T {
  return present(list.at(-1));
}
