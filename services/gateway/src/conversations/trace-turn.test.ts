import { describe, expect, it } from '@jest/globals';
import { RecalledMemory, TurnView } from '@kith/contracts';
import { turnWithoutWords } from './trace-turn.js';

const CANARY = 'cilantro';
const id = '00000000-0000-4000-8000-000000000001';
const at = '2026-03-01T10:00:00.000Z';

/** Every field that can hold words holds the canary. */
const memory: RecalledMemory = {
  id,
  kind: 'fact',
  audience: 'direct',
  writer: 'person',
  importance: 5,
  saidAt: at,
  createdAt: at,
  lastRecalledAt: null,
  timesRecalled: 2,
  shelf: 'open',
  pinned: false,
  text: `hates ${CANARY}`,
  sources: [CANARY],
  speaker: CANARY,
  conversation: CANARY,
  shelfReason: CANARY,
  fact: {
    attribute: `dislikes:${CANARY}`,
    value: CANARY,
    wording: `I hate ${CANARY}`,
    validFrom: at,
    validTo: null,
    isSure: true,
    holdsUntil: null,
  },
  why: {
    denseRank: 1,
    similarity: 0.8,
    lexicalRank: null,
    fused: 1,
    fit: 0,
    recency: 0.1,
    importance: 0.1,
    mood: 0,
    proof: 0,
    certainty: 1,
    score: 1.2,
  },
};
const turn: TurnView = {
  turnId: id,
  conversationId: id,
  messageIds: ['m1'],
  companionId: 'mira',
  outcome: 'answered',
  reason: null,
  model: 'rehearsal',
  rehearsal: true,
  degraded: [],
  mood: null,
  tookMs: 12,
  reply: `No ${CANARY} for you.`,
  recalled: [memory],
};

describe('somebody else’s turn', () => {
  it('holds no word of theirs in any field, and is a whole turn all the same', () => {
    const shown = turnWithoutWords(turn);
    expect(JSON.stringify(shown)).not.toContain(CANARY);
    expect(TurnView.parse(shown)).toEqual(shown);
    expect(shown.recalled[0]).toMatchObject({ id, kind: 'fact', why: memory.why, text: '', fact: null });
  });

  it('leaves out what is added to a turn or a memory later', () => {
    const later = { ...turn, note: CANARY, recalled: [{ ...memory, gist: CANARY }] };
    expect(JSON.stringify(turnWithoutWords(later))).not.toContain(CANARY);
    expect(RecalledMemory.parse(turnWithoutWords(later).recalled[0])).toBeDefined();
  });
});
