type AsText<Value> = Value extends Date ? string : Value;

/** Writes the times of a row as ISO text, as they cross between services. */
export function timesAsText<Row extends object>(row: Row) {
  const fields = Object.entries(row).map(([name, value]: [string, unknown]) => {
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(fields) as { [Name in keyof Row]: AsText<Row[Name]> };
}
