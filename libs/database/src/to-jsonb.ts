/**
 * A value as a parameter for `jsonb`, which one statement reads as rows however many there are. Half a surrogate pair,
 * which a cut can leave behind, and NUL are no text to Postgres: they are replaced and left out.
 */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '') : part,
  );
}
