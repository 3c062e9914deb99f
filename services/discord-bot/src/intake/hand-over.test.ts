import { expect, it } from '@jest/globals';
import { erasedError } from '@kith/contracts';
import { pino } from 'pino';
import { HandOver, IN_TURN } from './hand-over.js';

it('lets go of a message whose person was erased since they wrote it, without an alarm', async () => {
  const lines: { level: number; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as { level: number; msg: string });
  const handOver = new HandOver(pino({ level: 'trace' }, { write }));
  let tries = 0;
  const refused = async () => {
    tries += 1;
    throw erasedError(undefined);
  };
  expect(await handOver.persist('1', '600', IN_TURN, refused)).toBe('done');
  expect(tries).toBe(1);
  expect(lines.map(({ level }) => level)).toEqual([pino.levels.values['info']]);
});
