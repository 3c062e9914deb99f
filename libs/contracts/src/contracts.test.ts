import { describe, expect, it } from '@jest/globals';
import { formatApiKey, isWellFormedApiKey } from './api-key.js';
import { jobsContract } from './jobs.contract.js';
import { canHear, channelAudience, decodeVector, encodeVector } from './words.js';

describe('an API key', () => {
  const key = formatApiKey(new Uint8Array(32).fill(7));

  it('is told from one that was mistyped', () => {
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(isWellFormedApiKey(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)).toBe(false);
    expect(isWellFormedApiKey(key.slice(0, -1))).toBe(false);
    expect(isWellFormedApiKey('')).toBe(false);
  });
});

describe('who may hear what', () => {
  const channel = channelAudience('discord', '300');

  it('keeps what was said in a DM out of every channel', () => {
    expect(canHear(channel, 'direct')).toBe(false);
  });

  it('lets what was said in a channel follow the person into their DM', () => {
    expect(canHear('direct', channel)).toBe(true);
  });

  it('keeps what was said in one channel out of another', () => {
    expect(canHear(channelAudience('discord', '301'), channel)).toBe(false);
    expect(canHear(channel, channel)).toBe(true);
  });
});

describe('a vector on the wire', () => {
  it('comes back as it went', () => {
    const vector = new Float32Array([0.25, -1, 3.5]);
    expect(decodeVector(encodeVector(vector))).toEqual(vector);
  });
});

describe('job ids', () => {
  it('never hold a colon, which BullMQ refuses', () => {
    expect(
      jobsContract.consolidateAgain.idOf({ personId: 'p', companionId: 'c', at: '2026-01-01T12:00:00Z' }),
    ).not.toContain(':');
  });
});
