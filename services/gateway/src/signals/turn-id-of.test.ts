import { describe, expect, it } from '@jest/globals';
import { TurnId } from '@kith/contracts';
import { turnIdOf } from './turn-id-of.js';

describe('a turn’s id', () => {
  it('is a UUID that each try of the turn has again, and no other turn', () => {
    const id = turnIdOf('c1', 7n);
    expect(TurnId.parse(id)).toBe(id);
    expect(turnIdOf('c1', 7n)).toBe(id);
    expect(new Set([id, turnIdOf('c1', 8n), turnIdOf('c2', 7n)]).size).toBe(3);
  });
});
