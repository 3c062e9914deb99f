import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '@kith/llm';
import type { EarlierMessage } from '../conversations/talk.js';
import { wordsTold } from './words-told.js';
import { makeProbes } from './make-probes.js';
import { planSnapshot } from './plan-snapshot.js';
import { snapshotBlock } from './snapshot-block.js';

const said = (n: number, text: string, role: 'person' | 'companion' = 'person'): EarlierMessage => ({
  id: BigInt(n),
  role,
  name: role === 'person' ? 'Ann' : 'Mira',
  text,
  at: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 20))),
  turnId: `t${Math.floor(n / 2)}`,
  personId: 'p1',
  externalId: null,
});
const chatter = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    said(
      from + n,
      'well, that is about how it went, more or less, as ever',
      n % 2 === 0 ? 'person' : 'companion',
    ),
  );
const planOf = (lines: EarlierMessage[], limit = 2_000) => planSnapshot(lines, limit, estimateTokens)!;
const told = (lines: EarlierMessage[], { kept, facts }: { kept: bigint[]; facts: bigint[] }) =>
  snapshotBlock(
    lines.filter(({ id }) => kept.includes(id)).map((line) => ({ ...line, asFact: facts.includes(line.id) })),
    'Mira',
    null,
  );

describe('a snapshot', () => {
  const lines = [
    said(0, 'My sister Ida moved to 14 Harbour Lane in May.'),
    said(1, 'I will remind you of the dentist on Friday.', 'companion'),
    said(2, 'I never eat cilantro, it tastes like soap.'),
    said(3, 'Noted.', 'companion'),
    ...chatter(4, 200),
  ];

  it('tells what would be missed, in short, and leaves out what nobody would', () => {
    const plan = planOf(lines);
    const text = told(lines, plan);
    for (const part of ['14 Harbour Lane', 'the dentist on Friday', 'never eat cilantro'])
      expect(text).toContain(part);
    expect(text).not.toContain('Noted');
    expect(plan.findings).toMatchObject({ missed: 0, longerTail: false });
    expect(plan.findings.probes).toBeGreaterThanOrEqual(5);
  });

  it('is the same for the same lines, in order and wording', () => {
    expect(planOf(lines)).toEqual(planOf([...lines]));
    expect(told(lines, planOf(lines))).toBe(told(lines, planOf(lines)));
    expect(told(lines, planOf(lines))).toMatch(/^<earlier>\nThursday, 1 January 2026:\n- Ann: My sister/);
  });

  it('begins the tail with a whole turn, and keeps all within its share', () => {
    const { tailFrom, kept, facts } = planOf(lines);
    expect(Number(tailFrom) % 2).toBe(0);
    const tail = lines.filter(({ id }) => id >= tailFrom).map(({ text }) => text);
    expect(estimateTokens(told(lines, { kept, facts }) + tail.join('\n'))).toBeLessThan(1_400);
  });

  it('goes on with what the one before it kept', () => {
    const { kept, tailFrom } = planOf(lines);
    const later = [...lines.filter(({ id }) => kept.includes(id) || id >= tailFrom), ...chatter(300, 200)];
    expect(told(later, planOf(later))).toContain('never eat cilantro');
  });

  it('has no end where all fits into the tail', () => {
    expect(planSnapshot(chatter(0, 10), 2_000, estimateTokens)).toBeNull();
  });
});

describe('a fact', () => {
  it('is what would be asked for, with what stands beside it, in its order', () => {
    expect(
      wordsTold({
        text: 'Hello there! The ferry to Bergen costs 42 crowns on Friday. Well, anyway.',
        asFact: true,
      }),
    ).toBe('ferry Bergen costs 42 crowns Friday');
    expect(wordsTold({ text: 'I never eat cilantro. Thanks, Mel!', asFact: true })).toBe(
      'never eat cilantro',
    );
    expect(wordsTold({ text: 'well, that is how it went', asFact: true })).toBe('');
  });

  it('is told with those of its speaker and day, where sentences do not fit', () => {
    const many = Array.from({ length: 120 }, (_, n) =>
      said(
        n,
        `Well, as I was saying all along, the ferry to Bergen number ${n} leaves on Friday, or so they tell us.`,
      ),
    );
    const plan = planOf(many);
    expect(plan.facts.length).toBeGreaterThan(plan.kept.length / 2);
    expect(told(many, plan)).toMatch(/- Ann, in brief: \S.*ferry Bergen number 84 leaves Friday \| /);
  });
});

describe('the check of a snapshot', () => {
  it('adds lines for what it can not answer, and keeps a longer tail where they do not fit', () => {
    const heavy = Array.from({ length: 200 }, (_, n) =>
      said(
        n,
        `I will never forget that Ida${n} of Bergen must pay ${n + 1_000} crowns on Friday, I promise.`,
      ),
    );
    const { findings, kept, facts, tailFrom } = planOf(heavy);
    expect(findings).toMatchObject({ longerTail: true });
    expect(findings.added).toBeGreaterThan(0);
    expect(findings.held).toBeLessThan(findings.probes);
    const tail = heavy.filter(({ id }) => id >= tailFrom).map(({ text }) => text);
    expect(estimateTokens(told(heavy, { kept, facts }) + tail.join('\n'))).toBeLessThan(2_000 * 0.85);
  });

  it('asks for who said it, with the answer and what it is about', () => {
    const [probe] = makeProbes([said(1, 'Hello! The ferry to Bergen costs 42 crowns on Friday.')]);
    expect(probe).toMatchObject({ lineId: 1n, speaker: 'p1', mark: 'date' });
    expect(probe!.words).toEqual(['friday', 'bergen', 'crown']);
  });
});
