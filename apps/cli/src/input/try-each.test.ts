import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { refusal, useScriptedApi } from '../e2e/scripted-api.js';
import { Terminal } from '../terminal/terminal.js';
import { watchPipes } from '../terminal/watch-pipes.js';
import { CliError } from './cli-error.js';
import { tryEach } from './try-each.js';

const { api, cli } = useScriptedApi();

describe('a batch', () => {
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const;

  const delivery = {
    outboxId: ids[0],
    turnId: ids[0],
    personId: ids[0],
    door: 'discord',
    status: 'pending',
    attempts: 0,
    lastError: null,
    platformIds: [],
    firstTriedAt: null,
    settledAt: null,
    createdAt: '2026-01-02T10:20:00Z',
  };

  it.each([
    [['keys', 'revoke'], (id: string) => `DELETE /v1/keys/${id}`, { status: 204 }, `${ids[2]} is revoked`],
    [
      ['outbox', 'retry'],
      (id: string) => `POST /v1/outbox/${id}/retry`,
      { body: delivery },
      `${ids[2]} is on its way again`,
    ],
    [['outbox', 'drop'], (id: string) => `POST /v1/outbox/${id}/drop`, { body: delivery }, ''],
  ])('of %j goes on past what fails, and names it', async (command, routeOf, answer, done) => {
    for (const id of ids) api.answers[routeOf(id)] = () => answer;
    api.answers[routeOf(ids[1])] = () => refusal(404, 'not_found', 'there is none');
    const { code, out, notes } = await cli([...command, ...ids]);
    expect(code).toBe(1);
    expect(out).toContain(done);
    expect(notes).toBe(`kith: ${ids[1]}: there is none\n1 of 3 failed; the others are done\n`);
  });

  it('is carried to its end after the reader of its output left, unlike a listing', async () => {
    const streams = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
    const terminal = new Terminal(...streams, true);
    const exits: number[] = [];
    watchPipes(terminal, (code) => exits.push(code));
    const leave = () => streams[1].emit('error', Object.assign(new Error('write'), { code: 'EPIPE' }));
    leave();
    streams[2].emit('error', new Error('write'));
    expect(exits).toEqual([0]);
    const done: string[] = [];
    await tryEach(terminal, ids, String, async (id) => {
      leave();
      done.push(id);
      await Promise.resolve();
    });
    expect([done, exits]).toEqual([[...ids], [0]]);
    leave();
    expect(exits).toEqual([0, 0]);
  });

  it('is carried to its end and fails where its output can’t be written', async () => {
    const streams = [new PassThrough(), new PassThrough(), new PassThrough()] as const;
    const terminal = new Terminal(...streams, true);
    const exits: number[] = [];
    watchPipes(terminal, (code) => exits.push(code));
    let done = 0;
    const batch = tryEach(terminal, ids, String, () => {
      done += 1;
      // As a stream tells it: after what wrote has gone on.
      process.nextTick(() => streams[1].emit('error', new Error('ENOSPC: no space left on device')));
      return Promise.resolve();
    });
    await expect(batch).rejects.toThrow('the output could not be written: ENOSPC');
    expect([done, exits]).toEqual([3, []]);
    // A conversation has one batch after the other: each tells what it met itself.
    await tryEach(terminal, ids, String, () => Promise.resolve());
  });

  it('that fails as a whole leaves no others', async () => {
    const terminal = new Terminal(new PassThrough(), new PassThrough(), new PassThrough(), true);
    const fail = () => Promise.reject(new CliError('no'));
    await expect(tryEach(terminal, ['a', 'b'], String, fail)).rejects.toThrow('a: no\nb: no\n2 of 2 failed');
    await expect(tryEach(terminal, ['a', 'b'], String, fail)).rejects.not.toThrow('the others');
  });
});
