import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { jobsContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { others, messenger, runUntil, severalScans, dayAgo } from './open-scheduler.js';

/** Tests what is ordered of memory, personality and gateway each night. */
export function nights(): void {
  it('hands a day to memory and personality, the same work when told again', async () => {
    const personId = randomUUID();
    others.pairs.push({ personId, companionId: 'mira' });
    const yesterday = dayAgo(1);
    const span = { from: `${yesterday}T00:00:00.000Z`, to: `${dayAgo(0)}T00:00:00.000Z` };
    await runUntil('consolidation', 'a summary', () => others.consolidations.length > 0);
    expect(others.consolidations).toEqual([{ personId, companionId: 'mira', day: yesterday, ...span }]);
    await runUntil('reflection', 'both companions', () => others.reflections.length === 2);
    expect(others.reflections.map(({ companionId }) => companionId).sort()).toEqual(['mira', 'odo']);
    const at = `${yesterday}T12:00:00.000Z`;
    others.consolidations.length = 0;
    await messenger.enqueue(jobsContract.consolidateAgain, { personId, companionId: 'odo', at });
    await eventually('the day of that time, again', () => others.consolidations.length > 0);
    expect(others.consolidations).toEqual([{ personId, companionId: 'odo', day: yesterday, ...span }]);
  });

  it('lets companions that think by themselves do so, over as many as they may', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    for (const personId of [one, two]) others.pairs.push({ personId, companionId: 'odo' });
    const of = (companionId: string) =>
      others.heartbeats.filter((order) => order.companionId === companionId);
    const [order] = await runUntil('heartbeat', 'an order', () => of('odo').length > 0 && of('odo'));
    expect([one, two]).toContain(order!.personId);
    expect(order).toMatchObject({ companionId: 'odo', day: dayAgo(1), why: 'day' });
    await severalScans();
    expect(of('odo')).toHaveLength(1);
    // One whose persona does not say thinks of a few.
    expect(of('mira').length).toBeLessThanOrEqual(3);
  });
}
