const names = new Map<string, string>();
/** Strings that are shared: a MB or so. Beyond it they begin anew. */
const MAX_NAMES = 10_000;

/** Shares strings of companions and places, which are few: one of each, not one a row. */
export function shared(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(name, name);
  return name;
}
