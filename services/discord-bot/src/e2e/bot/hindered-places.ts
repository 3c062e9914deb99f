import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, type DiscordChannel, type DiscordGuild, type DiscordMessage } from '@kith/testing';
import { discord, state, alice, deliver } from './open-bot.js';

/** Tests what people are told where the bot may not do everything. */
export function hinderedPlaces(): void {
  describe('a place where the bot may not do everything', () => {
    const ask = (channel: DiscordChannel) =>
      discord.say(discord.user('Fay'), `<@${discord.bot.id}> hello?`, channel);
    const targetOf = (message: DiscordMessage) => ({
      channelId: message.channel_id,
      userId: message.author.id,
      replyToMessageId: message.id,
    });
    const heard = (message: DiscordMessage) =>
      eventually('the message', () => state.received.find(({ messageId }) => messageId === message.id));
    const reactedTo = (message: DiscordMessage) =>
      discord.journal.reactions.filter(({ messageId }) => messageId === message.id).map(({ emoji }) => emoji);
    const dmsTo = ({ author }: DiscordMessage) =>
      discord.sentTo(discord.dmChannel(author)).map(({ message }) => message.content);
    let guild: DiscordGuild;
    let channel: DiscordChannel;
    beforeAll(() => {
      guild = discord.guild('Strict');
    });
    beforeEach(() => {
      channel = discord.channel(guild, `channel ${randomUUID()}`);
    });

    it('is known before anybody thinks of an answer, and the person gets a sign', async () => {
      discord.deny(channel, 'SEND_MESSAGES');
      const message = ask(channel);
      expect((await heard(message)).answerable).toBe('not');
      await eventually('a reaction', () => reactedTo(message).length === 1);
      expect(discord.journal.typing).not.toContain(channel.id);
      expect(dmsTo(message)).toEqual([]);
    });

    it('is told by DM, once, where the bot may not even react', async () => {
      discord.deny(channel, 'SEND_MESSAGES', 'ADD_REACTIONS');
      const message = ask(channel);
      const [why] = await eventually('a DM', () => dmsTo(message).length > 0 && dmsTo(message));
      expect(why).toContain(`<#${channel.id}>`);
      await heard(discord.say(message.author, `<@${discord.bot.id}> and now?`, channel));
      await heard(discord.dm(message.author, 'I see'));
      expect(dmsTo(message)).toHaveLength(1);
    });

    it('ends in silence for whoever takes no DMs, and the next one is heard', async () => {
      discord.deny(channel, 'SEND_MESSAGES', 'ADD_REACTIONS');
      const message = ask(channel);
      discord.closeDms(message.author);
      await heard(message);
      await heard(discord.dm(alice, 'still there?'));
      expect(dmsTo(message)).toEqual([]);
    });

    it('gets an answer by name, where only the history is missing', async () => {
      discord.deny(channel, 'READ_MESSAGE_HISTORY');
      const message = ask(channel);
      expect((await heard(message)).answerable).toBe('by-message');
      const target = { ...targetOf(message), withoutReference: true as const };
      expect((await deliver(state.reply(target, 'hello!')))[0]?.kind).toBe('delivered');
      const [sent] = discord.sentTo(channel);
      expect(sent!.message.content).toBe(`<@${message.author.id}> hello!`);
      expect(sent!.message.message_reference).toBeUndefined();
    });

    it('gets the answer also when the history went away meanwhile', async () => {
      const message = ask(channel);
      await heard(message);
      discord.deny(channel, 'READ_MESSAGE_HISTORY');
      expect((await deliver(state.reply(targetOf(message), 'hello!')))[0]?.kind).toBe('delivered');
      expect(discord.sentTo(channel).map((one) => one.message.message_reference)).toEqual([undefined]);
    });

    it('whose AutoMod refuses the words is told apart, with a sign and without a second try', async () => {
      discord.blockWords(guild, ['cheese']);
      const message = ask(channel);
      await heard(message);
      const results = await deliver(state.reply(targetOf(message), 'I like cheese.'));
      expect(results).toEqual([
        { kind: 'failed', unreachable: null, sent: [], said: '', reason: expect.stringContaining('200000') },
      ]);
      await eventually('a reaction', () => reactedTo(message).length === 1);
      expect(discord.sentTo(channel)).toEqual([]);
    });

    it('says how much of an answer arrived before it was refused', async () => {
      discord.blockWords(guild, ['cheese']);
      const message = ask(channel);
      await heard(message);
      const first = 'a chunk of words. '.repeat(100).trim();
      const [result] = await deliver(state.reply(targetOf(message), `${first}\n\n${'cheese '.repeat(100)}`));
      const sent = discord.sentTo(channel).map((one) => one.message);
      expect(sent.map(({ content }) => content)).toEqual([first]);
      expect(result).toMatchObject({ kind: 'failed', sent: sent.map(({ id }) => id), said: first });
    });

    it('that was deleted meanwhile is told by DM', async () => {
      const message = ask(channel);
      await heard(message);
      discord.deleteChannel(channel);
      const [result] = await deliver(state.reply(targetOf(message), 'too late'));
      expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('10003') });
      await eventually('a DM', () => dmsTo(message).some((text) => text.includes('gone')));
      expect(dmsTo(message)).not.toContain('too late');
    });
  });
}
