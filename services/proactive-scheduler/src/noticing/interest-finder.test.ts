import { expect, it } from '@jest/globals';
import { AppError, memoryContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { InterestFinder } from './interest-finder.js';

const NOW = new Date('2026-01-14T12:00:00Z');
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const NEEDS = { needs: [{ need: 'novelty', level: 1, urgency: 1 }] };
const FACT = { attribute: 'likes', value: 'bees', validFrom: NOW.toISOString(), validTo: null, isSure: true };
const LIKED = {
  id: '1',
  text: 'Ada likes bees',
  pinned: false,
  importance: 1,
  audience: 'direct',
  fact: FACT,
};

/**
 * Looks at each person; returns those for whom a reason was kept.
 * @param answers personality's, by companion
 * @param facts memory's answers, one after the other
 * @param people companion of each; otherwise one person for each answer
 */
async function look(
  answers: Record<string, object>,
  facts: object[][] = [],
  people: Record<string, string> = Object.fromEntries(Object.keys(answers).map((name) => [name, name])),
): Promise<{ kept: string[]; error: unknown }> {
  const kept: string[] = [];
  const intentions = {
    peopleToThinkOf: async () =>
      Object.entries(people).map(([personId, companionId]) => ({
        personId,
        companionId,
        timeZone: 'UTC',
        listener: 'direct' as const,
      })),
    askedAbout: async () => new Set<string>(),
    keepOwn: async (
      { personId }: { personId: string },
      _: object,
      __: Date,
      isStillKnown: () => Promise<boolean>,
    ) => (await isStillKnown()) && kept.push(personId) > 0,
  };
  const ask = async (contract: object, { companionId }: { companionId: string }) => {
    if (contract === memoryContract.list) return { memories: facts.shift() ?? [] };
    const answer = answers[companionId];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const messenger = { ask } as unknown as Pick<Messenger, 'ask'>;
  const error = await new InterestFinder(intentions, messenger, silent).findAll(NOW).then(
    () => null,
    (failure: unknown) => failure,
  );
  return { kept, error };
}

it('a companion that is retired is to ask about nothing, and keeps nobody else from being thought of', async () => {
  const retired = new AppError('not_found', 'no such companion');
  expect(await look({ anna: retired }, [[LIKED], [LIKED]])).toEqual({ kept: [], error: null });
  expect(await look({ anna: retired, bob: NEEDS })).toEqual({ kept: ['bob'], error: null });
});

it('a failure for one person is told after the others were looked at', async () => {
  const error = new AppError('internal', 'failed');
  expect(await look({ anna: error, bob: NEEDS })).toEqual({ kept: ['bob'], error });
});

it('while personality is down, what memory knows of a person is still asked about', async () => {
  const error = new AppError('unavailable', 'personality is down');
  expect(await look({ anna: error, bob: error }, [[LIKED], [LIKED]])).toEqual({ kept: ['anna'], error });
});

it('a companion of several people is asked for its needs once', async () => {
  let asked = 0;
  const answers = {
    get mira() {
      asked += 1;
      return NEEDS;
    },
  };
  const people = { anna: 'mira', bob: 'mira' };
  expect(await look(answers, [], people)).toEqual({ kept: ['anna', 'bob'], error: null });
  expect(asked).toBe(1);
});

it('what is forgotten while it is looked at is no reason', async () => {
  expect(await look({ anna: NEEDS }, [[LIKED], [LIKED]])).toEqual({ kept: ['anna'], error: null });
  expect(await look({ anna: NEEDS }, [[LIKED], []])).toEqual({ kept: [], error: null });
});
