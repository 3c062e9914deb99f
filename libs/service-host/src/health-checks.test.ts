import { describe, expect, it } from '@jest/globals';
import { HealthChecks } from './health-checks.js';

describe('health', () => {
  it('is ready when every dependency answers', async () => {
    const checks = new HealthChecks('memory');
    checks.add('redis', () => Promise.resolve());
    expect(await checks.read()).toMatchObject({ service: 'memory', ready: true });
  });

  it('says which dependency is down and why', async () => {
    const checks = new HealthChecks('memory');
    checks.add('redis', () => Promise.resolve());
    checks.add('postgres', () => Promise.reject(new Error('connection refused')));
    expect(await checks.read()).toMatchObject({
      ready: false,
      dependencies: { redis: { up: true }, postgres: { up: false, problem: 'connection refused' } },
    });
  });

  it('counts a dependency that hangs as down, within a bounded time', async () => {
    const checks = new HealthChecks('memory');
    checks.add('index', () => new Promise(() => undefined));
    expect((await checks.read()).dependencies['index']).toMatchObject({ up: false });
  });
});
