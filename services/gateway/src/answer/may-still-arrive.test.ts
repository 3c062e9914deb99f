import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';
import { mayStillArrive } from './may-still-arrive.js';

const AWAY = new AppError('unavailable', 'no answer');
const claimFor = (target: object | null) =>
  ({ personId: 'ann', burst: [{ externalId: 'attempt', target }] }) as unknown as Claim;

/** Asks a scheduler that gives these answers, one after the other. Returns what it was asked, too. */
async function ask(
  answers: (boolean | Error)[],
  target: object | null,
  signal = new AbortController().signal,
) {
  const requests: unknown[] = [];
  const messenger = {
    ask: (_: unknown, request: unknown) => {
      requests.push(request);
      const answer = answers.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ allowed: answer });
    },
  } as unknown as Messenger;
  return { allowed: await mayStillArrive(messenger, claimFor(target), signal), requests };
}

describe('mayStillArrive', () => {
  it.each([true, false])('goes by the word of the scheduler: %s', async (word) => {
    const { allowed, requests } = await ask([word], null);
    expect(allowed).toBe(word);
    expect(requests).toEqual([{ personId: 'ann', attemptId: 'attempt', writtenAt: expect.any(String) }]);
  });

  it('asks again where the scheduler is away and nobody asks later', async () => {
    expect((await ask([AWAY, false], null)).allowed).toBe(false);
  });

  it('leaves the question to the outbox where the scheduler is away', async () => {
    expect(await ask([AWAY], { userId: '1' })).toMatchObject({ allowed: true, requests: [{}] });
  });

  it('ends with the turn', async () => {
    const ended = new AbortController();
    ended.abort(new Error('a turn was interrupted'));
    await expect(ask([AWAY, true], null, ended.signal)).rejects.toThrow('interrupted');
  });
});
