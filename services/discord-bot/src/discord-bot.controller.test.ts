import { describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import { assertOneHandler } from '@kith/messaging';
import { DiscordBotController } from './discord-bot.controller.js';

describe('discord-bot', () => {
  it('handles each of its requests and jobs exactly once', () => {
    expect(() => assertOneHandler(discordContract, [DiscordBotController])).not.toThrow();
  });
});
