/** Ids, times, numbers and names of things: what a job is to carry. */
const IDENTIFYING = /^[\w.:+-]*$/;

/** A job's data as the board shows it: of words, such as why to write to somebody, only how many characters. */
export function hideWords(data: unknown): unknown {
  if (typeof data === 'string') return IDENTIFYING.test(data) ? data : `(${data.length} characters)`;
  if (Array.isArray(data)) return data.map(hideWords);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, hideWords(value)]));
}
