import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshStores, ifStarted, type FreshStores } from '@kith/testing';

let stores: FreshStores;
beforeAll(async () => {
  stores = await freshStores();
});
afterAll(() => ifStarted(stores)?.stop());

/** Keeps a habit as it was before its places were kept: what is known of them stands in its turns. */
async function older(text: string, turns: readonly [personId: string, audience: string | null][]) {
  const quirkId = randomUUID();
  await stores.query(
    `INSERT INTO quirks (id, companion_id, kind, text, strength, origin, day)
     VALUES ($1, 'mira', 'interest', $2, 0.5, 'reflection', '2026-05-04')`,
    [quirkId, text],
  );
  for (const [personId, audience] of turns) {
    const turnId = randomUUID();
    await stores.query('INSERT INTO quirk_sources (quirk_id, turn_id, person_id) VALUES ($1, $2, $3)', [
      ...[quirkId, turnId, personId],
    ]);
    if (audience === null) continue;
    await stores.query(
      `INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace,
         started_at, ended_at)
       VALUES ($1, $1, $2, 'mira', 'discord', $3, 'message', 'answered', '{}', now(), now())`,
      [turnId, personId, audience],
    );
  }
}

describe('habits of a backup from before their places were kept', () => {
  it('show in their channel, everywhere where three said it in talk of their own, and not where it is unsure', async () => {
    const [ana, ben, cem] = [randomUUID(), randomUUID(), randomUUID()];
    const MODS = 'channel:discord:1';
    await older(
      'layoffs',
      [ana, ben, cem].map((person) => [person, MODS]),
    );
    await older(
      'sourdough',
      [ana, ben, cem].map((person) => [person, 'direct']),
    );
    await older('telescope', [
      [ana, MODS],
      [ben, 'direct'],
      [cem, 'channel:discord:2'],
    ]);
    await older(
      'juggling',
      [ana, ben, cem].map((person) => [person, null]),
    );
    await stores.query('SELECT kith_restored_personality()');
    const habits = () => stores.query('SELECT text, audience FROM quirks ORDER BY text');
    const shown = [
      { text: 'layoffs', audience: MODS },
      { text: 'sourdough', audience: 'everywhere' },
    ];
    expect(await habits()).toEqual(shown);
    // Those whose places are known stay as they are, whatever has become of their turns.
    await stores.query('DELETE FROM turns');
    await stores.query('SELECT kith_restored_personality()');
    expect(await habits()).toEqual(shown);
  });
});
