import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';
import { mayStillArrive } from './may-still-arrive.js';

const UNDER_WAY = { isBusy: true, spokenIn: ['turn'] };
const AWAY = new AppError('unavailable', 'no answer');
const claimFor = (target: object | null) =>
  ({ personId: 'ann', burst: [{ externalId: 'attempt', target }] }) as unknown as Claim;

/** Asks a scheduler that answers so. Returns what it was asked, too. */
async function ask(answer: boolean | Error, target: object | null) {
  const requests: unknown[] = [];
  const messenger = {
    ask: (_: unknown, request: unknown) => {
      requests.push(request);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ allowed: answer });
    },
  } as unknown as Messenger;
  return { word: await mayStillArrive(messenger, claimFor(target), UNDER_WAY), requests };
}

describe('mayStillArrive', () => {
  it.each([
    [true, 'allowed'],
    [false, 'called-off'],
  ])('goes by the word of the scheduler: %s', async (answer, word) => {
    const asked = await ask(answer, null);
    expect(asked.word).toBe(word);
    expect(asked.requests).toEqual([
      { personId: 'ann', attemptId: 'attempt', ...UNDER_WAY, writtenAt: expect.any(String) },
    ]);
  });

  it('tells that nobody was asked where the scheduler is away, and nobody asks later', async () => {
    expect((await ask(AWAY, null)).word).toBe('unasked');
  });

  it('leaves the question to the outbox where the scheduler is away', async () => {
    expect((await ask(AWAY, { userId: '1' })).word).toBe('allowed');
  });

  it('fails where the question itself was wrong', async () => {
    await expect(ask(new AppError('invalid_request', 'no'), null)).rejects.toThrow('no');
  });
});
