import { moodInWords } from '@kith/contracts';
import { describeMood, withoutGrudge } from '../affect/mood/describe-mood.js';
import type { ReflectedQuirk } from './reflect-on-quirks.js';
import type { DayEvent } from './self-note.js';
import { LINE_END, mentionOf } from './diary-words.js';

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

/** A turn that an entry cites, under its number in brackets. */
type DiarySource = Pick<DayEvent, 'turnId' | 'personId'> & { number: number };

const LONG_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * The companion's own entry on a day, in first person, each thing with the turn it comes from. Depends on the day alone,
 * so a day that is written again reads the same.
 */
export function diaryEntry({ day, events, exchanges, people, quirks }: DiaryInput) {
  const date = `${LONG_DATE.format(new Date(`${day}T00:00:00Z`))}.`;
  const sources: DiarySource[] = [];
  if (exchanges === 0) return { text: `${date} A quiet day; nobody came by, and that is fine.`, sources };
  const cite = ({ turnId, personId }: Omit<DiarySource, 'number'>): string => {
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
  return last
    ? `What came last left me ${moodInWords(withoutGrudge(describeMood(last.shared)))}.`
    : 'Nothing moved me much.';
}

/** Words of the diary for an emotion. Impersonal on purpose: operators read it as well. */
const SAID_OF: Readonly<Record<string, string>> = {
  gratitude: 'there was kindness',
  admiration: 'there was something to admire',
  gratification: 'something I did was of use',
  pride: 'I was content with something I did',
  love: 'there was affection',
  liking: 'I heard of things worth liking',
  joy: 'there was simple good company',
  'happy-for': 'there was good news to be happy about',
  pity: 'there was sorrow, and it stayed with me',
  hope: 'there was something to hope for',
  fear: 'there was something to be anxious about',
  relief: 'a worry turned out to be nothing',
  satisfaction: 'something hoped for came true',
  disappointment: 'something hoped for fell through',
  'fears-confirmed': 'something feared came true',
  anger: 'there were harsh words',
  reproach: 'there was something I minded',
  hate: 'I met with something I cannot abide',
  distress: 'something weighed on me',
  remorse: 'I got something wrong and was sorry for it',
  shame: 'I was not at my best',
  disliking: 'I heard of things I do not care for',
};

/** Begins a sentence of the diary with what was felt. */
function saidOf({ emotion }: DayEvent): string {
  const said = SAID_OF[emotion] ?? emotion;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}

/** An entry is a paragraph: more moments than this would be a log. */
const MENTIONED_EVENTS = 6;

/** Picks the strongest moment of each kind of feeling, in order of time. */
function strongestMoments(events: readonly DayEvent[]): DayEvent[] {
  const strongest = new Map<string, DayEvent>();
  for (const event of events) {
    const known = strongest.get(event.emotion);
    if (!known || event.intensity > known.intensity) strongest.set(event.emotion, event);
  }
  const chosen = new Set(
    [...strongest.values()]
      .sort((one, other) => other.intensity - one.intensity || one.emotion.localeCompare(other.emotion))
      .slice(0, MENTIONED_EVENTS),
  );
  return events.filter((event) => chosen.has(event));
}
