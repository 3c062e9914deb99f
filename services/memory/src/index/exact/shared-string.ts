const names = new Map<string, string>();
/** Most strings that are shared, about a MB. Past it, all are dropped. */
const MAX_NAMES = 10_000;

/** Gives the same copy of a companion's or place's name for all rows: there are few different ones. */
export function sharedString(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(name, name);
  return name;
}
