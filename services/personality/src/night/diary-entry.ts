import { describeMood } from '../affect/mood/describe-mood.js';
import type { ReflectedQuirk } from './reflect-on-quirks.js';
import type { DayEvent } from './self-note.js';
import { strongestMoments } from './strongest-moments.js';
import { LINE_END, mentionOf } from './diary-for.js';
import { saidOf } from './said-of.js';

/** The material of a day's entry. */
interface DiaryInput {
  /** As ISO date. */
  day: string;
  /** In order of time. */
  events: readonly DayEvent[];
  /** Turns in which something was said. */
  exchanges: number;
  people: number;
  /** The quirks as the night left them, with this day's sources. */
  quirks: readonly ReflectedQuirk[];
}

export interface DiarySource {
  /** The number in brackets in the text. */
  number: number;
  turnId: string;
  personId: string;
}

interface DiaryEntry {
  text: string;
  sources: DiarySource[];
}

const LONG_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * The companion's own entry on a day, in first person, each thing with the turn it comes from. Depends on the day alone,
 * so a day that is written again reads the same.
 */
export function diaryEntry({ day, events, exchanges, people, quirks }: DiaryInput): DiaryEntry {
  const date = `${LONG_DATE.format(new Date(`${day}T00:00:00Z`))}.`;
  if (exchanges === 0) return { text: `${date} A quiet day; nobody came by, and that is fine.`, sources: [] };
  const sources: DiarySource[] = [];
  const cite = ({ turnId, personId }: { turnId: string; personId: string }): string => {
    const known = sources.find((source) => source.turnId === turnId);
    if (known) return `[${known.number}]`;
    sources.push({ number: sources.length + 1, turnId, personId });
    return `[${sources.length}]`;
  };
  const text = [
    date,
    `${exchanges === 1 ? 'One exchange' : `${exchanges} exchanges`} with ${people === 1 ? 'one person' : `${people} people`}.`,
    ...strongestMoments(events).map((event) => `${saidOf(event)} ${cite(event)}.`),
    ...quirks
      .filter((quirk) => quirk.sources.length > 0)
      .map((quirk) => habitLine(quirk, quirk.sources.slice(0, 2).map(cite))),
    endLine(events),
  ];
  return { text: text.join(LINE_END), sources };
}

function habitLine(quirk: ReflectedQuirk, citations: string[]): string {
  const isNew = quirk.origin === 'reflection' && quirk.strength <= 0.3;
  return `${isNew ? 'I notice that I' : 'Again I'} ${mentionOf(quirk)} ${citations.join('')}.`;
}

function endLine(events: readonly DayEvent[]): string {
  const last = events.at(-1);
  if (!last) return 'Nothing moved me much.';
  const { label, strength } = describeMood(last.shared);
  return `What came last left me ${strength} ${label}.`;
}
