import { describe, expect, it } from '@jest/globals';
import { decideBurst, type OpenMessage } from './decide-burst.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

function message(id: number, changes: Partial<OpenMessage> = {}): OpenMessage {
  return {
    id: BigInt(id),
    origin: 'message',
    receivedAt: secondsAgo(10),
    attempts: 0,
    stopped: false,
    ...changes,
  };
}

const idsOf = (decision: ReturnType<typeof decideBurst>) =>
  decision.kind === 'take' ? decision.burst.map(({ id }) => Number(id)) : decision.kind;

describe('the next burst', () => {
  it('is nothing where nothing is open', () => {
    expect(decideBurst([], 1_000, NOW)).toEqual({ kind: 'nothing' });
  });

  it('is every message of a speaker who has paused', () => {
    expect(idsOf(decideBurst([message(1), message(2), message(3)], 1_000, NOW))).toEqual([1, 2, 3]);
  });

  it('waits while the person may still be writing', () => {
    const open = [message(1, { receivedAt: secondsAgo(2) }), message(2, { receivedAt: secondsAgo(0.2) })];
    expect(idsOf(decideBurst(open, 1_000, NOW))).toBe('wait');
  });

  it('does not wait for ever for someone who never pauses', () => {
    const open = [message(1, { receivedAt: secondsAgo(4) }), message(2, { receivedAt: secondsAgo(0.2) })];
    expect(idsOf(decideBurst(open, 1_000, NOW))).toEqual([1, 2]);
  });

  it('never mixes outreach with what a person said', () => {
    expect(idsOf(decideBurst([message(1, { origin: 'outreach' }), message(2)], 0, NOW))).toEqual([1]);
  });

  it('tries a burst once more as a whole, then its messages alone, and takes poison after three tries', () => {
    const tried = (attempts: number) =>
      decideBurst([message(1, { attempts }), message(2, { attempts })], 1_000, NOW);
    expect(idsOf(tried(1))).toEqual([1, 2]);
    expect(idsOf(tried(2))).toEqual([1]);
    expect(tried(2)).toMatchObject({ poison: false });
    expect(tried(3)).toMatchObject({ kind: 'take', poison: true });
    expect(idsOf(tried(3))).toEqual([1]);
  });

  it('ends before a later message under suspicion, so that poison takes no other down', () => {
    expect(idsOf(decideBurst([message(1), message(2, { attempts: 2 })], 1_000, NOW))).toEqual([1]);
  });

  it('does not wait for more of what is to be stopped, nor mixes it with what is to be answered', () => {
    const fresh = { receivedAt: secondsAgo(0.1) };
    expect(idsOf(decideBurst([message(1, { ...fresh, stopped: true })], 1_000, NOW))).toEqual([1]);
    expect(idsOf(decideBurst([message(1, { stopped: true }), message(2)], 1_000, NOW))).toEqual([1]);
  });
});
