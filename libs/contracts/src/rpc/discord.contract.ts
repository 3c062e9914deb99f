import { z } from 'zod';
import { defineJob, defineRequest } from './define.js';
import { erasePerson } from './erasure.js';
import { Uuid } from '../values/words.js';

const DiscordId = z.string().regex(/^\d{1,20}$/);

export const discordContract = {
  /** Sends an outbox row to Discord, in chunks, each with its own nonce. */
  deliver: defineJob('discord.deliver', {
    payload: z.object({ outboxId: Uuid }),
    idOf: ({ outboxId }) => outboxId,
    // With the claim of the outbox row.
    countsItself: true,
    // Most of a delivery is waiting for Discord: one that waits long must not hold the others up.
    concurrency: 16,
  }),
  /** Tells somebody by DM that an operator made a key that acts as them. */
  tellOfKey: defineJob('discord.tell-of-key', {
    payload: z.object({ keyId: Uuid }),
    idOf: ({ keyId }) => keyId,
    // With the pauses doubling, an outage of most of a day.
    attempts: 16,
    backoffMs: 2_000,
  }),
  /** Deletes a message of the bot's that Discord refused to delete. The payload names nobody, and holds no words. */
  deleteMessage: defineJob('discord.delete-message', {
    payload: z.object({ channelId: DiscordId, messageId: DiscordId }),
    idOf: ({ messageId }) => messageId,
    // With the pauses doubling, almost six days: time to notice a missing permission, and to give it back.
    attempts: 16,
    backoffMs: 15_000,
  }),
  /** State of the bot: `off` when no token is set, `standby` while another process holds the connection. */
  status: defineRequest('discord.status', {
    request: z.object({}),
    response: z.object({
      state: z.enum(['off', 'standby', 'connecting', 'ready', 'failed']),
      user: z.string().nullable(),
      guilds: z.number().int(),
      problem: z.string().nullable(),
    }),
    timeoutMs: 2_000,
  }),
  /** Erases or counts the cursor of a person's DM, and replies to them that are being shown. */
  erase: erasePerson('discord.erase'),
};
