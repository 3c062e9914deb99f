const names = new Map<string, string>();
/** Strings that are shared: a MB or so. Beyond it they begin anew. */
const MAX_NAMES = 10_000;

/** Gives one copy of a name of a companion or a place for all rows: there are few of them. */
export function sharedString(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(name, name);
  return name;
}
