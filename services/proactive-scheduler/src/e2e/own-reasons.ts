import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { MemoryView } from '@kith/contracts';
import { others, stores, runOf, severalScans, overview, allow, hello } from './open-scheduler.js';

/** Tests reasons of a companion: something they care about, and a need of its own. */
export function ownReasons(): void {
  describe('something they care about', () => {
    const likes = (id: string): MemoryView => ({
      id,
      kind: 'fact',
      text: 'Ada likes bees',
      audience: 'direct',
      writer: 'model',
      importance: 5,
      saidAt: '2026-01-01T00:00:00.000Z',
      createdAt: '2026-01-01T00:00:00.000Z',
      lastRecalledAt: null,
      timesRecalled: 0,
      sources: [],
      speaker: null,
      conversation: null,
      shelf: 'open',
      shelfReason: null,
      pinned: false,
      fact: {
        attribute: 'likes:bees',
        value: 'likes',
        validFrom: '2026-01-01T00:00:00.000Z',
        validTo: null,
        isSure: true,
        wording: null,
        holdsUntil: null,
      },
    });

    it('is asked about once, only of who allows it, and only from their own memories', async () => {
      const [ada, ben] = [await hello(), await hello()];
      for (const personId of [ada, ben]) others.facts.set(personId, [likes(randomUUID())]);
      await allow(ada);
      await runOf('interests');
      expect((await overview(ada)).intentions).toMatchObject([
        { kind: 'interest', about: 'Ada likes bees', status: 'open' },
      ]);
      await runOf('interests');
      await severalScans();
      expect((await overview(ada)).intentions).toHaveLength(1);
      expect((await overview(ben)).intentions).toEqual([]);
      const [row] = await stores.query('SELECT sources FROM intentions WHERE person_id = $1', [ada]);
      expect(row).toEqual({ sources: [`memory:${others.facts.get(ada)![0]!.id}`] });
    });
  });

  describe('a need of the companion’s own', () => {
    it('is a reason where there is nothing of theirs to ask about, and it presses', async () => {
      const cid = await hello();
      await allow(cid);
      await runOf('interests');
      expect((await overview(cid)).intentions).toEqual([]);
      others.playUrgency = 0.8;
      await runOf('interests');
      others.playUrgency = 0;
      expect((await overview(cid)).intentions).toMatchObject([
        { kind: 'need', about: 'some playful talk', status: 'open' },
      ]);
    });
  });
}
