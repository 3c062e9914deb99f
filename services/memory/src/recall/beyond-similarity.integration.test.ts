import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, type ReadTurn } from '@kith/contracts';
import { CHANNEL, onEachIndex } from '../e2e/on-each-index.js';

onEachIndex('recall beyond similarity', (memory) => {
  const { sayOn, recall, extract } = memory;

  it('tells every occurrence in the order of time, and how often the same words were said', async () => {
    const first = await sayOn('2026-01-05', 'Went to the beach with Ida!');
    const { personId } = first;
    for (const day of ['2026-02-07', '2026-03-09'])
      await sayOn(day, 'Back at the beach today.', { personId });
    await sayOn('2026-04-01', `${'It rained all day long. '.repeat(10)}No beach for me.`, { personId });
    const { passages } = await recall(first, 'How many times did I go to the beach?', { passageTokens: 200 });
    expect(passages.flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual([
      'Went to the beach with Ida!',
      'Back at the beach today. (said 2 times, last then)',
      '… No beach for me.',
    ]);
  });

  it('tells both sides of what does not go together, until one is said again', async () => {
    const first = await sayOn('2026-01-05', 'My birthday is on May 4th.');
    const { personId } = first;
    const asked = async () =>
      (await recall(first, 'When is my birthday?', { passageTokens: 400 })).contradictions.map(({ sides }) =>
        sides.map(({ text }) => text),
      );
    await sayOn('2026-02-05', 'My birthday is on May 5th.', { personId });
    await extract(first.personId);
    expect(await asked()).toEqual([
      [expect.stringContaining('on 4 may'), expect.stringContaining('on 5 may')],
    ]);
    await sayOn('2026-03-05', 'As I said, my birthday is on May 5th.', { personId });
    await extract(first.personId);
    expect(await asked()).toEqual([]);
  });

  it('tells what was before, where that is asked', async () => {
    const first = await sayOn('2026-01-05', 'I work as a nurse.');
    const { personId } = first;
    await sayOn('2026-03-01', 'I work as a gardener now, planting trees.', { personId });
    await extract(first.personId);
    const { passages } = await recall(first, 'What did I work as previously, before I was planting trees?', {
      passageTokens: 300,
      limit: 4,
    });
    const told = passages.flatMap(({ lines }) => lines.map(({ text }) => text));
    expect(told).toContainEqual(expect.stringMatching(/works as nurse \(from .* no longer\)/));
  });

  describe('wishes', () => {
    const wished = async (turn: ReadTurn, audience: 'direct' | typeof CHANNEL = 'direct') =>
      (await recall(turn, 'what is new?', { withCore: true, audience })).wishes.map(({ text }) => text);

    it('are told whatever is asked, not in a channel when they were told in a DM, and end', async () => {
      const first = await sayOn('2026-01-05', 'Never mention my brother Tom.');
      const { personId } = first;
      await sayOn('2026-01-06', 'I prefer short answers.', { personId, audience: CHANNEL });
      await extract(first.personId);
      expect(await wished(first)).toEqual([
        expect.stringContaining('“I prefer short answers”'),
        expect.stringContaining('“Never mention my brother Tom”'),
      ]);
      expect(await wished(first, CHANNEL)).toEqual([expect.stringContaining('“I prefer short answers”')]);

      await sayOn('2026-02-01', 'I like long answers.', { personId });
      await extract(first.personId);
      expect(await wished(first)).toEqual([
        expect.stringContaining('long answers'),
        expect.stringContaining('Tom'),
      ]);
      expect(await wished(first, CHANNEL)).toEqual([expect.stringContaining('short answers')]);

      const what = { kind: 'sources' as const, sources: [`${first.turnId}-0`] };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      expect(await wished(first)).toEqual([expect.stringContaining('long answers')]);
    });
  });
});
