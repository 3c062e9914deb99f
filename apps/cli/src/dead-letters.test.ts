import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeadItem } from '@kith/contracts';
import { deadFinding } from './doctor/check-suite.js';
import { CliError } from './cli-error.js';
import { KEY, runCli, startScriptedApi, type ScriptedApi } from './e2e/scripted-api.js';

const EVENT: DeadItem = {
  id: 'letters/1700000000000-0',
  ...{ kind: 'event', pattern: 'gateway.turn-ended', service: 'memory', tries: 5 },
  ...{ at: '2026-01-02T10:00:00.000Z', error: 'no luck', actions: ['replay', 'dismiss'] },
};
const REQUEST: DeadItem = {
  ...{ ...EVENT, id: 'letters/1700000000001-0', kind: 'request', pattern: 'memory.add-document' },
  actions: ['dismiss'],
};
const JOB: DeadItem = {
  ...{ ...EVENT, id: 'memory.extract/a b', kind: 'job', pattern: 'memory.extract' },
  at: '2026-01-03T10:00:00.000Z',
};

let api: ScriptedApi;
beforeAll(async () => void (api = await startScriptedApi()));
beforeEach(() => void (api.dead = [EVENT, REQUEST, JOB]));
afterAll(() => api.stop());

async function cli(args: string[]) {
  const { exit, texts } = runCli(['dead', ...args], { url: api.url, key: KEY });
  return { code: await exit, ...texts };
}
const left = () => api.dead.map(({ id }) => id);

describe('kith dead', () => {
  it('lists what was given up, oldest first, and says so when nothing was', async () => {
    const { code, out } = await cli(['list']);
    expect(code).toBe(0);
    expect(out).toContain('request memory.add-document');
    expect(JSON.parse((await cli(['list', '--json'])).out)).toEqual([EVENT, REQUEST, JOB]);
    api.dead = [];
    expect(await cli(['list'])).toMatchObject({ code: 0, notes: 'nothing was given up\n' });
  });

  it('replays all that can be, and leaves requests', async () => {
    expect(await cli(['replay', '--all'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('replayed 2'),
    });
    expect(left()).toEqual([REQUEST.id]);
  });

  it('dismisses one, a request too, and all', async () => {
    expect(await cli(['dismiss', REQUEST.id])).toMatchObject({ code: 0, out: 'let go of 1\n' });
    expect(left()).toEqual([EVENT.id, JOB.id]);
    expect(await cli(['dismiss', '--all'])).toMatchObject({ code: 0, out: 'let go of 2\n' });
    expect(left()).toEqual([]);
  });

  it('does nothing where one of the ids is not known', async () => {
    expect(await cli(['dismiss', JOB.id, 'letters/1-1'])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('there is no letters/1-1'),
    });
    expect(left()).toHaveLength(3);
  });
});

describe('kith doctor', () => {
  it('counts what was given up and says what to do about it', () => {
    expect(deadFinding({ dead: [] })).toMatchObject({ state: 'ok' });
    expect(deadFinding({ dead: [EVENT, JOB, JOB] })).toEqual({
      ...{ name: 'given up', state: 'broken' },
      detail: '1 event, 2 jobs; the oldest of 2026-01-02: gateway.turn-ended',
      mend: expect.stringMatching(/kith dead list .* kith dead replay .* kith dead dismiss/),
    });
    expect(deadFinding(new CliError('this key may not do that'))).toMatchObject({ state: 'off' });
  });
});
