import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import { eventually, type DiscordUser } from '@kith/testing';
import { discord, suite, state } from './open-bot.js';

/** Tests that people are told of keys that act as them. */
export function keyNotices(): void {
  describe('a key that an operator made to act as somebody', () => {
    /** Person to be told, and the key. */
    async function tell(user: DiscordUser, scopes = ['chat']): Promise<string> {
      const keyId = randomUUID();
      state.keyNotices.set(keyId, {
        discordUserId: user.id,
        name: 'help',
        reason: 'lost their phone',
        scopes,
        madeAt: '2026-11-22T09:00:00.000Z',
      });
      await suite.messenger.enqueue(discordContract.tellOfKey, { keyId });
      return keyId;
    }
    const toldOf = (user: DiscordUser) =>
      discord.sentTo(discord.dmChannel(user)).map(({ message }) => message.content);
    const noJobIsLeft = async () => {
      const counts = await suite.messenger.jobs.counts(discordContract.tellOfKey);
      return ['active', 'waiting', 'delayed'].every((state) => (counts[state] ?? 0) === 0) && counts;
    };

    it('is told to them by DM, with the reason, once, also when Discord fails at first', async () => {
      const gil = discord.user('Gil');
      discord.fail({ method: 'POST', path: /channels\/\d+\/messages$/, status: 503, times: 2 });
      await tell(gil);
      await eventually('the DM', () => toldOf(gil).length > 0, 15_000);
      expect(toldOf(gil)).toHaveLength(1);
      expect(toldOf(gil)[0]).toContain('acts as you. It may: chat.');
      expect(toldOf(gil)[0]).toContain('“lost their phone”');
    });

    it('is told also where it holds a scope more often than a message has room for', async () => {
      const ivy = discord.user('Ivy');
      await tell(
        ivy,
        Array.from({ length: 400 }, () => 'chat'),
      );
      await eventually('the DM', () => toldOf(ivy).length > 0);
      expect(toldOf(ivy)[0]).toContain('It may: chat.');
    });

    it('is no failure where they take no DMs, and nothing where the key is gone', async () => {
      const hed = discord.user('Hed');
      discord.closeDms(hed);
      await tell(hed);
      await suite.messenger.enqueue(discordContract.tellOfKey, { keyId: randomUUID() });
      const counts = await eventually('its end', noJobIsLeft);
      expect(counts['failed'] ?? 0).toBe(0);
      expect(toldOf(hed)).toEqual([]);
    });
  });
}
