import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { useScriptedApi } from '../e2e/scripted-api.js';

const { api, cli } = useScriptedApi();

const at = '2026-01-02T10:00:00.000Z';
const task = {
  companionId: 'mira',
  audience: 'direct',
  number: 1,
  text: 'Ask',
  state: 'open',
  priority: 1,
  dueAt: null,
  waitsFor: null,
  notedBy: 'person',
  sources: [],
  createdAt: at,
  updatedAt: at,
};
const turn = {
  companionId: 'mira',
  door: 'http',
  outcome: 'answered',
  reason: null,
  degraded: [],
  startedAt: at,
  tookMs: 5,
  personId: randomUUID(),
};

describe('a list without further pages', () => {
  it.each([
    [
      ['tasks', 'list'],
      '/v1/tasks',
      (n: number) => ({ tasks: many(n, () => ({ ...task, id: randomUUID() })) }),
    ],
    [
      ['turn', 'list'],
      '/v1/turns',
      (n: number) => ({ turns: many(n, () => ({ ...turn, turnId: randomUUID() })), waiting: [] }),
    ],
  ])('%j says when there may be more', async (command, path, body) => {
    api.answers[`GET ${path}`] = (_, query) => ({ body: body(Number(query.get('limit'))) });
    const notes = async (limit: string) => {
      const { code, notes: said } = await cli([...command, '--limit', limit]);
      return { code, notes: said };
    };
    expect(await notes('2')).toEqual({
      code: 0,
      notes: 'there may be more than these 2: --limit shows up to 200\n',
    });
    expect(await notes('200')).toEqual({ code: 0, notes: 'there may be more than these 200\n' });
    api.answers[`GET ${path}`] = () => ({ body: body(1) });
    expect(await notes('2')).toEqual({ code: 0, notes: '' });
  });
});

function many<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
