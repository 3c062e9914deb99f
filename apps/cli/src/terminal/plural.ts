/** `1 entry`, `2 entries`. */
export function plural(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
