import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadPersonas, SHIPPED_FOLDER } from '../../services/personality/dist/persona/load-personas.js';
import { checkStories } from '../simulation/check-stories.ts';
import { drawMoods } from '../simulation/draw-moods.ts';
import { readPeople, type Person } from '../simulation/people.ts';
import { printCalendar } from '../simulation/print-calendar.ts';
import { simulate, type Story } from '../simulation/simulate.ts';

const FILE = join(import.meta.dirname, '../simulation/people.json');
const DAYS = 9;

let people: Person[];
let stories: Story[];

async function play(seed: number): Promise<Story[]> {
  const persona = (await loadPersonas([SHIPPED_FOLDER])).personas[0]!;
  // From here the clocks go forward in America on the second day.
  return simulate({ people, persona, days: DAYS, seed, from: '2026-03-07' });
}

beforeAll(async () => {
  people = readPeople(FILE, await readFile(FILE, 'utf8'));
  stories = await play(1);
}, 60_000);

const of = (name: string) => stories.find(({ person }) => person.name === name)!;

describe('days among simulated people', () => {
  it('hold every rule of outreach, and do write to somebody', () => {
    expect(checkStories(stories, DAYS)).toEqual([]);
    expect(stories.flatMap(({ sent }) => sent).length).toBeGreaterThan(20);
  });

  it('leave whoever never answers alone after two messages', () => {
    expect(of('Dan').sent).toHaveLength(2);
  });

  it('leave whoever did not allow it alone', () => {
    for (const name of ['Ivo', 'Kay', 'Max']) expect(of(name).sent).toEqual([]);
    const pia = of('Pia');
    const optedOutAt = pia.consent.at(-1)!.at;
    expect(pia.sent.filter(({ at }) => at > optedOutAt)).toEqual([]);
  });

  it('feel worse about whoever is hostile', () => {
    const pleasure = (name: string) => Math.min(...of(name).moods.map(({ pad }) => pad.p));
    expect(pleasure('Cleo')).toBeLessThan(pleasure('Ada'));
  });

  it('are the same days for the same seed', async () => {
    expect(printCalendar(await play(1), DAYS)).toBe(printCalendar(stories, DAYS));
    expect(drawMoods(stories, DAYS).match(/<polyline/g)).toHaveLength(3 * people.length);
  }, 60_000);
});

describe('the check of a simulation', () => {
  const broken = (name: string, change: (story: Story) => Partial<Story>) =>
    checkStories([{ ...of(name), ...change(of(name)) }], DAYS).map(({ rule }) => rule);
  const again = ({ sent }: Story, atMs: number) => ({
    ...sent[0]!,
    at: new Date(sent[0]!.at.getTime() + atMs),
  });

  it.each<[rule: string, name: string, change: (story: Story) => Partial<Story>]>([
    ['only with consent', 'Ada', () => ({ consent: [] })],
    [
      'never in quiet hours',
      'Ada',
      ({ settings }) => ({ settings: { ...settings, quietFrom: '00:00', quietUntil: '23:59' } }),
    ],
    ['within the caps', 'Gus', (story) => ({ sent: [...story.sent, again(story, 1)] })],
    ['two unanswered at most', 'Dan', (story) => ({ sent: [...story.sent, again(story, 3 * 86_400_000)] })],
    [
      'promises on their day',
      'Ada',
      ({ intentions }) => ({ sent: [], intentions: intentions.map((one) => ({ ...one, waits: new Map() })) }),
    ],
    ['moods within the space', 'Ada', () => ({ moods: [{ at: new Date(0), pad: { p: 1.2, a: 0, d: 0 } }] })],
  ])('sees a breach of: %s', (rule, name, change) => {
    expect(broken(name, change)).toContain(rule);
  });
});

describe('a file of people', () => {
  it('is refused with the fields that are wrong', () => {
    const text = JSON.stringify([
      { name: 'Ada', zone: 'Middle/Earth' },
      { name: 'Ben', answers: 2 },
    ]);
    expect(() => readPeople('people.json', text)).toThrow(/0\.zone: not a time zone[^]*1\.answers/);
    expect(() => readPeople('people.json', '{')).toThrow('people.json: not JSON');
  });
});
