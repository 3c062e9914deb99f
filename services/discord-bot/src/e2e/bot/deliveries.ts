import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { chunkMessage } from '../../delivery/chunk-message.js';
import { nonceOf } from '../../delivery/nonce-of.js';
import { discord, bot, state, alice, general, deliver, deliverHeldUp, replyIn } from './open-bot.js';

/** Tests that a reply arrives once, whole, whatever Discord does meanwhile. */
export function deliveries(): void {
  describe('deliveries', () => {
    it('sends a long reply in chunks with nonces, answering the message, pinging nobody', async () => {
      const asked = discord.say(alice, `<@${discord.bot.id}> tell me all`, general);
      const text = `<@${alice.id}> ${'a sentence of some length. '.repeat(120)}`;
      const target = { channelId: general.id, userId: alice.id, replyToMessageId: asked.id };
      const outboxId = state.reply(target, text);
      const [result] = await deliver(outboxId);
      const sent = discord
        .sentTo(general)
        .filter(({ body }) => String(body['nonce']).startsWith(nonceOf(outboxId, 0).slice(0, -1)));
      expect(sent.map(({ body }) => body['nonce'])).toEqual([nonceOf(outboxId, 0), nonceOf(outboxId, 1)]);
      expect(result).toEqual({ kind: 'delivered', platformIds: sent.map(({ message }) => message.id) });
      expect(sent.map(({ body }) => body['enforce_nonce'])).toEqual([true, true]);
      expect(sent.flatMap(({ message }) => message.mentions)).toEqual([]);
      expect(sent.map(({ message }) => message.message_reference?.message_id)).toEqual([asked.id, undefined]);
    });

    it('sends without the reference when the message it answers is gone', async () => {
      const target = { channelId: general.id, userId: alice.id, replyToMessageId: '1' };
      const [result] = await deliver(state.reply(target, 'too late'));
      expect(result?.kind).toBe('delivered');
    });

    it('waits for its turn, as often as it is told to', async () => {
      const outboxId = replyIn(general, 'in my turn');
      state.outbox.get(outboxId)!.waits = 2;
      expect((await deliver(outboxId))[0]).toMatchObject({ kind: 'delivered' });
      expect(discord.sentTo(general).at(-1)!.message.content).toBe('in my turn');
    });

    it('does not send twice when the answer to the first send was lost', async () => {
      const outboxId = replyIn(general, 'said once');
      discord.loseAnswer({ method: 'POST', path: /messages$/ });
      const results = await deliver(outboxId, 2);
      expect(results.map(({ kind }) => kind)).toEqual(['retry', 'delivered']);
      expect(discord.sentTo(general).filter(({ message }) => message.content === 'said once')).toHaveLength(
        1,
      );
      expect(discord.journal.repeatedNonces).toContain(nonceOf(outboxId, 0));
    });

    it('goes on with the next chunk when it was cut off between two', async () => {
      const text = 'a chunk of words. '.repeat(300);
      const outboxId = replyIn(general, text);
      // discord.js tries a request that meets a 503 four times.
      discord.fail({ method: 'POST', path: /messages$/, status: 503, after: 1, times: 4 });
      const results = await deliver(outboxId, 2);
      const sent = discord.sentTo(general).slice(-3);
      const ids = sent.map(({ message }) => message.id);
      expect(results).toEqual([
        expect.objectContaining({ kind: 'retry', sent: ids.slice(0, 1) }),
        { kind: 'delivered', platformIds: ids },
      ]);
      expect(sent.map(({ body }) => body['nonce'])).toEqual(
        [0, 1, 2].map((chunk) => nonceOf(outboxId, chunk)),
      );
      expect(state.notedSent.get(outboxId)).toEqual([ids.slice(0, 1), ids.slice(0, 2)]);
    });

    it.each([
      // Each of the two parts is posted once more, and Discord answers with the one that it has.
      ['knows its nonce', undefined, 11],
      // They are found in the channel.
      ['has forgotten its nonce', new Date(Date.now() - 3_600_000), 9],
    ])(
      'sends no part twice that Discord took and answered with an error, where it %s',
      async (_, tried, posted) => {
        const channel = discord.dmChannel(discord.user('Lea'));
        // Its first two parts say the same.
        const text = `${'a chunk of words. '.repeat(250)}The end.`;
        const target = { channelId: channel.id, userId: alice.id };
        const outboxId = state.reply(target, text, tried && { firstTriedAt: tried });
        const posts = { method: 'POST', path: new RegExp(`${channel.id}/messages$`) };
        // discord.js tries a request that meets a 503 four times.
        for (const after of [0, tried ? 0 : 1])
          discord.fail({ ...posts, status: 503, after, times: 4, isDone: true });
        const results = await deliver(outboxId, 3);
        const sent = discord.sentTo(channel).map(({ message }) => message);
        expect(results).toMatchObject([
          { kind: 'retry', sent: [] },
          { kind: 'retry', sent: [sent[0]!.id] },
          { kind: 'delivered', platformIds: sent.map(({ id }) => id) },
        ]);
        expect(sent.map(({ content }) => content)).toEqual(chunkMessage(text));
        expect(sent[0]!.content).toBe(sent[1]!.content);
        const ofChannel = discord.journal.requests.filter(
          ({ method, path }) => method === 'POST' && posts.path.test(path),
        );
        expect(ofChannel).toHaveLength(posted);
      },
    );

    it('arrive also after Discord refused the token in passing', async () => {
      const channel = discord.dmChannel(discord.user('Pia'));
      const target = { channelId: channel.id, userId: alice.id };
      discord.fail({ method: 'POST', path: new RegExp(`${channel.id}/messages$`), status: 401 });
      const results = await deliver(state.reply(target, 'all the same'), 2);
      expect(results).toMatchObject([{ kind: 'retry', reason: 'Discord 401/0: 401' }, { kind: 'delivered' }]);
    });

    it('looks in the channel for what may have arrived long ago, and not at what others said', async () => {
      const bob = discord.user('Bob');
      const target = { channelId: discord.dmChannel(bob).id, userId: bob.id };
      const arrived = state.reply(target, 'same words', { firstTriedAt: new Date(Date.now() - 3_600_000) });
      discord.dm(bob, 'same words');
      const { id } = discord.world.addMessage(discord.dmChannel(bob), discord.bot, { content: 'same words' });
      expect((await deliver(arrived))[0]).toEqual({ kind: 'delivered', platformIds: [id] });
      const lost = state.reply(target, 'other words', { firstTriedAt: new Date(Date.now() - 3_600_000) });
      discord.dm(bob, 'other words');
      await deliver(lost);
      expect(discord.sentTo(discord.dmChannel(bob)).map(({ message }) => message.content)).toEqual([
        'other words',
      ]);
    });

    it('takes no message of another reply that says the same for its own, to end with it or to delete it', async () => {
      const channel = discord.dmChannel(discord.user('Noa'));
      const target = { channelId: channel.id, userId: alice.id };
      const again = (isUnwanted?: boolean) =>
        state.reply(target, 'good night', { firstTriedAt: new Date(Date.now() - 3_600_000), isUnwanted });
      const sent = () =>
        discord.sentTo(channel).filter(({ message }) => discord.world.messages.has(message.id));
      await deliver(state.reply(target, 'good night'));
      expect(await deliver(again())).toMatchObject([{ kind: 'delivered' }]);
      expect(sent()).toHaveLength(2);
      const forgotten = again();
      state.outbox.get(forgotten)!.isForgotten = true;
      expect(await deliver(forgotten)).toEqual([{ kind: 'forgotten' }]);
      expect(sent()).toHaveLength(2);
      const unwanted = again(true);
      await bot.messenger.enqueue(discordContract.deliver, { outboxId: unwanted });
      await eventually('the question', () => state.absent.includes(unwanted));
      expect(sent()).toHaveLength(2);
    });

    it('takes no message for its own that was there before its first try, whatever a clock says', async () => {
      const erin = discord.user('Erin');
      const target = { channelId: discord.dmChannel(erin).id, userId: erin.id };
      await deliver(state.reply(target, 'the same apology'));
      // As to a bot whose clock was put an hour ahead: the first try seems to be long ago.
      const later = { firstTriedAt: new Date(Date.now() - 3_600_000), tries: 0 };
      await deliver(state.reply(target, 'the same apology', later));
      expect(discord.sentTo(discord.dmChannel(erin))).toHaveLength(2);
    });

    it('waits out a rate limit within the send, and fails for good without permission', async () => {
      discord.rateLimit({ path: /messages$/, retryAfterMs: 200 });
      const target = { channelId: general.id, userId: alice.id };
      expect((await deliver(state.reply(target, 'patience')))[0]?.kind).toBe('delivered');
      discord.fail({ path: /messages$/, status: 403, code: 50013, message: 'Missing Permissions' });
      const [result] = await deliver(state.reply(target, 'not allowed'));
      expect(result).toEqual({
        kind: 'failed',
        reason: expect.stringMatching(
          /^Discord 403\/50013: Missing Permissions; the bot may not write there/,
        ),
        unreachable: 'place',
        sent: [],
        said: '',
      });
    });

    it('gives no sign that a reply was refused to whoever was erased while it was sent', async () => {
      const message = discord.say(alice, 'hm', general);
      const target = { channelId: general.id, userId: alice.id, replyToMessageId: message.id };
      const outboxId = state.reply(target, 'too late');
      const delivered = await deliverHeldUp(outboxId, () => {
        state.outbox.delete(outboxId);
        discord.fail({ method: 'POST', path: /messages$/, status: 403, code: 50013 });
      });
      expect(delivered).toMatchObject([{ kind: 'failed' }]);
      await eventually('no job left', async () => {
        const counts = await bot.messenger.jobs.counts(discordContract.deliver);
        return Object.values(counts).every((count) => count === 0);
      });
      expect(discord.journal.reactions.filter(({ messageId }) => messageId === message.id)).toEqual([]);
    });

    it('does nothing for a reply that is no longer wanted', async () => {
      const before = discord.journal.sent.length;
      await bot.messenger.enqueue(discordContract.deliver, { outboxId: randomUUID() });
      await deliver(replyIn(general, 'the next one'));
      expect(discord.journal.sent.length).toBe(before + 1);
    });
  });
}
