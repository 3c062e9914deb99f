import { describe, expect, it } from '@jest/globals';
import { afterFailure, CLOSED, mayAsk, whileProbing, type Circuit } from './circuit-breaker.js';

const failing = (times: number, from: Circuit = CLOSED, now = 0) =>
  Array.from({ length: times }).reduce<Circuit>((circuit) => afterFailure(circuit, 'overloaded', now), from);

describe('a model’s circuit', () => {
  it('opens after five failures in a row, and lets one caller probe when its time is over', () => {
    expect(mayAsk(failing(4), 0)).toBe('yes');
    const open = failing(5);
    expect(mayAsk(open, 9_999)).toBe('no');
    expect(mayAsk(open, 10_000)).toBe('probe');
    expect(mayAsk(whileProbing(open, 10_000), 10_001)).toBe('no');
  });

  it('opens for longer each time, up to two minutes', () => {
    let circuit = failing(5);
    const lengths = [circuit.openMs];
    for (let again = 0; again < 5; again++) {
      circuit = afterFailure(circuit, 'timeout', 0);
      lengths.push(circuit.openMs);
    }
    expect(lengths).toEqual([10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
  });

  it('opens at once, and for long, when an operator has to act', () => {
    expect(afterFailure(CLOSED, 'spend-limit', 0).openUntil).toBe(600_000);
    expect(afterFailure(CLOSED, 'unauthorized', 0).openUntil).toBe(300_000);
  });

  it('is not moved by what was wrong with the request', () => {
    expect(afterFailure(CLOSED, 'refused', 0)).toBe(CLOSED);
    expect(afterFailure(CLOSED, 'invalid-request', 0)).toBe(CLOSED);
  });
});
