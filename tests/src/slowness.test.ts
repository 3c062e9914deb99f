import { describe, expect, it } from '@jest/globals';
import { Slowness } from '../faults/slowness.ts';

describe('the slowness of a machine', () => {
  it('is how much longer than it ran a process waited to run, since it was asked about', () => {
    let now = { ran: 100, waited: 900 };
    const slowness = new Slowness(() => now);
    expect(slowness.factor).toBe(1);
    now = { ran: 200, waited: 900 };
    expect(slowness.factor).toBe(1);
    now = { ran: 200, waited: 1_100 };
    expect(slowness.factor).toBe(3);
  });

  it('is known to be none, at least, for this process', () => {
    expect(new Slowness().factor).toBeGreaterThanOrEqual(1);
  });
});
