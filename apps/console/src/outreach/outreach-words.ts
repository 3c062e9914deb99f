import type { AttemptView, ReasonKind } from '@kith/contracts';

/** Names of the kinds of reasons, in a few words. */
export const KIND_WORDS: Readonly<Record<ReasonKind, string>> = {
  promise: 'a promise',
  request: 'you asked for it',
  date: 'a day that matters to you',
  'follow-up': 'something you told of',
  interest: 'something you care about',
  need: 'of its own accord',
};

/** Names what a reason comes from; an id is cut to the end that tells it from others. */
export function describeSource(source: string): string {
  const [kind, id = ''] = source.split(':');
  switch (kind) {
    case 'turn':
      return `what was said in turn …${id.slice(-6)}`;
    case 'memory':
      return `memory …${id.slice(-6)}`;
    case 'need':
      return `its need of ${id}`;
    default:
      return 'a thought of its own';
  }
}

/** Words for what became of a message that it meant to write. */
export function describeEnd(attempt: Pick<AttemptView, 'status' | 'problem' | 'channelId'>): string {
  const { status, problem, channelId } = attempt;
  if (status === 'sent') return channelId === null ? 'sent' : `sent in channel ${channelId}`;
  if (status === 'queued') return 'on its way';
  return problem === null ? 'it did not come' : `it did not come: ${problem}`;
}

/** A point in time on the person's own clock, with its day. */
export function onTheirClock(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleString('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  });
}
