import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CALLED, WORDLESS_REPLY, gatewayContract } from '@kith/contracts';
import { eventually, type DiscordUser, type DiscordMessage } from '@kith/testing';
import { MessageFlags } from 'discord.js';
import { discord, suite, state, alice, general, receivedOf, deliver, replyIn } from './open-bot.js';

/** Tests what of Discord is handed over, and how. */
export function messages(): void {
  describe('messages', () => {
    it('hands a mention over once, with the mention taken out and the place named', async () => {
      const message = discord.say(alice, `<@${discord.bot.id}> how are you?`, general);
      const [request] = await eventually('the message', () => {
        const found = receivedOf(message.id);
        return found.length > 0 ? found : undefined;
      });
      expect(request).toMatchObject({
        from: { door: 'discord', subject: alice.id, displayName: 'Alice' },
        place: { door: 'discord', externalId: general.id, kind: 'channel' },
        text: 'how are you?',
        sentAt: message.timestamp,
      });
      const next = discord.dm(alice, 'and here');
      await eventually('the DM', () => receivedOf(next.id).length > 0);
      expect(receivedOf(message.id)).toHaveLength(1);
      expect(receivedOf(next.id)[0]?.place).toEqual({
        door: 'discord',
        externalId: discord.dmChannel(alice).id,
        kind: 'direct',
      });
    });

    it('takes a reply to the bot as spoken to it, and leaves everything else alone', async () => {
      const own = await deliver(replyIn(general, 'I am well.'));
      expect(own[0]?.kind).toBe('delivered');
      const { message: said } = await discord.waitForMessage(({ content }) => content === 'I am well.');
      // Discord draws no preview of what a link in it leads to.
      expect(said.flags).toBe(MessageFlags.SuppressEmbeds);
      const chatter = discord.say(alice, 'talking to others', general);
      const robot = { ...discord.user('Robot'), bot: true };
      const fromRobot = discord.say(robot, `<@${discord.bot.id}> beep`, general);
      const reply = discord.say(alice, 'good to hear', general, { replyTo: said });
      await eventually('the reply', () => receivedOf(reply.id).length > 0);
      expect([chatter, fromRobot].flatMap(({ id }) => receivedOf(id))).toEqual([]);
    });

    it('hands a message over once, however often Discord delivers it', async () => {
      const message = discord.dm(alice, 'once or thrice');
      discord.redeliver(message);
      discord.redeliver(message);
      const next = discord.dm(alice, 'something else');
      await eventually('the next message', () => receivedOf(next.id).length > 0);
      expect(receivedOf(message.id)).toHaveLength(1);
    });

    it('keeps trying, in order, while the gateway can not take it', async () => {
      state.gatewayDown = true;
      const first = discord.dm(alice, 'first');
      const second = discord.dm(alice, 'second');
      await new Promise((resolve) => setImmediate(resolve));
      expect(receivedOf(first.id)).toEqual([]);
      state.gatewayDown = false;
      await eventually('both messages', () => receivedOf(second.id).length > 0);
      const order = state.received.map(({ messageId }) => messageId);
      expect(order.indexOf(first.id)).toBeLessThan(order.indexOf(second.id));
    });

    it('shows typing once a message is accepted, and not past the end of its turn', async () => {
      const bob = discord.user('Bob');
      const channel = discord.dmChannel(bob);
      const shown = () => discord.journal.typing.filter((channelId) => channelId === channel.id).length;
      discord.dm(bob, 'hello');
      await eventually('typing', () => shown() === 1);
      await suite.messenger.announce(gatewayContract.turnEnded, {
        turnId: randomUUID(),
        conversationId: state.idIn(state.conversations, channel.id),
        companionId: 'mira',
        personId: state.idIn(state.people, bob.id),
        door: 'discord',
        origin: 'message',
        outcome: 'silent',
        endedAt: new Date().toISOString(),
      });
      // While typing is on, further messages add no request before its next beat, eight seconds on: one that
      // comes sooner shows that it had stopped.
      const again = async () => {
        const { id } = discord.dm(bob, 'still there?');
        await eventually('the message', () => receivedOf(id).length > 0);
        return shown() > 1;
      };
      await eventually('typing anew', again, 6_000);
    });

    it('hears what was said while its connection was cut', async () => {
      discord.gateway.cut(4000);
      const message = discord.dm(alice, 'are you there?');
      await eventually('the missed message', () => receivedOf(message.id).length === 1);
    });
  });

  describe('a message without words', () => {
    const textOf = async ({ id }: DiscordMessage) =>
      (await eventually('the message', () => receivedOf(id)[0])).text;
    const picture = {
      id: '1',
      filename: 'cat.png',
      content_type: 'image/png',
      size: 1,
      url: '',
      proxy_url: '',
    };

    it.each<[string, (user: DiscordUser) => DiscordMessage, string]>([
      ['a bare mention', (user) => discord.say(user, `<@${discord.bot.id}>`, general), CALLED],
      ['a picture', (user) => discord.dm(user, '', { attachments: [picture] }), '[sent a picture: cat.png]'],
      [
        'a voice message',
        (user) => discord.dm(user, '', { attachments: [{ ...picture, duration_secs: 3 }], flags: 8192 }),
        '[sent a voice message: 3 seconds]',
      ],
      [
        'a sticker',
        (user) => discord.dm(user, '', { sticker_items: [{ id: '1', name: 'wave', format_type: 1 }] }),
        '[sent a sticker: wave]',
      ],
      [
        'a poll',
        (user) =>
          discord.dm(user, '', {
            poll: { question: { text: 'Tea?' }, answers: [{ answer_id: 1, poll_media: { text: 'yes' } }] },
          }),
        '[sent a poll: Tea? yes]',
      ],
    ])('is heard: %s', async (_, say, text) => {
      expect(await textOf(say(discord.user('Gil')))).toBe(text);
    });

    it('is heard as a reply also with the mention off, without the words that Discord keeps back', async () => {
      const gil = discord.user('Gil');
      const said = discord.world.addMessage(general, discord.bot, { content: 'Shall we?' });
      const quiet = discord.say(gil, 'yes!', general, { replyTo: said, ping: false });
      expect(await textOf(quiet)).toBe(WORDLESS_REPLY);
      expect(receivedOf(quiet.id)[0]).toMatchObject({ quote: { name: null, text: 'Shall we?' } });
      const loud = discord.say(gil, 'yes!', general, { replyTo: said });
      expect(await textOf(loud)).toBe('yes!');
    });
  });
}
