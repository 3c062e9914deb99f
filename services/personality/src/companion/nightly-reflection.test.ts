import { expect, it } from '@jest/globals';
import { erasedError } from '@kith/contracts';
import { Postponed } from '@kith/messaging';
import pino from 'pino';
import { NightlyReflection } from './nightly-reflection.js';

const on = { companionId: 'mira', day: '2026-05-04', from: '', to: '' };
const companion = { view: { id: 'mira' } };

/** Makes nights that meet an erased person until told otherwise, and the lines that they log. */
function nights() {
  const lines: { level: number; delayMs: number }[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) };
  const state = { isErased: true };
  const alone = async () => {
    if (state.isErased) throw erasedError(null);
    return true;
  };
  const reflection = new NightlyReflection(null as never, { alone } as never, pino({}, stream));
  /** Runs a night; returns for how long it is postponed, or null. */
  const night = async (day = on.day) => {
    try {
      await reflection.reflect(companion as never, { ...on, day });
      return null;
    } catch (error) {
      if (error instanceof Postponed) return error.delayMs;
      throw error;
    }
  };
  return { lines, state, night };
}

it('waits longer each time for an erasure that does not end, up to ten minutes, and says so', async () => {
  const { lines, night } = nights();
  const pauses: (number | null)[] = [];
  for (let n = 0; n < 12; n += 1) pauses.push(await night());
  expect(pauses.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect(pauses.slice(-2)).toEqual([600_000, 600_000]);
  expect(lines.map(({ delayMs }) => delayMs)).toEqual(pauses);
  expect(lines.at(-1)?.level).toBe(pino.levels.values['warn']);
});

it('waits a moment again once the day was reflected on, and for another day', async () => {
  const { state, night } = nights();
  await night();
  await night();
  expect(await night('2026-05-05')).toBe(2_000);
  state.isErased = false;
  expect(await night()).toBeNull();
  state.isErased = true;
  expect(await night()).toBe(2_000);
});
