import type { Reader } from './transaction.js';

/** Makes the tag of a query that reads the only column of its rows. */
export function columnOf(reader: Reader) {
  return async <T = string>(query: TemplateStringsArray, ...values: unknown[]): Promise<T[]> => {
    const rows = await reader.$queryRaw<Readonly<Record<string, T>>[]>(query, ...values);
    return rows.flatMap((row) => Object.values(row));
  };
}
