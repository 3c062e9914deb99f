import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { DegradedStates } from './degraded-states.js';
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

  it('is ready without what it can do without, and says what it does instead', async () => {
    const states = new DegradedStates(new Registry());
    const checks = new HealthChecks('memory', states);
    let isUp = false;
    checks.add('index', () => (isUp ? Promise.resolve() : Promise.reject(new Error('refused'))), {
      part: 'vector-store',
      effect: 'recall goes by words',
    });
    expect(await checks.read()).toMatchObject({ ready: true, dependencies: { index: { up: false } } });
    expect(states.list()).toEqual([]);
    checks.watch();
    await new Promise((resolve) => setTimeout(resolve, 510));
    expect(await checks.read()).toMatchObject({
      ready: true,
      degraded: [{ part: 'vector-store', effect: 'recall goes by words' }],
    });
    isUp = true;
    await new Promise((resolve) => setTimeout(resolve, 510));
    expect(await checks.read()).toMatchObject({ ready: true, degraded: [] });
  });

  it('counts nothing as lacking once the service ends', async () => {
    const states = new DegradedStates(new Registry());
    const checks = new HealthChecks('memory', states);
    checks.add('redis', () => Promise.reject(new Error('not connected')));
    checks.watch();
    const underWay = checks.read();
    checks.unwatch();
    checks.noticeTrouble();
    expect(await underWay).toMatchObject({ ready: false });
    expect(states.list()).toEqual([]);
  });

  it('counts a dependency that hangs as down, within a bounded time', async () => {
    const checks = new HealthChecks('memory');
    checks.add('index', () => new Promise(() => undefined));
    expect((await checks.read()).dependencies['index']).toMatchObject({ up: false });
  });
});
