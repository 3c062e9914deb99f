import { describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import { discord, suite } from './open-bot.js';

/** Tests what the bot tells of itself. */
export function status(): void {
  describe('status', () => {
    it('tells who it is and where', async () => {
      await discord.waitForReady();
      await expect(suite.messenger.ask(discordContract.status, {})).resolves.toEqual({
        state: 'ready',
        user: discord.bot.username,
        guilds: discord.world.guilds.size,
        problem: null,
      });
    });
  });
}
