import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ReadSlots } from './read-slots.js';

/** Slots with reads that end when they are told to. */
function slotsWith(requests: { count: number }) {
  const slots = new ReadSlots(requests);
  const reading = new Map<string, () => void>();
  const putOff: string[] = [];
  const awaited = new Set<string>();
  const read = (place: string) =>
    void slots.run(
      () => new Promise<void>((resolve) => reading.set(place, resolve)),
      () => void putOff.push(place),
      () => awaited.has(place),
    );
  const end = async (place: string) => {
    reading.get(place)?.();
    reading.delete(place);
    await settled();
  };
  return { read, end, putOff, awaited, reading: () => [...reading.keys()] };
}
const places = (count: number) => Array.from({ length: count }, (_, number) => `c${number}`);

describe('slots for reads', () => {
  it('are given in order, but first to a place that is awaited by then', async () => {
    const { read, end, awaited, reading } = slotsWith({ count: 0 });
    for (const place of places(24)) read(place);
    expect(reading()).toEqual(places(20));
    awaited.add('c23');
    await end('c0');
    await end('c1');
    expect(reading().slice(-2)).toEqual(['c23', 'c20']);
  });

  it('are fewer while Discord refuses much, and all taken again once that is past', async () => {
    const requests = { count: 98 };
    const { read, end, reading } = slotsWith(requests);
    for (const place of places(30)) read(place);
    expect(reading()).toEqual(['c0', 'c1']);
    requests.count = 0;
    await end('c0');
    expect(reading()).toHaveLength(20);
  });

  it('leave nobody waiting once reading is put off', async () => {
    const requests = { count: 0 };
    const { read, end, putOff } = slotsWith(requests);
    for (const place of places(30)) read(place);
    requests.count = 100;
    await end('c0');
    expect(putOff).toEqual(places(30).slice(20));
  });
});
