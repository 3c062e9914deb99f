import { describe, expect, it } from '@jest/globals';
import { afterFailure, CLOSED, mayAsk, whileProbing, type Circuit } from './circuit-breaker.js';

const failing = (times: number, from: Circuit = CLOSED, now = 0) =>
  Array.from({ length: times }).reduce<Circuit>(
    (circuit) => afterFailure(circuit, { kind: 'overloaded' }, now, undefined),
    from,
  );

describe('a model’s circuit', () => {
  it('opens after five failures in a row, and lets one caller probe when its time is over', () => {
    expect(mayAsk(failing(4), 0)).toBe('yes');
    const open = failing(5);
    expect(mayAsk(open, 9_999)).toBe('no');
    expect(mayAsk(open, 10_000)).toBe('probe');
    expect(mayAsk(whileProbing(open, 10_000, 500), 10_499)).toBe('no');
    expect(mayAsk(whileProbing(open, 10_000, 500), 10_500)).toBe('probe');
  });

  it('opens for longer with each probe that fails, up to two minutes', () => {
    let circuit = failing(5);
    const lengths = [circuit.openMs];
    for (let again = 0; again < 5; again++) {
      const probing = whileProbing(circuit, 0, 500);
      circuit = afterFailure(probing, { kind: 'timeout' }, 0, probing);
      lengths.push(circuit.openMs);
    }
    expect(lengths).toEqual([10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
  });

  it('is kept open no longer by tries that began before its pause', () => {
    expect(failing(10)).toEqual(failing(5));
    const probing = whileProbing(failing(5), 10_000, 500);
    expect(failing(10, probing, 10_001)).toBe(probing);
    // A probe counts once, however often its caller asks again.
    const failed = afterFailure(probing, { kind: 'overloaded' }, 10_001, probing);
    expect(afterFailure(failed, { kind: 'overloaded' }, 10_002, probing)).toBe(failed);
  });

  it('opens for longer also when its probe fails after a second one has begun, and once for both', () => {
    const first = whileProbing(failing(5), 10_000, 20_000);
    const second = whileProbing(first, 30_000, 20_000);
    const failed = afterFailure(second, { kind: 'timeout' }, 30_001, first);
    expect(failed).toMatchObject({ openMs: 20_000, openUntil: 50_001 });
    expect(afterFailure(failed, { kind: 'timeout' }, 50_000, second)).toBe(failed);
  });

  it('opens at once, and for long, when an operator has to act', () => {
    expect(afterFailure(CLOSED, { kind: 'spend-limit' }, 0, undefined).openUntil).toBe(600_000);
    expect(afterFailure(CLOSED, { kind: 'unauthorized' }, 0, undefined).openUntil).toBe(300_000);
  });

  it('opens for as long as its host asks for, where nobody waits that long, and for two minutes at most', () => {
    const limited = (retryAfterMs: number) =>
      afterFailure(CLOSED, { kind: 'rate-limited', retryAfterMs }, 0, undefined, true).openUntil;
    expect([4_000, 30_000, 86_400_000].map(limited)).toEqual([null, 30_000, 120_000]);
    // With no other model to ask, a small request may pass where a large one did not.
    const alone = { kind: 'rate-limited' as const, retryAfterMs: 30_000 };
    expect(afterFailure(CLOSED, alone, 0, undefined).openUntil).toBeNull();
    const probing = whileProbing(failing(5), 0, 500);
    const probed = afterFailure(probing, { kind: 'overloaded', retryAfterMs: 6_000 }, 0, probing, true);
    expect(probed.openMs).toBe(20_000);
  });

  it('is not moved by what was wrong with the request', () => {
    expect(afterFailure(CLOSED, { kind: 'refused' }, 0, undefined)).toBe(CLOSED);
    expect(afterFailure(CLOSED, { kind: 'invalid-request' }, 0, undefined)).toBe(CLOSED);
  });
});
