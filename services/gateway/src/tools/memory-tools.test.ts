import { expect, it } from '@jest/globals';
import type { CoreEdit } from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';
import { coreTools } from './memory-tools.js';

it('finds in core memory what a model repeats of it as its prompt told it, line by line', async () => {
  const edits: CoreEdit[] = [];
  const messenger = {
    ask: async (_: unknown, { edit }: { edit: CoreEdit }) => {
      edits.push(edit);
      return { text: 'Keeps bees.\nHas a dog.' };
    },
  };
  const claim = { personId: 'p1', companionId: 'mira', audience: 'direct' } as Claim;
  const origin = { answered: [], turnIds: [], sourcesOf: () => [], begunAt: '2026-03-01T12:00:00.000Z' };
  const [append, replace] = coreTools({ messenger: messenger as never }, claim, origin);
  const call = { key: 'k', signal: new AbortController().signal };
  const given = {
    label: 'human',
    old_content: '  Keeps bees.\n  Has a cat.',
    new_content: '  Keeps bees.\n  Has a dog.',
  };
  expect(await replace!.call(given, call)).toBe('human now says:\n  Keeps bees.\n  Has a dog.');
  await append!.call({ label: 'human', content: 'Likes tea.\n  Likes rain.' }, call);
  expect(edits).toEqual([
    { kind: 'replace', old: 'Keeps bees.\nHas a cat.', new: 'Keeps bees.\nHas a dog.' },
    { kind: 'append', text: 'Likes tea.\nLikes rain.' },
  ]);
  await expect(replace!.call({ ...given, old_content: '' }, call)).rejects.toThrow();
});
