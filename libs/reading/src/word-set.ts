/** Makes a set of a list's words, which white space separates. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u));
}
