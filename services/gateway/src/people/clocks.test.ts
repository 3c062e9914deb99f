import { describe, expect, it, jest } from '@jest/globals';
import { CLOCKS_CHANNEL } from '@kith/contracts';
import { Broadcasts, endKept, Neighbours } from '@kith/messaging';
import { silentLogger } from '@kith/testing';
import { Clocks } from './clocks.js';

/** A scheduler that counts how often it is asked. */
function withScheduler(answer: () => Promise<string>) {
  const asked = { times: 0 };
  const ask = async () => {
    asked.times += 1;
    return { timeZone: await answer() };
  };
  const broadcasts = new Broadcasts({
    redisUrl: '',
    service: 'gateway',
    neighbours: new Neighbours(),
    logger: silentLogger,
  });
  const clocks = new Clocks({ ask } as never, broadcasts);
  clocks.listen();
  return { clocks, broadcasts, asked };
}

describe('the time zone of a person', () => {
  it('is asked for once, and again when they have another', async () => {
    let zone = 'Europe/Berlin';
    const { clocks, broadcasts, asked } = withScheduler(async () => zone);
    const look = () => clocks.zoneOf('ada');
    expect([await look(), await look(), asked.times]).toEqual(['Europe/Berlin', 'Europe/Berlin', 1]);
    zone = 'Asia/Tokyo';
    await endKept(broadcasts, CLOCKS_CHANNEL, ['bob']);
    expect(await look()).toBe('Europe/Berlin');
    await endKept(broadcasts, CLOCKS_CHANNEL, ['ada']);
    expect([await look(), asked.times]).toEqual(['Asia/Tokyo', 2]);
  });

  it('goes with the person', async () => {
    const { clocks, asked } = withScheduler(async () => 'Europe/Berlin');
    await clocks.zoneOf('ada');
    clocks.forget('ada');
    await clocks.zoneOf('ada');
    expect(asked.times).toBe(2);
  });

  it('is not waited for again where the scheduler does not answer', async () => {
    const { clocks, asked } = withScheduler(() => Promise.reject(new Error('late')));
    expect([await clocks.zoneOf('ada'), await clocks.zoneOf('ada'), await clocks.zoneOf('bob')]).toEqual([
      null,
      null,
      null,
    ]);
    expect(asked.times).toBe(1);
  });

  it('is asked for again in time, however often it was looked for meanwhile', async () => {
    const scheduler = { isAway: true };
    const { clocks, asked } = withScheduler(() =>
      scheduler.isAway ? Promise.reject(new Error('late')) : Promise.resolve('Europe/Berlin'),
    );
    const clock = jest.spyOn(performance, 'now');
    const lookAt = (ms: number) => {
      clock.mockReturnValue(ms);
      return clocks.zoneOf('ada');
    };
    expect([await lookAt(1_000), await lookAt(9_000)]).toEqual([null, null]);
    scheduler.isAway = false;
    expect([await lookAt(12_000), asked.times]).toEqual(['Europe/Berlin', 2]);
    clock.mockRestore();
  });
});
