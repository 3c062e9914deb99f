import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, outreachContract, type TaskView } from '@kith/contracts';
import { TasksController } from './tasks.controller.js';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const id = randomUUID();

/** A request as Express gives it to a route. */
function requestOf(body: object) {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': `${text.length}` };
  const caller = { personId: 'ada' };
  return Object.assign(Readable.from([Buffer.from(text)]), { headers, caller, params: { id }, query: {} });
}

describe('a task that its person changes', () => {
  it.each<[string, { dueAt?: string; priority?: number }, number]>([
    ['to today is reminded of', { dueAt: inHours(3) }, 1],
    ['to another day is left to that day', { dueAt: inHours(30) }, 0],
    ['in something else keeps its reminder', { priority: 1 }, 0],
  ])('%s', async (_, body, reminders) => {
    const kept: object[] = [];
    const task: TaskView = {
      ...{ id, companionId: 'mira', audience: 'direct', number: 1, text: 'call mum', state: 'open' },
      ...{ priority: 2, dueAt: inHours(3), waitsFor: null, notedBy: 'companion', sources: [] },
      ...{ createdAt: inHours(-1), updatedAt: inHours(-1), ...body },
    };
    const ask = async (contract: object, request: object) => {
      if (contract === memoryContract.changeTask) return task;
      if (contract === outreachContract.intend) kept.push(request);
      return { kept: true, why: null };
    };
    const controller = new TasksController({ ask } as never);
    const serve = Reflect.get(controller, 'onChange') as (...args: unknown[]) => Promise<unknown>;
    expect(await serve.call(controller, requestOf(body), {})).toEqual(task);
    expect(kept).toHaveLength(reminders);
  });
});
