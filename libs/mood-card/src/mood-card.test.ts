import type { MoodPoint, Pad } from '@kith/contracts';
import { describe, expect, it } from '@jest/globals';
import { describeCard, type MoodCardFacts } from './describe-card.js';
import { drawMoodCard } from './draw-mood-card.js';
import { moodCardSvg } from './mood-card-svg.js';
import { spreadLabels } from './mood-plot.js';
import { movingEvents } from './moving-events.js';
import { fitText, widthOf, writable } from './svg.js';

const HOUR = 3_600_000;
const start = Date.parse('2026-03-01T00:00:00Z');
const rest: Pad = { p: 0.4, a: -0.1, d: 0.3 };

const point = (hours: number, pad: Pad, emotion: string | null = null, intensity = 0.5): MoodPoint => ({
  at: new Date(start + hours * HOUR).toISOString(),
  pad,
  emotion,
  intensity: emotion === null ? null : intensity,
});
/** An event as a series holds it: the mood just before, and just after. */
const jump = (hours: number, p: number, emotion: string, intensity = 0.5) => [
  point(hours, rest),
  point(hours, { ...rest, p }, emotion, intensity),
];

const facts: MoodCardFacts = {
  companion: {
    name: 'Mira',
    timeZone: 'Europe/Berlin',
    traits: { openness: 0.8, conscientiousness: 0.5, extraversion: 0.4, agreeableness: 0.9, stability: 0.6 },
  },
  mood: {
    now: { pad: { p: 0.45, a: -0.1, d: 0.3 }, label: 'relaxed', strength: 'slightly' },
    series: [
      point(0, rest),
      ...jump(24, 0.5, 'joy'),
      ...jump(60, 0.1, 'fears-confirmed'),
      ...jump(100, 0.6, 'gratitude'),
      ...jump(140, 0.45, 'hope'),
      point(168, { ...rest, p: 0.45 }),
    ],
    bond: {
      familiarity: 0.42,
      affection: 0.71,
      trust: 0.63,
      interactions: 128,
      tension: 0,
      sentiment: 0,
      stage: 'acquaintance',
      milestones: [],
      jokes: [],
      firstMetAt: null,
      lastSpokeAt: null,
    },
  },
};

const named = (name: string): MoodCardFacts => ({ ...facts, companion: { ...facts.companion, name } });

describe('the events that moved a mood most', () => {
  const names = (series: MoodPoint[], apartHours = 0) =>
    movingEvents(series, 3, apartHours * HOUR).map(({ emotion }) => emotion);

  it('are those after which it stood farthest from before, in order of time', () => {
    expect(names([...facts.mood.series])).toEqual(['joy', 'fears confirmed', 'gratitude']);
  });

  it('count what was felt in one moment as one, under the name of the strongest', () => {
    const series = [...jump(1, 0.5, 'hope', 0.3), point(1, { ...rest, p: 0.6 }, 'joy', 0.9)];
    expect(movingEvents(series, 3, 0)).toMatchObject([{ emotion: 'joy', moved: expect.closeTo(0.2, 9) }]);
  });

  it('give way to a greater one nearby', () => {
    const series = [...jump(1, 0.5, 'joy'), ...jump(2, 0.9, 'love'), ...jump(9, 0.3, 'pity')];
    expect(names(series, 3)).toEqual(['love', 'pity']);
  });

  it('are none where nothing happened', () => {
    expect(names([point(0, rest), point(1, rest)])).toEqual([]);
    expect(names([])).toEqual([]);
  });
});

describe('the drawing', () => {
  it('is this one', () => {
    expect(moodCardSvg(facts)).toMatchSnapshot();
  });

  it('names days where they begin in the companion’s zone', () => {
    const daysIn = (timeZone: string) =>
      [
        ...moodCardSvg({ ...facts, companion: { ...facts.companion, timeZone } }).matchAll(
          / x="([^"]+)"[^>]*>([A-Z][a-z]{2} \d+)</g,
        ),
      ].map(([, x, label]) => [label, Math.round(Number(x))]);
    // The series ends with the seventh of March in UTC: the first hours of the eighth in Tokyo.
    expect(daysIn('UTC').slice(0, 2)).toEqual([
      ['Sat 7', 423],
      ['Fri 6', 363],
    ]);
    expect(daysIn('Asia/Tokyo').slice(0, 2)).toEqual([
      ['Sat 7', 401],
      ['Fri 6', 340],
    ]);
  });

  it('says so where nothing moved the mood and the two have not talked', () => {
    const still: MoodCardFacts = { ...facts, mood: { ...facts.mood, series: [], bond: null } };
    const svg = moodCardSvg(still);
    expect(svg).toContain('nothing you said changed it');
    expect(svg).toContain('You have not talked yet.');
    expect(svg).not.toContain('NaN');
  });

  it('escapes a name and leaves out what the font can not write', () => {
    const svg = moodCardSvg(named('A<script>&"b" \u0000ミラ🦊'));
    // Signs of mathematics go with the rest that is no name.
    expect(svg).toContain('>Ascript&amp;&quot;b&quot;<');
    expect(moodCardSvg(named('ミラ'))).toContain('>Mood<');
  });

  it('keeps to the card whatever the values are', () => {
    const wild: MoodCardFacts = {
      ...named('W'.repeat(300)),
      mood: {
        now: { pad: { p: 1, a: -1, d: 1 }, label: 'hostile', strength: 'fully' },
        series: [...jump(0, 1, 'gratification'), ...jump(167.5, -1, 'disappointment'), point(168, rest)],
        bond: { ...facts.mood.bond!, familiarity: 1, affection: 0, trust: 0.001 },
      },
    };
    const xs = [...moodCardSvg(wild).matchAll(/ (?:x|cx|x1|x2)="([^"]+)"/g)].map(([, x]) => Number(x));
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBeLessThanOrEqual(760);
    expect(moodCardSvg(wild)).toMatch(/>W+…</);
  });

  it('keeps labels apart and inside, near their marks', () => {
    const frame = { x: 0, y: 0, width: 300, height: 10 };
    const widths = [80, 80, 80];
    expect(spreadLabels([10, 150, 290], widths, frame)).toEqual([40, 150, 260]);
    const crowded = spreadLabels([280, 285, 290], widths, frame);
    expect(crowded).toEqual([80, 170, 260]);
  });

  it('cuts a text to its width', () => {
    expect(fitText('Mira', 200, 26, true)).toBe('Mira');
    const cut = fitText('W'.repeat(100), 200, 26, true);
    expect(cut).toMatch(/^W+…$/);
    expect(widthOf(cut, 26, true)).toBeLessThanOrEqual(200);
    expect(writable('  Ásta \n Øst ')).toBe('Ásta Øst');
  });
});

describe('the card in words', () => {
  it('tells the mood, what moved it and what is between the two', () => {
    expect(describeCard(facts)).toBe(
      'Mira is slightly relaxed: pleasure +0.45, arousal −0.10, dominance +0.30. ' +
        'Changed most by joy, fears confirmed, gratitude. ' +
        'Between you: familiarity 42 %, affection 71 %, trust 63 %.',
    );
    const now = { ...facts.mood.now, label: 'bored' };
    expect(describeCard({ ...facts, mood: { ...facts.mood, now } })).toMatch(/^Mira is slightly subdued:/);
  });
});

describe('the picture', () => {
  it('is a PNG at twice the size of the drawing, with the words on it', async () => {
    const { png, alt } = await drawMoodCard(facts);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_520, 832]);
    expect(alt).toContain('Mira is slightly relaxed');
    // Without its font the name would leave no trace.
    const other = await drawMoodCard(named('Vera'));
    expect(other.png.equals(png)).toBe(false);
    expect((await drawMoodCard(facts)).png.equals(png)).toBe(true);
  });
});
