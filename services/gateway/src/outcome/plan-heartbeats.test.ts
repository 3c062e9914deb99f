import { describe, expect, it } from '@jest/globals';
import { planHeartbeats } from './plan-follow-ups.js';

const full = { outcome: 'answered' as const, noticed: { fullness: 0.9, unsettled: 1 } };

describe('a turn', () => {
  it('gives reason to think where its talk is nearly too long, or what was told does not go together', () => {
    expect(planHeartbeats('message', 'direct', full)).toEqual(['pressure', 'contradiction']);
    const roomy = { ...full, noticed: { fullness: 0.8, unsettled: 0 } };
    expect(planHeartbeats('message', 'direct', roomy)).toEqual([]);
  });

  it('gives none in a channel, of the companion’s own accord, or where nobody was answered', () => {
    expect(planHeartbeats('message', 'channel', full)).toEqual([]);
    expect(planHeartbeats('heartbeat', 'direct', full)).toEqual([]);
    expect(planHeartbeats('message', 'direct', { ...full, outcome: 'apologised' })).toEqual([]);
  });
});
