import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CLOCKS_CHANNEL, DAY_MS, HOUR_MS, outreachContract } from '@kith/contracts';
import { Broadcasts } from '@kith/messaging';
import { eventually } from '@kith/testing';
import { rest, messenger, restartScheduler, say, overview, forget } from './open-scheduler.js';

/** Tests by whose clock what waits is placed. */
export function zones(): void {
  it('tells the zone of a clock, the suite’s until they name one, and everybody when it is another', async () => {
    const personId = randomUUID();
    const told: unknown[] = [];
    const stop = await rest.get(Broadcasts).subscribe(CLOCKS_CHANNEL, (payload) => told.push(payload));
    const zone = () => messenger.ask(outreachContract.timeZone, { personId });
    expect(await zone()).toEqual({ timeZone: 'UTC' });
    await messenger.ask(outreachContract.change, { personId, change: { timeZone: 'Berlin' } });
    expect(await zone()).toEqual({ timeZone: 'Europe/Berlin' });
    await eventually('everybody to be told', () => told.length > 0);
    await stop();
    expect(told).toEqual([{ tags: [personId] }]);
  });

  it('has people who named no zone go by one that the suite is given later, and tells everybody', async () => {
    // In the middle of a day in both zones: near its ends "tomorrow" is not the same day in the two.
    const saidAt = new Date(new Date(Date.now() - 12 * HOUR_MS).setUTCHours(12, 0, 0, 0));
    const personId = await say('remind me tomorrow at 18:00 to call mum', undefined, saidAt);
    const other = randomUUID();
    await messenger.ask(outreachContract.change, { personId: other, change: { timeZone: 'UTC' } });
    const dueAt = async () => (await overview(personId)).intentions[0]?.dueAt;
    const inUtc = await eventually('it is kept', dueAt);
    const told: unknown[] = [];
    const stop = await rest.get(Broadcasts).subscribe(CLOCKS_CHANNEL, (payload) => told.push(payload));
    await restartScheduler({ KITH_TIME_ZONE: 'Europe/Moscow' });
    await eventually('everybody to be told', () =>
      told.some((one) => isDeepStrictEqual(one, { tags: [personId] })),
    );
    await stop();
    expect((await overview(personId)).settings.timeZone).toBe('Europe/Moscow');
    expect(Date.parse(inUtc) - Date.parse((await dueAt())!)).toBe(3 * 3_600_000);
    expect((await overview(other)).settings.timeZone).toBe('UTC');
    await restartScheduler();
  });

  it('places by the first zone of its person, by its words, what waits as they name it, or comes back later', async () => {
    const saidAt = new Date();
    const tell = () => say('remind me the day after tomorrow at 9:00 to call mum', undefined, saidAt);
    const [waiting, forgotten] = [await tell(), await tell()];
    const dueAt = async (personId: string) => (await overview(personId)).intentions[0]?.dueAt;
    for (const personId of [waiting, forgotten]) await eventually('it is kept', () => dueAt(personId));
    const order = { orderId: randomUUID(), personId: forgotten, turnIds: [] };
    await forget(forgotten, {
      orderId: order.orderId,
      before: new Date(Date.now() + 1_000).toISOString(),
      undoUntil: new Date(Date.now() + 60_000).toISOString(),
    });
    // Another day there than in UTC, whenever this runs.
    const [timeZone, hours] =
      saidAt.getUTCHours() < 10 ? ['Pacific/Pago_Pago', -11] : ['Pacific/Kiritimati', 14];
    for (const personId of [forgotten, waiting])
      await messenger.ask(outreachContract.change, { personId, change: { timeZone } });
    const day = Math.floor((saidAt.getTime() + hours * HOUR_MS) / DAY_MS) + 2;
    const due = new Date(day * DAY_MS + (9 - hours) * HOUR_MS).toISOString();
    await eventually('the one is placed', async () => (await dueAt(waiting)) === due);
    expect(await dueAt(forgotten)).toBeUndefined();
    await messenger.ask(outreachContract.undoForget, order);
    await eventually('the other is placed', async () => (await dueAt(forgotten)) === due);
  });

  it('refuses a zone that does not exist', async () => {
    const change = { timeZone: 'Middle/Earth' };
    await expect(
      messenger.ask(outreachContract.change, { personId: randomUUID(), change }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });
}
