import { describe, expect, it } from '@jest/globals';
import { uuid7 } from './uuid7.js';

describe('ids that sort by their time', () => {
  it('come in the order they were made, none twice, also within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, uuid7);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('say their version, variant and time as RFC 9562 has them', () => {
    const before = Date.now();
    const id = uuid7();
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    expect(ms).toBeGreaterThanOrEqual(before);
    expect(ms).toBeLessThan(before + 10_000);
  });
});
