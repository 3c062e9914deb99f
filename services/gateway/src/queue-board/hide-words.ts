/** Fields of jobs that hold ids, days, times and names of things. What is not named here may be somebody's words. */
const SHOWN = new Set(
  (
    'correlationId personId companionId conversationId inboxId turnId turnIds attemptId outboxId channelId ' +
    'day from to at name door within places kind'
  ).split(' '),
);

/** Form of ids, times and names of things. Nothing else is shown, even in those fields. */
const IDENTIFYING = /^[\w.:+-]{0,100}$/;

/** Hides people's words in a job's data, such as why to write to somebody: the board shows only how long they are. */
export function hideWords(data: unknown, isShown = false): unknown {
  if (typeof data === 'string')
    return isShown && IDENTIFYING.test(data) ? data : `(${data.length} characters)`;
  if (Array.isArray(data)) return data.map((value) => hideWords(value, isShown));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, hideWords(value, SHOWN.has(name))]),
  );
}
