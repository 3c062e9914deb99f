import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LeftPlaces, SealedRows, type Database } from '@kith/database';
import { freshDatabase, ifStarted, type FreshDatabase } from '@kith/testing';
import { forgetTasks, readOpenTasks } from './task-rows.js';
import { TaskKeeper } from './task-keeper.js';

let fresh: FreshDatabase;
let database: Database;
let tasks: TaskKeeper;
beforeAll(async () => {
  fresh = await freshDatabase();
  ({ database } = fresh);
  tasks = new TaskKeeper(database);
});
afterAll(() => ifStarted(fresh)?.stop());

const where = () => ({ personId: randomUUID(), companionId: 'wren', audience: 'direct' });
const plain = { priority: 2, dueAt: null, waitsFor: null };
const open = (scope: ReturnType<typeof where>) =>
  database.read({ personId: scope.personId }, (tx) => readOpenTasks(tx, scope));

describe('tasks', () => {
  it('of a server that the app has left are listed once it is back', async () => {
    const there = { ...where(), audience: 'channel:discord:left-with-tasks' };
    const noted = { by: 'companion' as const, sources: ['m1'], task: { ...plain, text: 'host the quiz' } };
    await tasks.add({ ...there, ...noted });
    const listed = async () =>
      (await tasks.list({ personId: there.personId, limit: 9 })).tasks.map(({ text }) => text);
    const left = new LeftPlaces(database, 'left_places');
    await left.note([there.audience], true);
    expect(await listed()).toEqual([]);
    await left.note([there.audience], false);
    expect(await listed()).toEqual(['host the quiz']);
  });

  it('are noted once for a call, named by number, and gone from the prompt when they are done', async () => {
    const scope = where();
    const add = (text: string, key?: string, more = {}) =>
      tasks.add({ ...scope, by: 'companion', sources: ['m1'], task: { ...plain, text, ...more }, key });
    const key = randomUUID();
    await add('book the table', key);
    await add('book the table', key);
    await add('book the table');
    await add('ask for the recipe', undefined, { priority: 1, waitsFor: 'her return' });
    expect((await open(scope)).map(({ number, state }) => [number, state])).toEqual([
      [2, 'waiting'],
      [1, 'open'],
    ]);
    const change = { personId: scope.personId, by: 'companion' as const, sources: [] };
    const which = { companionId: 'wren', audience: 'direct', number: 1 };
    await tasks.change({ ...change, which, change: { state: 'done' } });
    expect(await open(scope)).toMatchObject([{ number: 2 }]);
    expect(
      (await tasks.list({ personId: scope.personId, limit: 10 })).tasks.map(({ state }) => state),
    ).toEqual(['waiting', 'done']);
    const stranger = { ...change, personId: randomUUID(), which, change: { state: 'done' as const } };
    await expect(tasks.change(stranger)).rejects.toThrow('no such task');
    expect(await open({ ...scope, audience: 'channel:discord:1' })).toEqual([]);
  });

  it('that are deleted leave a record, and those of somebody else stay', async () => {
    const { personId, ...scope } = where();
    const task = { ...plain, text: 'book the table' };
    const { id } = await tasks.add({ personId, ...scope, by: 'person', sources: [], task });
    const records = () =>
      database.asPerson(personId, (tx) => tx.forgetRecord.findMany({ where: { personId } }));
    const unknown = { code: 'not_found' };
    await expect(tasks.remove({ personId: randomUUID(), id })).rejects.toMatchObject(unknown);
    expect(await records()).toEqual([]);
    expect(await tasks.remove({ personId, id })).toEqual({ removed: 1 });
    await expect(tasks.remove({ personId, id })).rejects.toMatchObject(unknown);
    expect(await records()).toMatchObject([{ removed: [id], everything: false, sources: [] }]);
  });

  it('are told of everybody when they come due, those that are over left out', async () => {
    const [one, other] = [where(), where()];
    const day = (n: number) => `2027-03-0${n}T08:00:00.000Z`;
    const add = (scope: typeof one, text: string, dueAt: string | null) =>
      tasks.add({ ...scope, by: 'companion', sources: [], task: { ...plain, text, dueAt } });
    await add(one, 'too early', day(1));
    await add(one, 'second', day(3));
    await add(one, 'without a time', null);
    await add(one, 'over', day(2));
    await add(other, 'first', day(2));
    await add(other, 'too late', day(4));
    const which = { companionId: 'wren', audience: 'direct', number: 4 };
    const change = { personId: one.personId, by: 'companion' as const, sources: [], which };
    await tasks.change({ ...change, change: { state: 'done' } });
    const due = async (limit: number) =>
      (await tasks.due({ from: day(2), to: day(4), limit })).tasks.map(({ personId }) => personId);
    expect(await due(10)).toEqual([other.personId, one.personId]);
    expect(await due(1)).toEqual([other.personId]);

    // A page begins behind the last task of the one before, however many are due with that.
    for (const text of ['with it', 'with it, too']) await add(one, text, day(2));
    const whole = await tasks.due({ from: day(2), to: day(4), limit: 10 });
    const paged: typeof whole.tasks = [];
    for (let last = whole.tasks[0]; last; last = paged.at(-1)) {
      const page = await tasks.due({ from: last.dueAt, to: day(4), after: last.id, limit: 1 });
      if (page.tasks.length === 0) break;
      paged.push(...page.tasks);
    }
    expect(paged).toEqual(whole.tasks.slice(1));
    expect(paged).toHaveLength(3);
  });

  it('are listed with those that are not over first, however many were finished since', async () => {
    const scope = where();
    const { personId } = scope;
    const change = { personId, by: 'companion' as const, sources: [] };
    for (const [n, text] of ['open since long', 'done', 'done too'].entries()) {
      await tasks.add({ ...scope, by: 'companion', sources: [], task: { ...plain, text } });
      const which = { companionId: 'wren', audience: 'direct', number: n + 1 };
      if (n > 0) await tasks.change({ ...change, which, change: { state: 'done' } });
    }
    const listed = async (limit: number) =>
      (await tasks.list({ personId, limit })).tasks.map(({ text }) => text);
    expect(await listed(2)).toEqual(['open since long', 'done too']);
    expect(await listed(1)).toEqual(['open since long']);
  });

  it('go with the messages that they were noted for, and with nothing else', async () => {
    const scope = where();
    for (const source of ['m1', 'm2'])
      await tasks.add({ ...scope, by: 'companion', sources: [source], task: { ...plain, text: source } });
    const order = { orderId: randomUUID(), personId: scope.personId, until: null };
    const sealed = new SealedRows(database, 'memory_sealed_rows');
    const forget = (choice: object) =>
      database.asPerson(scope.personId, (tx) =>
        forgetTasks(tx, sealed, order, { personId: scope.personId, ...choice }),
      );
    await forget({ sources: ['m1', 'm9'] });
    expect((await open(scope)).map(({ text }) => text)).toEqual(['m2']);
    await forget({ audience: 'channel:discord:1' });
    await forget({ companionId: 'odo', period: { from: new Date(0), to: new Date(Date.now() + 1_000) } });
    expect(await open(scope)).toHaveLength(1);
    await forget({ companionId: 'wren', period: { from: new Date(0), to: new Date(Date.now() + 1_000) } });
    expect(await open(scope)).toEqual([]);
  });

  it('come back by an undo beside one that was noted since', async () => {
    const scope = where();
    const { personId } = scope;
    const add = (text: string) =>
      tasks.add({ ...scope, by: 'companion', sources: ['m1'], task: { ...plain, text } });
    await add('book the table');
    const order = { orderId: randomUUID(), personId, until: new Date(Date.now() + 60_000) };
    const sealed = new SealedRows(database, 'memory_sealed_rows');
    await database.asPerson(personId, (tx) => forgetTasks(tx, sealed, order, { personId, sources: ['m1'] }));
    expect(await add('ask for the recipe')).toMatchObject({ number: 2 });
    expect(
      await tasks.add({
        ...scope,
        companionId: 'odo',
        by: 'person',
        sources: [],
        task: { ...plain, text: 'x' },
      }),
    ).toMatchObject({ number: 1 });
    await database.asPerson(personId, (tx) => sealed.restore(tx, order.orderId));
    expect((await open(scope)).map(({ number, text }) => [number, text])).toEqual([
      [1, 'book the table'],
      [2, 'ask for the recipe'],
    ]);
  });

  it('are refused from the companion while they talk in private', async () => {
    const scope = where();
    await database.asPerson(scope.personId, (tx) =>
      tx.privateTime.create({ data: { personId: scope.personId } }),
    );
    const add = (by: 'companion' | 'person') =>
      tasks.add({ ...scope, by, sources: [], task: { ...plain, text: 'a surprise' } });
    await expect(add('companion')).rejects.toThrow('in private');
    expect(await add('person')).toMatchObject({ text: 'a surprise' });
  });

  it('are refused from the companion where a message of theirs was forgotten meanwhile', async () => {
    const scope = where();
    const { personId } = scope;
    await database.asPerson(personId, (tx) =>
      tx.forgetRecord.create({ data: { personId, everything: false, sources: { set: ['m1'] } } }),
    );
    const add = (by: 'companion' | 'person', sources: string[]) =>
      tasks.add({ ...scope, by, sources, task: { ...plain, text: sources.join() } });
    await expect(add('companion', ['m0', 'm1'])).rejects.toThrow('forgotten meanwhile');
    expect(await add('companion', ['m2'])).toMatchObject({ text: 'm2' });
    expect(await add('person', ['m1'])).toMatchObject({ text: 'm1' });
  });

  it('are refused from the companion where they talked in private while it thought', async () => {
    const scope = where();
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const { personId } = scope;
    await database.asPerson(personId, (tx) =>
      tx.privateTime.create({ data: { personId, since: at(-20), until: at(-10) } }),
    );
    const add = (begunAt: Date) =>
      tasks.add({
        ...scope,
        by: 'companion',
        sources: [],
        begunAt: begunAt.toISOString(),
        task: { ...plain, text: 'a surprise' },
      });
    await expect(add(at(-15))).rejects.toThrow('in private');
    // One of several messages that are answered together.
    await expect(add(at(-25))).rejects.toThrow('in private');
    expect(await add(at(-5))).toMatchObject({ text: 'a surprise' });
  });

  it('are refused from the companion where a message that it saw was edited while it thought', async () => {
    const scope = where();
    const { personId } = scope;
    const at = new Date('2027-03-01T08:00:00.000Z');
    const record = { personId, everything: false, at };
    await database.asPerson(personId, (tx) =>
      tx.forgetRecord.createMany({
        data: [
          { ...record, sources: ['m1'], revision: 1 },
          // Of the message that it answers, or of a memory that it put right itself.
          { ...record, sources: ['m2'], revision: 0 },
        ],
      }),
    );
    const add = (source: string, begunAt: string) =>
      tasks.add({ ...scope, by: 'companion', sources: [source], begunAt, task: { ...plain, text: source } });
    await expect(add('m1', '2027-03-01T07:59:59.000Z')).rejects.toThrow('forgotten meanwhile');
    expect(await add('m1', '2027-03-01T08:00:01.000Z')).toMatchObject({ text: 'm1' });
    expect(await add('m2', '2027-03-01T07:59:59.000Z')).toMatchObject({ text: 'm2' });
  });

  it('go back to what was forgotten before their turn, where the turn was told it all the same', async () => {
    const scope = where();
    const { personId } = scope;
    const at = new Date('2027-03-01T08:00:00.000Z');
    await database.asPerson(personId, (tx) =>
      tx.forgetRecord.create({ data: { personId, everything: false, sources: { set: ['m1'] }, at } }),
    );
    const add = (begunAt: string) =>
      tasks.add({ ...scope, by: 'companion', sources: ['m1'], begunAt, task: { ...plain, text: begunAt } });
    expect(await add('2027-03-01T08:00:01.000Z')).toMatchObject({ sources: ['m1'] });
    await expect(add('2027-03-01T07:59:59.000Z')).rejects.toThrow('forgotten meanwhile');
  });

  it('are refused from the companion where the time of their turn was forgotten meanwhile', async () => {
    const begun = new Date('2027-03-01T08:00:00.000Z');
    const minutes = (count: number) => new Date(begun.getTime() + count * 60_000);
    const all = { everything: true, sources: [] };
    const period = { everything: false, sources: [], saidFrom: minutes(-1), saidTo: minutes(1) };
    const noted = async (record: object) => {
      const scope = where();
      const { personId } = scope;
      await database.asPerson(personId, (tx) =>
        tx.forgetRecord.create({ data: { personId, everything: false, ...record } }),
      );
      const task = { ...plain, text: 'a surprise' };
      return tasks
        .add({ ...scope, by: 'companion', sources: ['m1'], begunAt: begun.toISOString(), task })
        .then(
          () => 'kept',
          () => 'refused',
        );
    };
    expect(await noted({ ...all, at: minutes(1) })).toBe('refused');
    expect(await noted({ ...all, at: minutes(-1) })).toBe('kept');
    expect(await noted({ ...all, at: minutes(1), companionId: 'another' })).toBe('kept');
    expect(await noted({ ...period, at: minutes(1) })).toBe('refused');
    expect(await noted({ ...period, at: minutes(-1) })).toBe('kept');
    expect(await noted({ ...period, saidTo: begun, at: minutes(1) })).toBe('kept');
  });
});
