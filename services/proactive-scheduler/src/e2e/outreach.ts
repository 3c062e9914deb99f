import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { outreachContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import {
  others,
  stores,
  messenger,
  severalScans,
  say,
  endTurn,
  overview,
  allow,
  forget,
} from './open-scheduler.js';

/** Tests who is written to first, and what is kept for it. */
export function outreach(): void {
  it('brings back, once and by itself, what a person who opted in asked for', async () => {
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const personId = await say('Can you check in on me in 59 minutes?', undefined, anHourAgo);
    await allow(personId);
    const order = await eventually('the outreach is ordered', () =>
      others.reachOuts.find((one) => one.personId === personId),
    );
    expect(order.companionId).toBe('mira');
    const why = () => messenger.ask(outreachContract.reasonOf, { personId, attemptId: order.attemptId });
    expect((await why()).reason).toContain('check in on me in 59 minutes');

    const now = new Date();
    await endTurn({ personId, text: '', at: now.toISOString(), attemptId: order.attemptId, endedAt: now });
    const { recent, intentions } = await eventually('the attempt counts as sent', async () => {
      const seen = await overview(personId);
      return seen.recent[0]?.status === 'sent' && seen;
    });
    expect(recent).toMatchObject([{ id: order.attemptId }]);
    expect(await why()).toEqual({ reason: null });
    expect(intentions).toMatchObject([{ about: 'check in on me in 59 minutes', status: 'done' }]);
    expect(others.reachOuts.filter((one) => one.personId === personId)).toHaveLength(1);
  });

  it('writes to nobody who has not opted in, over several scans', async () => {
    const personId = await say('remind me in 1 minute to stretch', undefined, new Date(Date.now() - 120_000));
    await eventually('it is kept', async () => (await overview(personId)).intentions.length === 1);
    await severalScans();
    expect((await overview(personId)).intentions).toMatchObject([{ status: 'open' }]);
    expect(others.reachOuts.filter((one) => one.personId === personId)).toEqual([]);
  });

  it('lets go of a reason that was forgotten as soon as that can not be undone any more', async () => {
    const personId = await say('remind me in 2 hours to call the plumber');
    await eventually('it is kept', async () => (await overview(personId)).intentions.length === 1);
    const before = new Date(Date.now() + 1_000).toISOString();
    const forgetUntil = (undoUntil: Date) => forget(personId, { before, undoUntil: undoUntil.toISOString() });
    await forgetUntil(new Date(Date.now() + 3_600_000));
    const sealed = () => stores.query('SELECT row FROM outreach_sealed_rows');
    expect(await sealed()).toHaveLength(1);
    // Its hour passes, and another order is at its end by now.
    await stores.query('UPDATE outreach_sealed_rows SET until = now()');
    await forgetUntil(new Date());
    await eventually('it is gone', async () => (await sealed()).length === 0);
  });

  it('keeps nothing of private talk', async () => {
    const personId = randomUUID();
    others.private.add(personId);
    await say('remind me in 1 minute to stretch', personId);
    await say('hello there', personId);
    await eventually('both were heard', async () => {
      const [row] = await stores.query<{ heard: number }>(
        'SELECT count(*)::int AS heard FROM outreach_handled_turns WHERE person_id = $1',
        [personId],
      );
      return row?.heard === 2;
    });
    expect((await overview(personId)).intentions).toEqual([]);
  });

  it('does not talk over a conversation', async () => {
    const personId = randomUUID();
    await allow(personId);
    await say('hello', personId);
    await eventually('it was heard', async () => {
      const [row] = await stores.query<{ last_spoke_at: Date | null }>(
        'SELECT last_spoke_at FROM outreach_settings WHERE person_id = $1',
        [personId],
      );
      return row?.last_spoke_at;
    });
    await say('remind me in 1 minute to stretch', personId, new Date(Date.now() - 120_000));
    await eventually('it is kept', async () => (await overview(personId)).intentions.length === 1);
    await severalScans();
    const { intentions, recent } = await overview(personId);
    expect([intentions.map(({ status }) => status), recent]).toEqual([['open'], []]);
  });

  it('says which turns it has not noticed yet', async () => {
    const now = new Date();
    const said = { personId: randomUUID(), text: 'hello', at: now.toISOString(), endedAt: now };
    const [turnId, unknown] = [await endTurn(said), randomUUID()];
    const answer = await eventually('it is noticed', async () => {
      const asked = await messenger.ask(outreachContract.unfinished, { turnIds: [turnId, unknown] });
      return asked.unfinished.length === 1 && asked;
    });
    expect(answer).toEqual({ unfinished: [unknown], dead: [] });
  });
}
