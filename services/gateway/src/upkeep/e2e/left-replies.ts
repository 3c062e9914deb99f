import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Audience, RecalledMemory } from '@kith/contracts';
import { viewTurn } from '../../conversations/view-turn.js';
import { answered, memoryOf } from '../../e2e/talk.js';
import { commitTurn } from '../../outcome/commit-turn.js';
import { inDays, orderOf, type Upkeep } from './upkeep.js';

/** Tests what is told no more of a place that the app left. */
export function leftReplies({ talk, answeredIn, retentionWith }: Upkeep): void {
  describe('retention', () => {
    it('tells nothing of a turn in a place that the app left, until it is back', async () => {
      const { orders } = retentionWith({});
      const { personId } = await talk.place();
      const there = await answeredIn(personId);
      const { externalId } = there;
      const audience: Audience = `channel:discord:${externalId}`;
      // Somewhere else a memory of that place was recalled.
      const elsewhere = await talk.place();
      await talk.accept(elsewhere, `said-${randomUUID()}`);
      const turn = { ...answered(), recalled: [memoryOf(audience), memoryOf('direct')] };
      await commitTurn(talk.database, await talk.claim(elsewhere), turn, true);
      const told = async () => {
        const one = await viewTurn(talk.database, personId, there.turnId);
        const other = await viewTurn(talk.database, elsewhere.personId, turn.turnId);
        return [one.reply, other.recalled.map((memory) => memory.audience)];
      };
      expect(await told()).toEqual(['hi Ann', [audience, 'direct']]);
      await orders.leave(orderOf(externalId, [externalId], 0));
      expect(await told()).toEqual([null, ['direct']]);
      await orders.returnTo(orderOf(externalId, [externalId], 1));
      expect(await told()).toEqual(['hi Ann', [audience, 'direct']]);
    });

    it('holds back what a reply elsewhere repeats of places that the app left, until it is back in all of them', async () => {
      const { retention, orders } = retentionWith({});
      const dm = await talk.place();
      const { personId } = dm;
      const [one, other] = await Promise.all(
        [randomUUID(), randomUUID()].map(async (externalId): Promise<Audience> => {
          await answeredIn(personId, externalId);
          return `channel:discord:${externalId}`;
        }),
      );
      const placeOf = (audience: Audience) => audience.split(':')[2]!;
      const recalling = (...audiences: Audience[]) =>
        audiences.map((audience) => ({ ...memoryOf(audience), text: 'My boat is called Zephyrine.' }));
      const sayings: [string, RecalledMemory[]][] = [
        ['Zephyrine sails.', recalling(one!, other!)],
        // Written with that reply in view.
        ['As I said: Zephyrine.', []],
        ['Nothing of it.', recalling(one!)],
      ];
      for (const [reply, recalled] of sayings) {
        await talk.accept(dm, `said-${randomUUID()}`);
        await commitTurn(talk.database, await talk.claim(dm), { ...answered(), reply, recalled }, true);
      }
      const told = async () => {
        const rows = await talk.stores.query<{ text: string; withheld: string | null }>(
          `SELECT text, withheld FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
          [dm.conversationId],
        );
        return rows.map(({ text, withheld }) => withheld ?? text);
      };
      const all = sayings.map(([reply]) => reply);
      expect(await told()).toEqual(all);
      const [here, there] = [placeOf(one!), placeOf(other!)];
      await orders.leave(orderOf(here, [here], 0));
      await orders.leave(orderOf(there, [there], 0));
      expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
      await orders.returnTo(orderOf(here, [here], 1));
      expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
      await orders.returnTo(orderOf(there, [there], 1));
      expect(await told()).toEqual(all);
      await orders.leave(orderOf(here, [here], 2));
      await retention.run(inDays(10));
      expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
      const words = await talk.stores.query(
        'SELECT 1 FROM transcript WHERE text LIKE $1 AND conversation_id = $2',
        ['%Zephyrine%', dm.conversationId],
      );
      expect(words).toEqual([]);
    });
  });
}
