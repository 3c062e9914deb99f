import { describe, expect, it } from '@jest/globals';
import {
  chooseMemories,
  fitOf,
  fuseScores,
  importanceBoost,
  isAlike,
  moodBoost,
  proofBoost,
  recencyBoost,
  scoreCandidates,
  type Candidate,
} from './memory-ranking.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

function candidate(id: string, over: Partial<Candidate> = {}): Candidate {
  return {
    id,
    text: 'forty characters of text, more or less…',
    speaker: null,
    validFrom: null,
    validTo: null,
    importance: 1,
    pinned: false,
    saidAt: daysAgo(400),
    lastRecalledAt: null,
    timesUsed: 0,
    feltPleasure: null,
    denseRank: null,
    similarity: null,
    lexicalRank: null,
    words: null,
    answers: 0,
    ...over,
  };
}

const nothingAlike = (): number => 0;
const idsOf = (ranked: { candidate: Candidate }[]): string[] => ranked.map((entry) => entry.candidate.id);

const OF_NOTHING = {
  about: null,
  isOfSelf: false,
  asksAdvice: false,
  asksWhen: false,
  asksAll: null,
  isOverview: false,
  asksPast: false,
  time: null,
};
const ASKED = { question: OF_NOTHING, kind: 'semantic', now: NOW } as const;
const best = { similarity: 0.8, words: 10 };

describe('a line that may be recalled', () => {
  it('has a word of the question, or is alike enough for that to say something', () => {
    expect(isAlike({ words: 0.2, similarity: null }, 'lexical')).toBe(true);
    expect(isAlike({ words: null, similarity: 0.01 }, 'lexical')).toBe(false);
    expect(isAlike({ words: null, similarity: 0.4 }, 'lexical')).toBe(true);
    expect(isAlike({ words: null, similarity: 0.01 }, 'semantic')).toBe(true);
    expect(isAlike({ words: null, similarity: null }, 'semantic')).toBe(false);
  });
});

describe('fusing the arms', () => {
  it('gives 1 to what is best in both, and by its share to what is best in one', () => {
    expect(fuseScores({ similarity: 0.8, words: 10 }, best, 'semantic')).toBe(1);
    expect(fuseScores({ similarity: null, words: 10 }, best, 'semantic')).toBeCloseTo(1 / 1.6, 10);
    expect(fuseScores({ similarity: null, words: null }, best, 'semantic')).toBe(0);
  });

  it('counts a space that knows spelling alone for little', () => {
    expect(fuseScores({ similarity: 0.8, words: null }, best, 'lexical')).toBeCloseTo(0.4 / 1.4, 10);
  });

  it('takes what points the other way for nothing', () => {
    expect(fuseScores({ similarity: -0.5, words: 5 }, best, 'semantic')).toBeCloseTo(0.5 / 1.6, 10);
  });
});

describe('fit', () => {
  const about = { ...OF_NOTHING, about: ['Ann', 'nightowl'], asksWhen: true };
  const fit = (over: Partial<Candidate>, question: Parameters<typeof fitOf>[1]['question']) =>
    fitOf(candidate('a', over), { question, kind: 'lexical', now: NOW });

  it('is higher for who was asked about, and for a time where one was asked', () => {
    expect(fit({ text: 'I moved.', speaker: 'Ann' }, about)).toBeCloseTo(0.8, 10);
    expect(fit({ text: 'I moved.', speaker: 'nightowl' }, about)).toBeCloseTo(0.8, 10);
    expect(fit({ text: 'You moved last May.', speaker: 'Bo' }, about)).toBeCloseTo(0.15, 10);
  });

  it('is lower for what holds no longer', () => {
    expect(
      fit({ text: 'Ann lives in Bern', validFrom: daysAgo(90), validTo: NOW }, ASKED.question),
    ).toBeCloseTo(-0.5, 10);
    expect(fit({ text: 'Ann has a test', validFrom: NOW, validTo: daysAgo(-3) }, ASKED.question)).toBe(0);
  });

  it('is the same for what states and for what asks, as those who ask tell of themselves', () => {
    expect(fit({ text: 'Can you help me move to Bern?' }, ASKED.question)).toBe(0);
    expect(fit({ text: 'I moved.', speaker: 'Ann' }, ASKED.question)).toBe(0);
  });

  it('is lower for what asks where somebody else is asked about', () => {
    const ofAnn = { ...OF_NOTHING, about: ['Ann', 'nightowl'] };
    expect(fit({ text: 'How was your trip?', speaker: 'Bob' }, ofAnn)).toBeCloseTo(-0.3, 10);
    expect(fit({ text: 'My trip was long.', speaker: 'Bob' }, ofAnn)).toBe(0);
  });

  it('is higher for lines about the asker where they ask about themselves', () => {
    const ofSelf = { ...OF_NOTHING, isOfSelf: true };
    expect(fit({ text: 'I moved to Bern in May.' }, ofSelf)).toBeCloseTo(1, 10);
    expect(fit({ text: 'You could move your desk.' }, ofSelf)).toBe(0);
    expect(fit({ text: 'Ann lives in Bern', validFrom: daysAgo(9) }, ofSelf)).toBeCloseTo(1, 10);
  });

  it('is higher for a preference where advice is asked for, and for how one wants to be answered', () => {
    const advice = { ...OF_NOTHING, asksAdvice: true };
    expect(fit({ text: 'I prefer to write in the mornings.' }, advice)).toBeCloseTo(0.6, 10);
    expect(fit({ text: 'I prefer to write in the mornings.' }, ASKED.question)).toBe(0);
    expect(fit({ text: 'Always give me code in Rust.' }, ASKED.question)).toBeCloseTo(0.5, 10);
    expect(fit({ text: 'Always there for you!' }, ASKED.question)).toBe(0);
  });

  it('is higher for what was said, or held, in the time that is asked about', () => {
    const then = { ...ASKED.question, time: { from: daysAgo(100), to: daysAgo(90) } };
    expect(fit({ text: 'I moved.', saidAt: daysAgo(95) }, then)).toBeCloseTo(1, 10);
    expect(fit({ text: 'I moved.', saidAt: daysAgo(80) }, then)).toBe(0);
    const longer = { ...then, time: { from: daysAgo(300), to: daysAgo(90) } };
    expect(fit({ text: 'I moved.', saidAt: daysAgo(95) }, longer)).toBeCloseTo(0.5, 10);
    const fact = { text: 'Ann lives in Bern', validFrom: daysAgo(200), validTo: daysAgo(95) };
    expect(fit(fact, then)).toBeCloseTo(1, 10);
    expect(fit({ ...fact, validTo: daysAgo(150) }, then)).toBeCloseTo(-0.5, 10);
  });
});

describe('boosts', () => {
  it('halve recency every fortnight since the memory was said or last recalled', () => {
    expect(recencyBoost(candidate('a', { saidAt: NOW }), NOW)).toBeCloseTo(0.1, 10);
    expect(recencyBoost(candidate('a', { saidAt: daysAgo(14) }), NOW)).toBeCloseTo(0.05, 10);
    expect(recencyBoost(candidate('a', { lastRecalledAt: daysAgo(28) }), NOW)).toBeCloseTo(0.025, 10);
  });

  it('stay within a tenth, also for dates to come and importance out of range', () => {
    expect(recencyBoost(candidate('a', { saidAt: daysAgo(-30) }), NOW)).toBe(0.1);
    expect(importanceBoost({ importance: 10, pinned: false })).toBeCloseTo(0.1, 10);
    expect(importanceBoost({ importance: 99, pinned: false })).toBeCloseTo(0.1, 10);
    expect(importanceBoost({ importance: 1, pinned: false })).toBe(0);
    expect(importanceBoost({ importance: 1, pinned: true })).toBeCloseTo(0.1, 10);
  });

  it('go up with what was felt as one feels now, and never down', () => {
    expect(moodBoost({ feltPleasure: 1 }, 1)).toBeCloseTo(0.03, 10);
    expect(moodBoost({ feltPleasure: -0.5 }, -0.5)).toBeCloseTo(0.0075, 10);
    expect(moodBoost({ feltPleasure: -1 }, 1)).toBe(0);
    expect(moodBoost({ feltPleasure: null }, 1)).toBe(0);
  });

  it('go up with use in replies, ever less', () => {
    const boosts = [0, 3, 1_000].map((timesUsed) => proofBoost({ timesUsed }));
    expect(boosts[0]).toBe(0);
    expect(boosts[1]).toBeCloseTo(0.025, 10);
    expect(boosts[2]).toBeLessThan(0.05);
  });

  it('cannot lift a worse match over one far better', () => {
    const fresh = candidate('fresh', { similarity: 0.3, saidAt: NOW, importance: 10 });
    const old = candidate('old', { similarity: 0.4, words: 9 });
    expect(idsOf(scoreCandidates([fresh, old], ASKED))).toEqual(['old', 'fresh']);
  });

  it('settle what matches alike', () => {
    const dull = candidate('a-dull', { similarity: 0.5, words: 9 });
    const dear = candidate('b-dear', { similarity: 0.5, words: 9, importance: 9 });
    expect(idsOf(scoreCandidates([dull, dear], ASKED))).toEqual(['b-dear', 'a-dull']);
  });
});

describe('scores', () => {
  it('are what their parts say', () => {
    const found = { similarity: 0.4, words: 3, importance: 5, timesUsed: 2, feltPleasure: -0.5 };
    const asked = { ...ASKED, mood: -0.4, certainty: 0.5 };
    const [ranked] = scoreCandidates([candidate('a', found)], asked);
    const { why } = ranked!;
    const boosts = why.recency + why.importance + why.mood + why.proof;
    expect([why.mood, why.proof].every((boost) => boost > 0)).toBe(true);
    expect(why.score).toBeCloseTo(why.fused * (1 + why.fit) * (1 + boosts) * 0.5, 12);
  });
});

describe('choosing', () => {
  const three = scoreCandidates(
    [1, 2, 3].map((rank) => candidate(`m${rank}`, { similarity: 1 - rank / 100, words: 1 - rank / 100 })),
    ASKED,
  );

  it('puts a near copy behind something new', () => {
    const copies = new Set(['m1', 'm2']);
    const alike = (a: Candidate, b: Candidate): number => (copies.has(a.id) && copies.has(b.id) ? 0.98 : 0.1);
    expect(idsOf(chooseMemories(three, { limit: 3, maxTokens: 1000 }, alike))).toEqual(['m1', 'm3', 'm2']);
  });

  it('keeps the order of relevance where nothing is alike', () => {
    expect(idsOf(chooseMemories(three, { limit: 2, maxTokens: 1000 }, nothingAlike))).toEqual(['m1', 'm2']);
  });

  it('passes over what does not fit the budget, for what does', () => {
    const [first, second, third] = three as [(typeof three)[0], (typeof three)[0], (typeof three)[0]];
    const long = { ...second, candidate: { ...second.candidate, text: 'x'.repeat(4000) } };
    const chosen = chooseMemories([first, long, third], { limit: 3, maxTokens: 30 }, nothingAlike);
    expect(idsOf(chosen)).toEqual(['m1', 'm3']);
  });

  it('names the best of what the prompt tells anyway, which takes nothing of the budget', () => {
    const many = scoreCandidates(
      Array.from({ length: 12 }, (_, rank) => candidate(`m${10 + rank}`, { similarity: 1 - rank / 100 })),
      ASKED,
    );
    const isTold = ({ id }: Candidate) => id < 'm20';
    const chosen = chooseMemories(many, { limit: 20, maxTokens: 30, isTold }, nothingAlike);
    expect(idsOf(chosen)).toEqual([...many.slice(0, 8), ...many.slice(10)].map((each) => each.candidate.id));
  });

  it('takes each once where none is worth anything', () => {
    const worthless = three.map(({ candidate: each, why }) => ({
      candidate: each,
      why: { ...why, score: 0 },
    }));
    const chosen = chooseMemories(worthless, { limit: 3, maxTokens: 1000 }, nothingAlike);
    expect(idsOf(chosen)).toEqual(['m1', 'm2', 'm3']);
  });

  it('chooses nothing from nothing', () => {
    expect(chooseMemories([], { limit: 3, maxTokens: 30 }, nothingAlike)).toEqual([]);
  });
});
