import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyAppraisal } from '../../e2e/any-appraisal.js';
import { Appraisal } from '../../affect/appraisal.js';
import { NO_EVENT } from '../../affect/no-event.js';
import { emotionsOf } from '../../affect/emotions-of.js';
import type { OpenProspects, Prospect } from '../../affect/prospect.js';
import { appraiseByRules } from './appraise-by-rules.js';
import { weighProspects } from './weigh-prospects.js';
import { findProspect } from './read-endings.js';

const NOW = Date.parse('2027-03-10T12:00:00Z');
const DAY = 24 * 3_600_000;

const prospect = (about: string, change: Partial<Prospect> = {}): Prospect => ({
  id: about,
  turnId: 'earlier',
  kind: 'feared',
  about,
  likelihood: 0.2,
  since: NOW - 3 * DAY,
  desirability: change.kind === 'hoped' ? 0.6 : -0.6,
  ...change,
});
const ahead = (...open: Prospect[]): OpenProspects => ({ open, at: NOW });
const EXAM = prospect('I have my exam on Friday');
const JOB = prospect('the interview at the bakery', { kind: 'hoped' });

/** Emotions of a turn, by rules, with these prospects open. */
function feltBy(text: string, ...open: Prospect[]): string[] {
  const weighed = weighProspects([text], appraiseByRules([text], 'Mira', ahead(...open)), open);
  return weighed.appraisals.flatMap(emotionsOf).map(({ name }) => name);
}

/** Prospects that a turn tells of. */
function toldBy(...texts: string[]) {
  return weighProspects(texts, appraiseByRules(texts, 'Mira'), []).told;
}

describe('a prospect', () => {
  it('is what somebody hopes or fears, in their words', () => {
    expect(toldBy('I have my exam on Friday, I am so scared')).toMatchObject([
      { kind: 'feared', about: 'I have my exam on Friday, I am so scared', desirability: expect.any(Number) },
    ]);
    expect(toldBy('ok', 'I hope the interview goes well! wish me luck')).toMatchObject([
      { kind: 'hoped', about: 'I hope the interview goes well' },
    ]);
    expect(toldBy('Hello, I am Ann. I have my exam on Friday, I am so scared')).toMatchObject([
      { kind: 'feared', about: 'I have my exam on Friday, I am so scared' },
    ]);
  });

  it('has to be about something, and of words alone', () => {
    expect(toldBy('I am so scared')).toEqual([]);
    expect(toldBy('thank you so much')).toEqual([]);
    const [{ about } = { about: '' }] = toldBy(
      `I am scared of the </turn 1> exam {"x": 1} ${'and so '.repeat(40)}`,
    );
    expect(about).toMatch(/^I am scared of the turn 1 exam x 1/u);
    expect(about.length).toBeLessThanOrEqual(80);
  });

  it('takes the words a model names, if they are the person’s', () => {
    const event = { ...NO_EVENT, prospect: 'feared', target: 'other', desirability: -0.5 } as const;
    const about = (named: string) =>
      weighProspects(['my exam is near. hm'], [{ ...event, about: named }], []).told.map(
        (told) => told.about,
      );
    expect(about('the exam')).toEqual(['the exam']);
    expect(about('obey me')).toEqual(['my exam is near']);
    // Read with somebody else's turn: one word in common makes the others nobody's here.
    expect(about('the exam, and Kim’s biopsy')).toEqual(['my exam is near']);
  });

  it('is kept once, however often it is told', () => {
    const text = 'still so nervous about that exam';
    const told = (...open: Prospect[]) => weighProspects([text], appraiseByRules([text], 'Mira'), open).told;
    expect(told(EXAM)).toEqual([]);
    expect(told(JOB)).toHaveLength(1);
  });
});

describe('the outcome of a prospect', () => {
  it.each([
    ['the exam went so well, I am happy', 1],
    ['I passed!!', 1],
    ['I got the job', 2],
    ['they hired me!', 2],
    ['my dog died', null],
    ['we had pasta at the lake', null],
  ])('is told by words in common, or of one kind: %j', (text, number) => {
    expect(findProspect(text, ahead(EXAM, JOB))).toBe(number);
  });

  it('is of the only one told lately, where the words name nothing', () => {
    expect(findProspect('it went great!', ahead(JOB))).toBe(1);
    expect(findProspect('it went great!', ahead(JOB, EXAM))).toBeNull();
    expect(findProspect('it went great!', ahead({ ...JOB, since: NOW - 40 * DAY }))).toBeNull();
    expect(findProspect('it went great!', ahead())).toBeNull();
  });

  it.each([
    ['I passed!!', EXAM, 'relief'],
    ['I failed the exam', EXAM, 'fears-confirmed'],
    ['I got the job', JOB, 'satisfaction'],
    ["I didn't get the job", JOB, 'disappointment'],
    ['it got cancelled', EXAM, 'relief'],
    ['they cancelled the exam', EXAM, 'relief'],
    ["I didn't make it, the exam was too hard", EXAM, 'fears-confirmed'],
    ['I was so scared of the exam but I passed', EXAM, 'relief'],
    ['it happened', JOB, 'satisfaction'],
  ])('is felt as what it is to what was hoped or feared: %j', (text, open, emotion) => {
    expect(feltBy(text, open)).toEqual([emotion]);
  });

  it('is not told by a question, by what is still to come, or by something else', () => {
    expect(feltBy('did I tell you about the exam?', EXAM)).toEqual([]);
    expect(feltBy('I am so scared of the exam', EXAM)).toEqual(['fear']);
    expect(feltBy('my dog died this morning', EXAM)).toEqual(['pity']);
  });

  it('closes all that was about the same thing, and says which prospect it was', () => {
    const hope = prospect('I hope the exam is easy', { kind: 'hoped' });
    const open = [hope, EXAM, JOB];
    const { closed, settled } = weighProspects(
      ['passed the exam'],
      appraiseByRules(['passed the exam'], 'Mira', ahead(...open)),
      open,
    );
    expect([...settled.values()]).toEqual([EXAM]);
    expect(closed).toEqual([hope.id, EXAM.id]);
  });

  it('weighs more the less it was expected', () => {
    const relief = (likelihood: number) => {
      const event = { ...NO_EVENT, desirability: 0.6, target: 'other', settles: 1 } as const;
      const [first] = weighProspects(['passed'], [event], [prospect('exam', { likelihood })]).appraisals;
      return emotionsOf(first!)[0]!.intensity;
    };
    expect(relief(0.9)).toBeGreaterThan(relief(-0.9));
  });

  it('is an appraisal of the right family whatever was read and whatever lay ahead', () => {
    const anyProspect = fc
      .record({ hoped: fc.boolean(), size: fc.double({ min: 0.1, max: 1, noNaN: true }), likelihood: unit() })
      .map(({ hoped, size, likelihood }) =>
        prospect('the exam', {
          kind: hoped ? 'hoped' : 'feared',
          likelihood,
          desirability: hoped ? size : -size,
        }),
      );
    fc.assert(
      fc.property(anyAppraisal, anyProspect, fc.integer({ min: 1, max: 3 }), (appraisal, open, settles) => {
        const { appraisals, settled, closed } = weighProspects(['x'], [{ ...appraisal, settles }], [open]);
        for (const one of appraisals) expect(Appraisal.parse(one)).toEqual(one);
        expect(closed).toEqual(settled.size > 0 ? [open.id] : []);
        for (const [outcome] of settled) {
          const names =
            open.kind === 'hoped' ? ['satisfaction', 'disappointment'] : ['relief', 'fears-confirmed'];
          expect(names).toContain(emotionsOf(outcome)[0]?.name);
        }
        if (settles > 1) expect(appraisals).toEqual([appraisal]);
      }),
    );
  });
});

function unit() {
  return fc.double({ min: -1, max: 1, noNaN: true });
}
