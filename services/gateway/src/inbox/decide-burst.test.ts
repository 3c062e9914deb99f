import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '@kith/llm';
import { decideBurst, type OpenMessage } from './decide-burst.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const LIMITS = { debounceMs: 1_000, maxTokens: 2_000, count: estimateTokens, pictureTokens: 1_500 };
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

function message(id: number, changes: Partial<OpenMessage> = {}): OpenMessage {
  return {
    id: BigInt(id),
    origin: 'message',
    text: 'hello',
    quote: null,
    pictureCount: 0,
    receivedAt: secondsAgo(10),
    attempts: 0,
    leaseToken: changes.attempts ? 1 : 0,
    stopped: false,
    ...changes,
  };
}

const idsOf = (decision: ReturnType<typeof decideBurst>) =>
  decision.kind === 'take' ? decision.burst.map(({ id }) => Number(id)) : decision.kind;

describe('the next burst', () => {
  it('is nothing where nothing is open', () => {
    expect(decideBurst([], LIMITS, NOW)).toEqual({ kind: 'nothing' });
  });

  it('is every message of a speaker who has paused', () => {
    expect(idsOf(decideBurst([message(1), message(2), message(3)], LIMITS, NOW))).toEqual([1, 2, 3]);
  });

  it('waits while the person may still be writing', () => {
    const open = [message(1, { receivedAt: secondsAgo(2) }), message(2, { receivedAt: secondsAgo(0.2) })];
    expect(decideBurst(open, LIMITS, NOW)).toEqual({ kind: 'wait', restMs: 800, newest: 2n });
  });

  it('does not wait for a clock that was set back', () => {
    const open = [message(1, { receivedAt: secondsAgo(-3_600) })];
    expect(idsOf(decideBurst(open, LIMITS, NOW))).toEqual([1]);
  });

  it('does not wait for ever for someone who never pauses', () => {
    const open = [message(1, { receivedAt: secondsAgo(4) }), message(2, { receivedAt: secondsAgo(0.2) })];
    expect(idsOf(decideBurst(open, LIMITS, NOW))).toEqual([1, 2]);
  });

  it('never mixes an outreach with what a person said, nor with another', () => {
    const outreach = (id: number) => message(id, { origin: 'outreach' });
    expect(idsOf(decideBurst([outreach(1), message(2)], LIMITS, NOW))).toEqual([1]);
    expect(idsOf(decideBurst([message(1), outreach(2)], LIMITS, NOW))).toEqual([1]);
    expect(idsOf(decideBurst([outreach(1), outreach(2)], LIMITS, NOW))).toEqual([1]);
  });

  it('tries a burst once more as a whole, then its messages alone, and takes poison after three tries', () => {
    const tried = (attempts: number) =>
      decideBurst([message(1, { attempts }), message(2, { attempts })], LIMITS, NOW);
    expect(idsOf(tried(1))).toEqual([1, 2]);
    expect(idsOf(tried(2))).toEqual([1]);
    expect(tried(1)).toMatchObject({ poison: false, isSuspect: false });
    expect(tried(2)).toMatchObject({ poison: false, isSuspect: true });
    expect(tried(3)).toMatchObject({ kind: 'take', poison: true, isSuspect: false });
    expect(idsOf(tried(3))).toEqual([1]);
  });

  it('stays together where its turn has called tools, without what came after that, and ends with one apology', () => {
    const calledAt = secondsAgo(5);
    const tried = (attempts: number, { later = 10, text = 'hello' } = {}) =>
      decideBurst(
        [
          message(1, { attempts, text }),
          message(2, { attempts: Math.min(attempts, 2), receivedAt: secondsAgo(later) }),
          message(3, { receivedAt: secondsAgo(3) }),
        ],
        LIMITS,
        NOW,
        calledAt,
      );
    expect(idsOf(tried(1))).toEqual([1, 2, 3]);
    expect(idsOf(tried(2))).toEqual([1, 2]);
    expect(tried(2)).toMatchObject({ poison: false, isSuspect: true });
    expect(idsOf(tried(2, { later: 4 }))).toEqual([1]);
    expect(idsOf(tried(3))).toEqual([1, 2]);
    expect(tried(3)).toMatchObject({ poison: true });
    expect(idsOf(tried(1, { text: 'word '.repeat(10_000) }))).toEqual([1, 2]);
    expect(idsOf(tried(2, { text: 'word '.repeat(10_000) }))).toEqual([1, 2]);
    const leftOut = message(3, { receivedAt: secondsAgo(8), text: 'word '.repeat(10_000) });
    const open = [
      message(1, { attempts: 1 }),
      message(2, { attempts: 1, receivedAt: secondsAgo(9) }),
      leftOut,
    ];
    expect(idsOf(decideBurst(open, LIMITS, NOW, calledAt))).toEqual([1, 2]);
  });

  it('stays together where its turn has called tools and an edit, which takes the try back, made it longer', () => {
    const open = [message(1, { text: 'word '.repeat(10_000) }), message(2), message(3)];
    const claimed = open.map((one, at) => ({ ...one, leaseToken: at < 2 ? 4 : 0 }));
    expect(idsOf(decideBurst(claimed, LIMITS, NOW, secondsAgo(5)))).toEqual([1, 2]);
    expect(idsOf(decideBurst(claimed, LIMITS, NOW))).toEqual([1]);
  });

  it('ends before a later message under suspicion, so that poison takes no other down', () => {
    expect(idsOf(decideBurst([message(1), message(2, { attempts: 2 })], LIMITS, NOW))).toEqual([1]);
  });

  it('ends where a prompt has no room, so that every message of a flood is read in one of its turns', () => {
    const flood = Array.from({ length: 500 }, (_, id) => message(id, { receivedAt: secondsAgo(0.1) }));
    const taken: number[] = [];
    for (let open = flood; open.length > 0; open = open.slice(taken.length - (flood.length - open.length))) {
      const ids = idsOf(decideBurst(open, LIMITS, secondsAgo(-10)));
      if (typeof ids === 'string') throw new Error(ids);
      expect(ids.length).toBeLessThan(300);
      taken.push(...ids);
    }
    expect(taken).toEqual(flood.map(({ id }) => Number(id)));
  });

  it('counts what messages refer to, and their pictures where a model sees', () => {
    const quoting = Array.from({ length: 20 }, (_, id) =>
      message(id, { quote: { text: 'word '.repeat(200) } }),
    );
    const taken = idsOf(decideBurst(quoting, LIMITS, NOW)).length;
    expect(taken).toBeLessThan(10);
    const costly = { ...LIMITS, count: (text: string) => 2 * estimateTokens(text) };
    expect(idsOf(decideBurst(quoting, costly, NOW)).length).toBeLessThanOrEqual(taken / 2);
    const shown = [message(1, { pictureCount: 1 }), message(2, { pictureCount: 1 }), message(3)];
    expect(idsOf(decideBurst(shown, LIMITS, NOW))).toEqual([1]);
    expect(idsOf(decideBurst(shown, { ...LIMITS, pictureTokens: 0 }, NOW))).toEqual([1, 2, 3]);
    expect(idsOf(decideBurst([message(1, { pictureCount: 4 })], LIMITS, NOW))).toEqual([1]);
  });

  it('holds one message at least, however long', () => {
    const open = [message(1, { text: 'word '.repeat(10_000) }), message(2)];
    expect(idsOf(decideBurst(open, LIMITS, NOW))).toEqual([1]);
  });

  it('does not wait for more of what is to be stopped, nor mixes it with what is to be answered', () => {
    const fresh = { receivedAt: secondsAgo(0.1) };
    expect(idsOf(decideBurst([message(1, { ...fresh, stopped: true })], LIMITS, NOW))).toEqual([1]);
    expect(idsOf(decideBurst([message(1, { stopped: true }), message(2)], LIMITS, NOW))).toEqual([1]);
  });
});
