import { describe, expect, it } from '@jest/globals';
import type { ServiceHealth, SuiteHealth } from '@kith/contracts';
import { describeHealth } from './describe-health.js';

const service = (name: string, ready: boolean, down: string[] = []): ServiceHealth => ({
  service: name,
  ready,
  degraded: [],
  dependencies: Object.fromEntries([
    ['redis', { up: true, problem: null, tookMs: 1 }],
    ...down.map((dependency) => [dependency, { up: false, problem: 'gone', tookMs: null }] as const),
  ]),
});
const suite = (...services: ServiceHealth[]): SuiteHealth => ({
  status: 'degraded',
  services,
  models: { chat: [], fast: [], rehearsal: false },
});

describe('describeHealth', () => {
  it('is silent while all is well', () => {
    expect(describeHealth(suite(service('memory', true)))).toEqual([]);
  });

  it('names what is down and what it means', () => {
    expect(describeHealth(suite(service('memory', false, ['qdrant'])))).toEqual([
      {
        service: 'memory',
        what: 'memory is down (qdrant out of reach)',
        effect: expect.stringContaining('without recall'),
      },
    ]);
  });

  it('does not say that a service which does not answer is out of its own reach', () => {
    expect(describeHealth(suite(service('memory', false, ['process'])))[0]?.what).toBe('memory is down');
  });

  it('puts what touches the chat most first', () => {
    const troubles = describeHealth(
      suite(service('discord-bot', false), service('memory', false), service('gateway', false, ['postgres'])),
    );
    expect(troubles.map((trouble) => trouble.service)).toEqual(['gateway', 'memory', 'discord-bot']);
    expect(troubles[0]?.effect).toContain('kept');
  });

  it('says what a service does without although it goes on', () => {
    const state = {
      part: 'chat-model',
      effect: 'people get a short apology',
      since: '2026-01-01T10:30:00.000Z',
    };
    expect(describeHealth(suite({ ...service('gateway', true), degraded: [state] }))).toEqual([
      { service: 'gateway', what: 'chat model since 10:30 UTC', effect: 'People get a short apology.' },
    ]);
  });

  it('still says something about a service it does not know', () => {
    expect(describeHealth(suite(service('voice', false)))).toHaveLength(1);
  });
});
