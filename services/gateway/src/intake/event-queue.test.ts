import { describe, expect, it } from '@jest/globals';
import type { TurnEvent } from '../signals/turn-events.js';
import { EventQueue } from './event-queue.js';

const TURN_ID = '019a0000-0000-7000-8000-000000000001';
const token = (text: string, inboxId = '1'): TurnEvent => ({
  door: 'http',
  inboxIds: [inboxId],
  event: { type: 'token', turnId: TURN_ID, text },
});

/** Reads what waits. */
async function read(queue: EventQueue): Promise<string[]> {
  const texts = [];
  for (let next; (next = await queue.next(1));) texts.push((next.event as { text: string }).text);
  return texts;
}

describe('the events that wait for a reader', () => {
  it('are of their message alone, also those from before its id was known', async () => {
    const queue = new EventQueue();
    for (const id of ['2', '1', '3']) queue.push(token(`before ${id}`, id));
    queue.keepOnly('1');
    for (const id of ['3', '1', '2']) queue.push(token(`after ${id}`, id));
    expect(await read(queue)).toEqual(['before 1', 'after 1']);
  });

  it('are bounded, and without a gap', async () => {
    const queue = new EventQueue();
    queue.keepOnly('1');
    for (let n = 0; n < 3_000; n++) queue.push(token(String(n)));
    const first = await queue.next(1);
    expect(first).toEqual(token('0'));
    queue.push(token('later'));
    expect((await read(queue)).at(-1)).toBe('1999');
    queue.push(token('later yet'));
    expect(await read(queue)).toEqual([]);
  });

  it('do not fill up with those of other messages', async () => {
    const queue = new EventQueue();
    queue.keepOnly('1');
    for (let n = 0; n < 3_000; n++) queue.push(token(String(n), '2'));
    queue.push(token('own'));
    expect(await read(queue)).toEqual(['own']);
  });

  it('are waited for', async () => {
    const queue = new EventQueue();
    const next = queue.next(60_000);
    queue.push(token('now'));
    expect(await next).toEqual(token('now'));
  });
});
