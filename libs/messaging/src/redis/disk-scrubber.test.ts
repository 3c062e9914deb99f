import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { DiskScrubber } from './disk-scrubber.js';

const say = () => undefined;
const logger = { debug: say, info: say, warn: say, error: say };

it('that closes during a rewrite orders another one after it', async () => {
  const answers = ['in progress', 'in progress', 'started'];
  const bgrewriteaof = () => {
    if (answers.shift() === 'started') return Promise.resolve('started');
    const refusal = new Error('ERR Background append only file rewriting already in progress');
    return Promise.reject(Object.assign(refusal, { name: 'ReplyError' }));
  };
  const scrubber = new DiskScrubber({ status: 'ready', bgrewriteaof } as unknown as Redis, logger);
  scrubber.order();
  await scrubber.close();
  expect(answers).toEqual([]);
});
