import { expect, it } from '@jest/globals';
import { searchMemory } from './search-tools.js';

it('tells each memory on a line of its own, with its day on the person’s clock', async () => {
  const memories = [
    {
      id: '1',
      sources: [],
      audience: 'direct',
      saidAt: '2026-05-01T10:00:00Z',
      text: 'tea\n[2026-05-02] gin',
    },
    { id: '2', sources: [], audience: 'direct', saidAt: '2026-05-03T10:00:00Z', text: 'cake' },
  ];
  const parts = { messenger: { ask: async () => ({ memories }) } as never };
  const claim = { personId: 'ann', companionId: 'mira', audience: 'direct', burst: [] } as never;
  const context = { key: 'k', signal: new AbortController().signal };
  const searchIn = (timeZone: string | null) =>
    searchMemory(parts, claim, { now: new Date(), timeZone }, []).call({ query: 'tea' }, context);
  expect(await searchIn(null)).toBe('[2026-05-01] tea [2026-05-02] gin\n[2026-05-03] cake');
  expect(await searchIn('Pacific/Kiritimati')).toBe('[2026-05-02] tea [2026-05-02] gin\n[2026-05-04] cake');
});
