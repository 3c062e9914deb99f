/** Fields of jobs that hold ids, days, times and names of things. What is not named here may be somebody's words. */
const SHOWN = new Set([
  ...[
    'correlationId',
    'personId',
    'companionId',
    'conversationId',
    'inboxId',
    'turnId',
    'turnIds',
    'attemptId',
  ],
  ...['outboxId', 'channelId', 'day', 'from', 'to', 'at', 'name', 'door', 'within', 'places', 'kind'],
]);

/** An id, a time or a name of a thing: even a field of this kind shows nothing else. */
const IDENTIFYING = /^[\w.:+-]{0,100}$/;

/** A job's data as the board shows it: of words, such as why to write to somebody, only how many characters. */
export function hideWords(data: unknown, isShown = false): unknown {
  if (typeof data === 'string')
    return isShown && IDENTIFYING.test(data) ? data : `(${data.length} characters)`;
  if (Array.isArray(data)) return data.map((value) => hideWords(value, isShown));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, hideWords(value, SHOWN.has(name))]),
  );
}
