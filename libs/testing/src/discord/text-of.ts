/** The text of a field of a request, as Discord takes it: numbers too; none is empty. */
export function textOf(field: unknown): string {
  return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
}
