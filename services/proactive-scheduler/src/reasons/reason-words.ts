import type { ReasonKind } from '@kith/contracts';
import { DateTime } from 'luxon';

interface Reason {
  kind: ReasonKind;
  about: string;
  createdAt: Date;
}

// With the words around it a reason stays within 500 characters of a prompt.
const MAX_QUOTED = 300;

/** Words the reason for the prompt: what was told when, in the words used. At most 500 characters. */
export function reasonForPrompt({ kind, about, createdAt }: Reason, zone: string): string {
  const on = `On ${spokenTime(createdAt, zone)}`;
  const words = `“${about.slice(0, MAX_QUOTED)}”`;
  switch (kind) {
    case 'promise':
      return `${on} you promised to come back to something, and now is the time. Your words: ${words}`;
    case 'request':
      return `${on} they asked you to come back to something, and now is the time. Their words: ${words}`;
    case 'date':
      return `Today is a day that matters to them. Their words of ${spokenTime(createdAt, zone, OF_A_YEAR)}: ${words}`;
    case 'follow-up':
      return `${on} they told you of something that should be over by now: ask how it went. Their words: ${words}`;
    case 'interest':
      return `It is something they care about, and you would like to hear of it. What you know: ${words}`;
    case 'need':
      return `You would like a word with them of your own accord; do not make that their burden. What is on your mind: ${words}`;
  }
}

/** Words the reason for the person who asks "why did you write?". */
export function reasonForPerson({ kind, about, createdAt }: Reason, zone: string): string {
  const on = `on ${spokenTime(createdAt, zone)}`;
  const words = `“${about.slice(0, MAX_QUOTED)}”`;
  switch (kind) {
    case 'promise':
      return `It promised to, ${on}: ${words}`;
    case 'request':
      return `You asked for it, ${on}: ${words}`;
    case 'date':
      return `It was a day that matters to you; you said on ${spokenTime(createdAt, zone, OF_A_YEAR)}: ${words}`;
    case 'follow-up':
      return `You told of something ahead, ${on}: ${words}`;
    case 'interest':
      return `It remembers that you care about this: ${words}`;
    case 'need':
      return `Of its own accord: ${words}`;
  }
}

/** Such a day comes for years: without the year, "my 30th birthday" would be wished again at 31. */
const OF_A_YEAR = "cccc, d LLLL yyyy 'at' HH:mm";

function spokenTime(at: Date, zone: string, format = "cccc, d LLLL 'at' HH:mm"): string {
  return DateTime.fromJSDate(at, { zone }).setLocale('en').toFormat(format);
}
