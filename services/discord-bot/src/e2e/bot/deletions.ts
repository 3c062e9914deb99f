import { describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { chunkMessage } from '../../delivery/chunk-message.js';
import { logged } from '../run-bot.js';
import { discord, bot, state, alice, general, deliver, deliverHeldUp, replyIn } from './open-bot.js';

/** Tests that what was forgotten is deleted, however late. */
export function deletions(): void {
  describe('deliveries', () => {
    it('deletes all of a forgotten reply whose parts arrived unnoticed, also parts that say the same', async () => {
      const channel = discord.dmChannel(discord.user('Max'));
      const text = 'a chunk of words. '.repeat(330);
      const outboxId = replyIn(channel, text, { tries: 1 });
      const ids = chunkMessage(text).map(
        (content) => discord.world.addMessage(channel, discord.bot, { content }).id,
      );
      expect(new Set(chunkMessage(text).slice(0, -1)).size).toBe(1);
      Object.assign(state.outbox.get(outboxId)!, { sent: ids.slice(0, 1), isForgotten: true });
      expect(await deliver(outboxId)).toEqual([{ kind: 'forgotten' }]);
      expect(ids.filter((id) => discord.world.messages.has(id))).toEqual([]);
    });

    describe('a message that Discord refuses to delete', () => {
      const refuse = (messageId: string) =>
        discord.fail({ method: 'DELETE', path: new RegExp(messageId), status: 403, code: 50013, times: 2 });
      const isThere = (messageId: string) => discord.world.messages.has(messageId);
      /** The job that is to delete it, once it waits for its next try. */
      const waiting = (messageId: string, tries: number) =>
        eventually('the job', async () => {
          const jobs = await bot.messenger.jobs.queueOf(discordContract.deleteMessage).getDelayed();
          return jobs.find(({ id, attemptsMade }) => id === messageId && attemptsMade === tries);
        });
      /** Has it tried again until Discord no longer refuses, without waiting for the time of each try. */
      async function goesLater(messageId: string) {
        const first = await waiting(messageId, 0);
        expect(isThere(messageId)).toBe(true);
        const { payload } = first.data;
        expect(payload).toEqual({ channelId: expect.any(String), messageId });
        await first.promote();
        await (await waiting(messageId, 1)).promote();
        await eventually('it is gone', () => !isThere(messageId));
        const about = logged.filter((line) => line.includes(messageId));
        expect(about.some((line) => line.includes('403/50013'))).toBe(true);
        expect(about.join('')).not.toContain('secret');
      }

      it('is deleted later where its words were forgotten', async () => {
        const channel = discord.dmChannel(discord.user('Ned'));
        const { id } = discord.world.addMessage(channel, discord.bot, { content: 'a secret' });
        const outboxId = replyIn(channel, 'a secret', { tries: 1 });
        Object.assign(state.outbox.get(outboxId)!, { sent: [id], isForgotten: true });
        refuse(id);
        expect(await deliver(outboxId)).toEqual([{ kind: 'forgotten' }]);
        await goesLater(id);
      });

      it('is deleted later where its person was erased while it was sent', async () => {
        const channel = discord.dmChannel(discord.user('Oda'));
        const outboxId = replyIn(channel, 'a secret of many words');
        await deliverHeldUp(outboxId, () => {
          state.outbox.delete(outboxId);
          discord.fail({
            method: 'DELETE',
            path: new RegExp(channel.id),
            status: 403,
            code: 50013,
            times: 2,
          });
        });
        await goesLater(discord.sentTo(channel)[0]!.message.id);
      });

      it('does not stand for a part of a reply that says the same', async () => {
        const channel = discord.dmChannel(discord.user('Quin'));
        const { id } = discord.world.addMessage(channel, discord.bot, { content: 'a secret' });
        refuse(id);
        await bot.parts.deletions.remove(channel.id, [id]);
        const target = { channelId: channel.id, userId: alice.id };
        const longAgo = new Date(Date.now() - 3_600_000);
        const [result] = await deliver(state.reply(target, 'a secret', { firstTriedAt: longAgo }));
        await goesLater(id);
        const left = discord.sentTo(channel).map(({ message }) => message.id);
        expect(result).toEqual({ kind: 'delivered', platformIds: left });
        expect(left.every(isThere)).toBe(true);
      });

      it('is left alone where its channel is gone', async () => {
        const channel = discord.channel(discord.guild('Passing'), 'general');
        const { id } = discord.world.addMessage(channel, discord.bot, { content: 'a secret' });
        discord.fail({ method: 'DELETE', path: new RegExp(id), status: 404, code: 10003 });
        await bot.parts.deletions.remove(channel.id, [id]);
        expect(await bot.messenger.jobs.queueOf(discordContract.deleteMessage).getJob(id)).toBeUndefined();
      });
    });

    describe('deletes a reply that arrives after a rate limit, where meanwhile', () => {
      /** Has a reply held up, lets something happen to it meanwhile, and returns the ends of its tries. */
      async function heldUp(text: string, meanwhile: (outboxId: string) => void, tries: number) {
        const outboxId = replyIn(general, text);
        const delivered = await deliverHeldUp(outboxId, () => meanwhile(outboxId), tries);
        const kinds = delivered.map(({ kind }) => kind);
        const sent = discord.sentTo(general).find(({ message }) => message.content === text);
        await eventually('it is gone', () => sent && !discord.world.messages.has(sent.message.id));
        return kinds;
      }

      it('its words were forgotten', async () => {
        const forget = (outboxId: string) => void (state.outbox.get(outboxId)!.isForgotten = true);
        expect(await heldUp('to be forgotten', forget, 2)).toEqual(['delivered', 'forgotten']);
      });

      it('its person was erased', async () => {
        const erase = (outboxId: string) => void state.outbox.delete(outboxId);
        expect(await heldUp('to be erased', erase, 1)).toEqual(['delivered']);
      });

      it('its person was erased, and Discord’s answers were lost', async () => {
        const erase = (outboxId: string) => {
          state.outbox.delete(outboxId);
          // Discord's client repeats a request whose answer is lost.
          for (let lost = 0; lost < 4; lost += 1) discord.loseAnswer({ method: 'POST', path: /messages$/ });
        };
        expect(await heldUp('to be erased unanswered', erase, 1)).toEqual(['retry']);
      });
    });
  });
}
