import { describe, expect, it } from '@jest/globals';
import { erasedError } from '@kith/contracts';
import { pino } from 'pino';
import { asideWaitMs, HandOver, handOverWaitMs } from './hand-over.js';

it('lets go of a message whose person was erased since they wrote it, without an alarm', async () => {
  const lines: { level: number; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as { level: number; msg: string });
  const handOver = new HandOver(pino({ level: 'trace' }, { write }));
  let tries = 0;
  const refused = async () => {
    tries += 1;
    throw erasedError(undefined);
  };
  expect(await handOver.persist('1', '600', refused)).toBe('done');
  expect(tries).toBe(1);
  expect(lines.map(({ level }) => level)).toEqual([pino.levels.values['info']]);
});

describe('handOverWaitMs', () => {
  it('waits longer each time, up to four seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 900].map(handOverWaitMs)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
    ]);
  });
});

describe('asideWaitMs', () => {
  it('waits longer each time, from a minute up to an hour', () => {
    expect([0, 1, 5, 6, 900].map((attempt) => asideWaitMs(attempt) / 60_000)).toEqual([1, 2, 32, 60, 60]);
  });
});
