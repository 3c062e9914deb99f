import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { JOB_CONTRACTS } from './job-contracts.js';
import { formatApiKey, isWellFormedApiKey } from '../values/api-key.js';
import type { EventContract, JobContract, RequestContract } from './define.js';
import { gatewayContract } from './gateway.contract.js';
import { jobsContract } from './jobs.contract.js';
import { memoryContract } from './memory.contract.js';
import { personalityContract } from './personality.contract.js';
import { keyRoutes } from '../http/keys.routes.js';
import { peopleRoutes } from '../http/people.routes.js';
import { readTimeCursor, writeTimeCursor } from '../values/time-cursor.js';
import { canHear, channelAudience, decodeVector, encodeVector } from '../values/words.js';

describe('an API key', () => {
  const key = formatApiKey(new Uint8Array(32).fill(7));

  it('is told from one that was mistyped', () => {
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(isWellFormedApiKey(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)).toBe(false);
    expect(isWellFormedApiKey(key.slice(0, -1))).toBe(false);
    expect(isWellFormedApiKey('')).toBe(false);
  });
});

describe('an id in capitals', () => {
  const id = '0193b0a1-7f3e-7abc-8def-0123456789ab';
  const shouted = id.toUpperCase();

  it('is read as the one that is kept, in addresses, requests and cursors', () => {
    expect(peopleRoutes.erase.params.parse({ id: shouted })).toEqual({ id });
    expect(keyRoutes.list.query.parse({ cursor: shouted })).toMatchObject({ cursor: id });
    expect(gatewayContract.isBusy.request.parse({ personId: shouted })).toEqual({ personId: id });
    const at = new Date('2026-01-01');
    expect(readTimeCursor(writeTimeCursor({ at, id: shouted }))).toEqual({ at, id });
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

describe('jobs and events', () => {
  /** Paths of what a schema takes any text for: neither an id's form, nor a time, nor one of some words. */
  function freeTexts(schema: unknown, path: string): string[] {
    if (typeof schema !== 'object' || schema === null) return [];
    const part = schema as Record<string, unknown>;
    const isFree =
      part['type'] === 'string' && !['enum', 'const', 'format', 'pattern'].some((key) => key in part);
    const properties = Object.entries((part['properties'] as object | undefined) ?? {});
    const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (part[key] as unknown[] | undefined) ?? []);
    return [
      ...(isFree ? [path] : []),
      ...properties.flatMap(([name, child]) => freeTexts(child, `${path}.${name}`)),
      ...freeTexts(part['items'], `${path}[]`),
      ...choices.flatMap((choice) => freeTexts(choice, path)),
    ];
  }

  it('carry ids and no words of people: they are kept where nothing forgets them', () => {
    const events = [gatewayContract, memoryContract, personalityContract]
      .flatMap((contracts) => Object.values<EventContract | JobContract | RequestContract>(contracts))
      .filter((contract) => contract.kind === 'event');
    const free = [...JOB_CONTRACTS, ...events].flatMap(({ pattern, payload }) =>
      freeTexts(z.toJSONSchema(payload, { unrepresentable: 'any' }), pattern),
    );
    expect([...new Set(free)].toSorted()).toEqual([
      // Ids that doors and databases give.
      'gateway.delete-places.places[]',
      'gateway.delete-places.within',
      'gateway.leave-places.places[]',
      'gateway.leave-places.within',
      'gateway.return-to-places.places[]',
      'gateway.return-to-places.within',
      'gateway.take-turn.inboxId',
      // Why Discord refuses, in its words.
      'gateway.unreachable.reason',
      // Name of a model, by the settings or its host.
      'gateway.usage-left.usage[].model',
      // Why Discord refuses, in its words.
      'outreach.end-undelivered.reason',
      // Of a fixed list.
      'personality.mood-changed.mood.label',
      'personality.mood-changed.mood.strength',
    ]);
  });
});

describe('job ids', () => {
  it('never hold a colon, which BullMQ refuses', () => {
    expect(
      jobsContract.consolidateAgain.idOf({ personId: 'p', companionId: 'c', at: '2026-01-01T12:00:00Z' }),
    ).not.toContain(':');
  });

  it('of quiet turns tell two long talks apart, and not what comes up in both', () => {
    const idOf = (why: 'pressure' | 'contradiction', conversationId: string) =>
      gatewayContract.heartbeat.idOf({
        personId: 'p',
        companionId: 'c',
        day: '2026-01-01',
        why,
        conversationId,
      });
    expect(idOf('pressure', 'one talk')).not.toBe(idOf('pressure', 'another'));
    expect(idOf('contradiction', 'one talk')).toBe(idOf('contradiction', 'another'));
  });
});
