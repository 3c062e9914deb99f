import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompanionDay, CompanionView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';
import { NightRecords } from './night-records.js';
import { NightRunner } from './night-runner.js';

const companion: CompanionView = {
  id: 'mira',
  name: 'Mira',
  tagline: 'listens',
  description: 'A companion.',
  version: 1,
  timeZone: 'UTC',
  traits: { openness: 0.5, conscientiousness: 0.5, extraversion: 0.5, agreeableness: 0.5, stability: 0.5 },
};

let stores: FreshDatabase;
let records: NightRecords;
beforeAll(async () => {
  stores = await freshDatabase();
  records = new NightRecords(stores.database);
}, 60_000);
afterAll(() => ifStarted(stores)?.stop());

/** Nights of a companion of its own, and a look for more of them at a time. */
function nightsOf(id: string) {
  const nights: CompanionDay[] = [];
  const look = async (now: string, timeZone = 'UTC') => {
    const companions = [{ ...companion, id, timeZone }];
    const messenger = { ask: () => Promise.resolve({ companions }) } as unknown as Messenger;
    const runner = new NightRunner(messenger, records, '03:30');
    await runner.run('reflection', { now: new Date(now), asked: false }, (night) => {
      nights.push(night);
      return Promise.resolve();
    });
    return nights.map(({ day }) => day);
  };
  return { nights, look };
}

describe('a companion', () => {
  it('has a night for each of its days, by its zone, and catches up on those it missed', async () => {
    const { nights, look } = nightsOf('zora');
    expect(await look('2027-03-26T12:00:00Z', 'Europe/Berlin')).toEqual([]);
    expect(await look('2027-03-27T02:29:00Z', 'Europe/Berlin')).toEqual([]);
    expect(await look('2027-03-27T02:30:00Z', 'Europe/Berlin')).toEqual(['2027-03-26']);
    // Down for two days, over the change of the clock.
    const missed = ['2027-03-26', '2027-03-27', '2027-03-28'];
    expect(await look('2027-03-29T09:00:00Z', 'Europe/Berlin')).toEqual(missed);
    // It moves: in its new place the day that is done is not over for hours.
    expect(await look('2027-03-30T06:00:00Z', 'Pacific/Pago_Pago')).toEqual(missed);
    expect(await look('2027-03-30T14:30:00Z', 'Pacific/Pago_Pago')).toEqual([...missed, '2027-03-29']);
    expect(nights.map(({ from }) => from)).toEqual([
      '2027-03-25T23:00:00.000Z',
      '2027-03-26T23:00:00.000Z',
      '2027-03-27T23:00:00.000Z',
      '2027-03-28T22:00:00.000Z',
    ]);
    expect(nights.at(-1)?.to).toBe('2027-03-30T11:00:00.000Z');
    expect((await records.latestDone()).get('reflection')).toBe('2027-03-29');
  });

  it('goes on with its nights once a clock that was a year ahead is right again', async () => {
    const { nights, look } = nightsOf('yara');
    await look('2027-03-20T12:00:00Z');
    expect(await look('2027-03-21T12:00:00Z')).toEqual(['2027-03-20']);
    expect(await look('2028-03-21T12:00:00Z')).toHaveLength(15);
    nights.length = 0;
    // The day before is over, and its night has not come.
    expect(await look('2027-03-23T00:05:00Z')).toEqual(['2027-03-21']);
    expect(await look('2027-03-23T12:00:00Z')).toEqual(['2027-03-21', '2027-03-22']);
    expect(await look('2027-03-23T12:05:00Z')).toEqual(['2027-03-21', '2027-03-22']);
    expect(await look('2027-03-24T12:00:00Z')).toEqual(['2027-03-21', '2027-03-22', '2027-03-23']);
  });

  it('has no night again because a clock was behind for a while', async () => {
    const { look } = nightsOf('xena');
    await look('2027-03-20T12:00:00Z');
    await look('2027-03-21T12:00:00Z');
    const done = await look('2027-03-24T12:00:00Z');
    expect(done).toEqual(['2027-03-20', '2027-03-21', '2027-03-22', '2027-03-23']);
    for (const time of ['1970-01-01T00:05:00Z', '2027-03-22T12:00:00Z', '2027-03-24T13:00:00Z'])
      expect(await look(time)).toEqual(done);
  });
});
