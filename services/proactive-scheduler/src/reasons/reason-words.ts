import type { ReasonKind } from '@kith/contracts';
import { DateTime } from 'luxon';

interface Reason {
  kind: ReasonKind;
  about: string;
  createdAt: Date;
}

// With the words around it a reason stays within 500 characters of a prompt.
const MAX_QUOTED = 300;

/** Words before the quotation of each kind of reason, for the prompt and for the person; `{on}` is when it was told. */
const WORDS: Readonly<Record<ReasonKind, { prompt: string; person: string }>> = {
  promise: {
    prompt: 'On {on} you promised to come back to something, and now is the time. Your words',
    person: 'It promised to, on {on}',
  },
  request: {
    prompt: 'On {on} they asked you to come back to something, and now is the time. Their words',
    person: 'You asked for it, on {on}',
  },
  date: {
    prompt: 'Today is a day that matters to them. Their words of {on}',
    person: 'It was a day that matters to you; you said on {on}',
  },
  'follow-up': {
    prompt: 'On {on} they told you of something that should be over by now: ask how it went. Their words',
    person: 'You told of something ahead, on {on}',
  },
  interest: {
    prompt: 'It is something they care about, and you would like to hear of it. What you know',
    person: 'It remembers that you care about this',
  },
  need: {
    prompt:
      'You would like a word with them of your own accord; do not make that their burden. What is on your mind',
    person: 'Of its own accord',
  },
};

/** Words the reason for the prompt: what was told when, in the words used. At most 500 characters. */
export function reasonForPrompt(reason: Reason, zone: string): string {
  return quoting(WORDS[reason.kind].prompt, reason, zone);
}

/** Words the reason for the person who asks "why did you write?". */
export function reasonForPerson(reason: Reason, zone: string): string {
  return quoting(WORDS[reason.kind].person, reason, zone);
}

function quoting(before: string, { kind, about, createdAt }: Reason, zone: string): string {
  // A day that matters comes for years: without the year, "my 30th birthday" would be wished again at 31.
  const year = kind === 'date' ? ' yyyy' : '';
  const on = DateTime.fromJSDate(createdAt, { zone })
    .setLocale('en')
    .toFormat(`cccc, d LLLL${year} 'at' HH:mm`);
  return `${before.replace('{on}', on)}: “${about.slice(0, MAX_QUOTED)}”`;
}
