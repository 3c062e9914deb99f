const AHEAD = new Set('will might may could tomorrow soon going'.split(' '));
const NEAR = /^(?:next|this|in)$/u;
const TIMES = new Set(
  'week month year monday tuesday wednesday thursday friday saturday sunday weekend summer winter spring autumn january february march april may june july august september october november december'.split(
    ' ',
  ),
);

/** Tells whether a clause speaks of what is still to come. */
export function isAhead(clause: readonly string[]): boolean {
  if (clause[0] === 'if' || (clause[0] === 'what' && clause[1] === 'if')) return true;
  return clause.some((word, n) => {
    if (word === 'going') return clause[n + 1] === 'to';
    if (word === 'will' && clause[n - 1] === 'i' && clause.length < 4) return false;
    return AHEAD.has(word) || (NEAR.test(word) && TIMES.has(clause[n + 1] ?? ''));
  });
}
