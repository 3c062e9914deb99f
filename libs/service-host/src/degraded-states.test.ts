import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { DegradedStates } from './degraded-states.js';

describe('degraded states', () => {
  it('are told once, kept with their beginning, and left', async () => {
    const metrics = new Registry();
    const states = new DegradedStates(metrics, () => new Date('2026-01-01T00:00:00Z'));
    expect(states.enter('chat-model', 'apologies')).toBe(true);
    expect(states.enter('chat-model', 'apologies')).toBe(false);
    expect(states.list()).toEqual([
      { part: 'chat-model', effect: 'apologies', since: '2026-01-01T00:00:00.000Z' },
    ]);
    expect(await metrics.metrics()).toContain('kith_degraded{part="chat-model"} 1');
    states.leave('chat-model');
    expect(states.list()).toEqual([]);
    expect(await metrics.metrics()).toContain('kith_degraded{part="chat-model"} 0');
  });
});
