import { describe, expect, it } from '@jest/globals';
import { planKey, stateOf } from './keys.js';
import { resolveId } from './memories.js';
import { bar, moodLines, whyWords } from './mood.js';
import { replayLines, sparkline } from './replay.js';
import { planChange } from './outreach.js';
import { describeIndex, describeProgress } from './reindex.js';

const ID = '019a0000-0000-7000-8000-0000aabbccdd';

describe('resolveId', () => {
  it('finds the one id with that ending, and takes a full one as it is', () => {
    expect(resolveId('aabbccdd', [ID, '019a0000-0000-7000-8000-000011112222'])).toBe(ID);
    expect(resolveId(ID, [])).toBe(ID);
  });

  it.each([
    ['ffff', 'no memory has the id'],
    ['dd', 'no memory has the id'],
    ['ccdd', 'more than one memory'],
  ])('refuses %p', (given, message) => {
    expect(() => resolveId(given, [ID, '019a0000-0000-7000-8000-00000000ccdd'])).toThrow(message);
  });
});

describe('planChange', () => {
  it('changes what was said and nothing else', () => {
    expect(planChange({ on: true, zone: 'Europe/Berlin', quietFrom: '22:00', cap: 2 })).toEqual({
      optedIn: true,
      timeZone: 'Europe/Berlin',
      quietFrom: '22:00',
      dailyCap: 2,
    });
    expect(planChange({ zone: 'new york', weeklyCap: 3, topicsOff: ' work, my ex,' })).toEqual({
      timeZone: 'America/New_York',
      weeklyCap: 3,
      topicsOff: ['work', 'my ex'],
    });
    expect(planChange({ topicsOff: '' })).toEqual({ topicsOff: [] });
    expect(planChange({ off: true })).toEqual({ optedIn: false });
    expect(planChange({ json: true })).toBeNull();
  });

  it.each([
    [{ on: true, off: true }, 'not both'],
    [{ zone: 'Berln' }, '--zone: not a time zone: did you mean Europe/Berlin'],
    [{ zone: 'Middle/Earth' }, '--zone: not a time zone'],
    [{ quietFrom: '25:00' }, '--quiet-from: a time such as'],
    [{ cap: 99 }, '--cap: at most 10'],
    [{ cap: 1.5 }, '--cap: a whole number'],
    [{ cap: 99, weeklyCap: -1 }, '--cap: at most 10; --weekly-cap: at least 0'],
    [{ topicsOff: 'x' }, '--topics-off: at least two letters'],
  ])('refuses %j in one line', (options, message) => {
    expect(() => planChange(options)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => planChange(options)).toThrow(message);
    expect(() => planChange(options)).not.toThrow(/\n/);
  });
});

describe('a reindex', () => {
  const state = {
    index: 'exact' as const,
    space: 's',
    memories: 3,
    indexed: 2,
    points: 2,
    next: null,
    running: false,
  };

  it('is told in percents and by its rate', () => {
    const progress = { done: 128, total: 300, perSecond: 63.7, isBeside: false };
    expect(describeProgress({ progress })).toBe('42 %: 128 of 300 written, 64 a second');
    expect(describeProgress({ progress: null })).toBe('comparing the index with the memories');
  });

  it('ends with what the index holds, as far as that is known', () => {
    expect(describeIndex({ ...state, progress: null })).toBe(
      '2 of 3 memories are in the index (exact, space s), which holds 2',
    );
    expect(describeIndex({ ...state, points: null, running: true, progress: null })).toContain(
      'which is out of reach; a reindex is on its way',
    );
  });
});

describe('planKey', () => {
  const now = new Date('2026-06-01T00:00:00Z');

  it('tells a new person by name from one there is by id', () => {
    expect(planKey({ person: 'Ada', scope: 'chat, admin', expires: '2027-12-31' }, now)).toEqual({
      person: 'Ada',
      name: 'cli',
      scopes: ['chat', 'admin'],
      expiresAt: '2027-12-31T23:59:59.000Z',
    });
    expect(planKey({ person: ID, reason: 'lost theirs' }, now)).toMatchObject({
      personId: ID,
      reason: 'lost theirs',
      scopes: ['chat', 'memories', 'outreach'],
    });
  });

  it.each([
    [
      { person: 'Ada', scope: 'everything' },
      '--scope: one of chat, memories, import, outreach, audit, admin',
    ],
    [{ person: ' ' }, '--person: at least 1 character'],
    [{ person: ID, reason: ' x ' }, '--reason: at least 3 characters'],
    [{ person: 'Ada', expires: 'soon' }, 'is not a date'],
    [{ person: 'Ada', expires: '2026-05-31' }, '--expires 2026-05-31 is past'],
  ])('refuses %j', (options, message) => {
    expect(() => planKey(options, now)).toThrow(message);
  });
});

describe('a key in a list', () => {
  const now = new Date('2026-06-01T00:00:00Z');

  it.each([
    [null, null, 'in force'],
    [null, '2026-07-01T00:00:00.000Z', 'until 2026-07-01'],
    [null, '2026-05-01T00:00:00.000Z', 'expired 2026-05-01'],
    ['2026-05-02T00:00:00.000Z', '2026-07-01T00:00:00.000Z', 'revoked 2026-05-02'],
  ])('revoked %p, expires %p: is %p', (revokedAt, expiresAt, words) => {
    expect(stateOf({ revokedAt, expiresAt }, now)).toBe(words);
  });
});

describe('a course in text', () => {
  const course = [-1, 0, 1].map((value, n) => ({ at: `2026-01-0${n + 1}T00:00:00.000Z`, value }));

  it('is drawn by time, from -1 to 1', () => {
    expect(sparkline(course, 5)).toBe('▁▁▅▅█');
    expect(sparkline([], 5)).toBe('');
  });

  const series = course.map(({ at, value }) => ({
    ...{ at, pad: { p: value, a: 0, d: 0 }, emotion: null, intensity: null },
  }));
  const replay = {
    ...{ turns: 3, unknownVersions: 0, differing: 0, firstDifference: null },
    stored: { baseline: { p: 0.1, a: 0, d: 0 }, series },
    replayed: { baseline: { p: 0.2, a: 0, d: 0 }, series },
  };

  it('stands beside the one that was, with numbers, when a persona is tried', () => {
    const lines = replayLines(replay, true);
    expect(lines[1]).toMatch(/^ {2}as it was .*mean \+0\.00, −1\.00 to \+1\.00, at rest \+0\.10$/);
    expect(lines[2]).toMatch(/^ {2}replayed .*at rest \+0\.20$/);
    expect(lines.at(-1)).toBe('3 turns felt again with that persona; 0 left something else');
  });

  it('says whether the log is proven, and where it is not', () => {
    expect(replayLines(replay, false).at(-1)).toBe(
      '3 turns felt again: equal to what is stored, bit for bit',
    );
    const firstDifference = { turnId: 'turn', at: '2026-01-02T00:00:00.000Z', what: 'needs' as const };
    expect(replayLines({ ...replay, differing: 2, firstDifference }, false).at(-1)).toContain(
      '2 differ from what is stored, first the needs after turn turn',
    );
  });
});

describe('a mood in text', () => {
  it('draws values around their middle', () => {
    expect([bar(0.5), bar(-1), bar(0)]).toEqual([
      '··········│█████·····',
      '██████████│··········',
      '··········│··········',
    ]);
  });

  it('says what moved it and how the two stand', () => {
    const lines = moodLines('Mira', {
      companionId: 'mira',
      now: { pad: { p: 0.4, a: -0.2, d: 0 }, label: 'relaxed', strength: 'slightly' },
      baseline: { p: 0.1, a: 0, d: 0 },
      halfLifeMs: 7_200_000,
      series: [
        { at: '2026-01-01T10:00:00.000Z', pad: { p: 0, a: 0, d: 0 }, emotion: null, intensity: null },
        { at: '2026-01-02T10:00:00.000Z', pad: { p: 0.4, a: 0, d: 0 }, emotion: 'joy', intensity: 0.5 },
      ],
      relationship: {
        stage: 'acquaintance',
        familiarity: 0.25,
        affection: 0.5,
        trust: 0.1,
        tension: 0.05,
        sentiment: 0.2,
        milestones: [],
        jokes: [],
        interactions: 9,
        firstMetAt: null,
        lastSpokeAt: null,
      },
    });
    expect(lines[0]).toBe('Mira is slightly relaxed');
    expect(lines[1]).toContain('+0.40  (at rest +0.10)');
    expect(lines).toContain('  2026-01-02 10:00  joy 0.50');
    expect(lines.at(-1)).toContain('with you: acquaintance, familiarity 25%');
    expect(lines).toHaveLength(7);
  });

  it('says why it moved: how a turn was read, and what it was the outcome of', () => {
    const event = {
      ...{ turnId: 'b', personId: 'p', at: '2026-01-02T10:00:00.000Z', emotion: 'relief', intensity: 0.5 },
      variables: { desirability: 0.6, praiseworthiness: 0, target: 'other', prospect: 'disconfirmed' },
      ...{ appraiser: 'rules' as const, change: null, mood: { p: 0, a: 0, d: 0 }, settles: null },
    };
    const read = 'desirability +0.60, target other, prospect disconfirmed (by rules)';
    expect(whyWords(event)).toBe(read);
    const settles = { turnId: 'a', kind: 'feared' as const, since: '2025-12-30T10:00:00.000Z' };
    expect(whyWords({ ...event, settles: { ...settles, about: 'my exam' } })).toBe(
      `what was feared on 2025-12-30 “my exam”; ${read}`,
    );
    expect(whyWords({ ...event, settles: { ...settles, about: null } })).toBe(
      `what was feared on 2025-12-30; ${read}`,
    );
  });
});
