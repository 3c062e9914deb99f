import { describe, expect, it } from '@jest/globals';
import type { ServiceHealth, SuiteHealth } from '@kith/contracts';
import { describeHealth } from './describe-health.js';

const service = (name: string, ready: boolean, down: string[] = []): ServiceHealth => ({
  service: name,
  ready,
  degraded: [],
  dependencies: Object.fromEntries<ServiceHealth['dependencies'][string]>([
    ['redis', { up: true, problem: null, tookMs: 1 }],
    ...down.map((dependency) => [dependency, { up: false, problem: 'gone', tookMs: null }] as const),
  ]),
});
const suite = (...services: ServiceHealth[]): SuiteHealth => ({
  status: 'degraded',
  services,
  models: { chat: [], fast: [], rehearsal: false, notes: [] },
});

const SINCE = '2026-01-01T10:30:00.000Z';
const lacking = (health: ServiceHealth, part: string, effect: string): ServiceHealth => ({
  ...health,
  degraded: [{ part, effect, since: SINCE }],
});

describe('describeHealth', () => {
  it('is silent while all is well', () => {
    expect(describeHealth(suite(service('memory', true)))).toEqual([]);
  });

  it('names what is down and what it means', () => {
    expect(describeHealth(suite(service('memory', false, ['postgres'])))).toEqual([
      {
        key: 'memory',
        what: 'memory is down (postgres out of reach)',
        effect: expect.stringContaining('without recall'),
        since: null,
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
    expect(troubles.map(({ key }) => key)).toEqual(['gateway', 'memory', 'discord-bot']);
    expect(troubles[0]?.effect).toContain('kept');
  });

  it('says what a service does without although it goes on, and since when', () => {
    const gateway = lacking(service('gateway', true), 'chat-model', 'replies are short apologies');
    expect(describeHealth(suite(gateway))).toEqual([
      { key: 'gateway chat-model', what: 'Replies are short apologies', effect: null, since: SINCE },
    ]);
  });

  it('says once that a service is down, since when a turn first missed it', () => {
    const gateway = lacking(service('gateway', true), 'memory', 'replies come without recall');
    expect(describeHealth(suite(gateway, service('memory', false, ['process'])))).toEqual([
      { key: 'memory', what: 'memory is down', effect: expect.any(String), since: SINCE },
    ]);
    expect(describeHealth(suite(gateway, service('memory', true)))).toMatchObject([
      { key: 'gateway memory' },
    ]);
  });

  it.each(['process', 'redis'])('does not call services down that lack nothing but Redis (%s)', (lack) => {
    const gateway = lacking(service('gateway', true), 'redis', 'messages are accepted');
    const others = ['memory', 'personality'].map((name) => service(name, false, [lack]));
    expect(describeHealth(suite(gateway, ...others))).toMatchObject([{ key: 'gateway redis' }]);
    const worse = service('memory', false, [lack, 'index']);
    expect(describeHealth(suite(gateway, worse))).toMatchObject([
      { key: 'memory' },
      { key: 'gateway redis' },
    ]);
  });

  it('still says something about a service it does not know', () => {
    expect(describeHealth(suite(service('voice', false)))).toHaveLength(1);
  });
});
