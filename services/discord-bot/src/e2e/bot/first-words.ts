import { describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { discord, bot, state, alice, general, resultsOf, deliver } from './open-bot.js';

/** Tests how and where the companion writes first. */
export function firstWords(): void {
  describe('deliveries', () => {
    it('opens the DM for what the companion starts', async () => {
      const carol = discord.user('Carol');
      const [result] = await deliver(state.reply({ userId: carol.id }, 'thought of you'));
      expect(result?.kind).toBe('delivered');
      expect(discord.sentTo(discord.dmChannel(carol)).map(({ message }) => message.content)).toEqual([
        'thought of you',
      ]);
    });

    it('knows again what the companion started and what arrived unnoticed, also where it would not be sent any more', async () => {
      const fay = discord.user('Fay');
      const outboxId = state.reply({ userId: fay.id }, 'how was it?', { isUnwanted: true });
      discord.loseAnswer({ method: 'POST', path: /messages$/ });
      const results = await deliver(outboxId, 2);
      const sent = discord.sentTo(discord.dmChannel(fay)).map(({ message }) => message.id);
      expect(sent).toHaveLength(1);
      expect(results).toMatchObject([{ kind: 'retry' }, { kind: 'delivered', platformIds: sent }]);
      expect(state.absent).not.toContain(outboxId);
    });

    it.each([true, false])(
      'asks about what the companion started and what did not arrive (unwanted by now: %s)',
      async (isUnwanted) => {
        const gus = discord.user('Gus');
        const outboxId = state.reply({ userId: gus.id }, 'how was it?', { isUnwanted });
        // discord.js tries a request that meets a 503 four times.
        discord.fail({ method: 'POST', path: /messages$/, status: 503, times: 4 });
        await deliver(outboxId, isUnwanted ? 1 : 2);
        await eventually('no job left', async () => {
          const counts = await bot.messenger.jobs.counts(discordContract.deliver);
          return Object.values(counts).every((count) => count === 0);
        });
        expect(state.absent.filter((id) => id === outboxId)).toHaveLength(1);
        expect(discord.sentTo(discord.dmChannel(gus))).toHaveLength(isUnwanted ? 0 : 1);
        expect(resultsOf(outboxId).map(({ kind }) => kind)).toEqual(
          isUnwanted ? ['retry'] : ['retry', 'delivered'],
        );
      },
    );

    it('asks anew about what the companion started and a rate limit holds up', async () => {
      const ivy = discord.user('Ivy');
      const dm = discord.dmChannel(ivy);
      const outboxId = state.reply({ userId: ivy.id }, 'how was it?', { isUnwanted: false });
      discord.rateLimit({ method: 'POST', path: /messages$/, retryAfterMs: 3_000 });
      const held = deliver(outboxId);
      await eventually('its try', () => state.outbox.get(outboxId)?.attempt === 1);
      state.outbox.get(outboxId)!.isUnwanted = true;
      expect((await held)[0]).toMatchObject({ kind: 'retry', reason: 'Discord took too long' });
      await eventually('the question', () => state.absent.includes(outboxId));
      // Requests to a channel go one after the other.
      await deliver(state.reply({ channelId: dm.id, userId: ivy.id }, 'an answer'));
      expect(discord.sentTo(dm).map(({ message }) => message.content)).toEqual(['an answer']);
    });

    it('mentions and pings whom it writes to first in a channel, and nobody else', async () => {
      const text = `how did it go? <@${discord.user('Erin').id}>`;
      const outboxId = state.reply({ channelId: general.id, userId: alice.id, mention: true }, text);
      expect((await deliver(outboxId))[0]).toMatchObject({ kind: 'delivered' });
      const { message } = discord.sentTo(general).at(-1)!;
      expect(message.content).toBe(`<@${alice.id}> ${text}`);
      expect(message.mentions.map(({ id }) => id)).toEqual([alice.id]);
    });

    it('writes nothing in a channel to somebody who has left its server', async () => {
      const fay = discord.user('Fay');
      discord.leave(fay, discord.world.guilds.get(general.guild_id!)!);
      const before = discord.sentTo(general).length;
      const outboxId = state.reply(
        { channelId: general.id, userId: fay.id, mention: true },
        'and your exam?',
      );
      const reason = 'whoever it is for may no longer write there';
      expect((await deliver(outboxId))[0]).toMatchObject({ kind: 'failed', unreachable: 'place', reason });
      expect(discord.sentTo(general)).toHaveLength(before);
    });

    it('knows again what reached a channel unnoticed before whoever it is for left', async () => {
      const gil = discord.user('Gil');
      const target = { channelId: general.id, userId: gil.id, mention: true };
      const outboxId = state.reply(target, 'and your exam?', { isUnwanted: false });
      discord.loseAnswer({ method: 'POST', path: /messages$/ });
      const delivering = deliver(outboxId, 2);
      await eventually('its arrival', () => discord.sentTo(general).at(-1)!.message.content.includes(gil.id));
      discord.leave(gil, discord.world.guilds.get(general.guild_id!)!);
      const { id } = discord.sentTo(general).at(-1)!.message;
      expect(await delivering).toMatchObject([{ kind: 'retry' }, { kind: 'delivered', platformIds: [id] }]);
    });

    it('writes nothing in a channel, or a thread of it, to somebody who may look into it or write there no more', async () => {
      const ida = discord.user('Ida');
      const staff = discord.channel(discord.world.guilds.get(general.guild_id!)!, 'staff');
      const thread = discord.thread(staff, 'plans');
      const write = ({ id }: { id: string }) =>
        deliver(state.reply({ channelId: id, userId: ida.id, mention: true }, 'and your exam?'));
      expect((await write(thread))[0]).toMatchObject({ kind: 'delivered' });
      discord.denyPerson(staff, ida, 'SEND_MESSAGES');
      expect((await write(staff))[0]).toMatchObject({ kind: 'failed', unreachable: 'place' });
      expect((await write(thread))[0]).toMatchObject({ kind: 'delivered' });
      discord.denyPerson(staff, ida, 'VIEW_CHANNEL');
      for (const place of [staff, thread])
        expect((await write(place))[0]).toMatchObject({ kind: 'failed', unreachable: 'place' });
      expect(discord.sentTo(staff)).toHaveLength(0);
    });

    it('writes nothing first in a thread of a channel that the operator keeps quiet', async () => {
      const ken = discord.user('Ken');
      const calm = discord.channel(discord.world.guilds.get(general.guild_id!)!, 'calm');
      const thread = discord.thread(calm, 'plans');
      const write = () =>
        deliver(state.reply({ channelId: thread.id, userId: ken.id, mention: true }, 'and your exam?'));
      expect((await write())[0]).toMatchObject({ kind: 'delivered' });
      state.quietChannels.add(calm.id);
      expect((await write())[0]).toMatchObject({
        kind: 'failed',
        reason: expect.stringContaining('quiet'),
        unreachable: 'place',
      });
      expect(discord.sentTo(thread)).toHaveLength(1);
    });

    it('puts off what it would write in a channel to somebody who is in a time-out there', async () => {
      const jan = discord.user('Jan');
      const home = discord.world.guilds.get(general.guild_id!)!;
      const write = () =>
        deliver(state.reply({ channelId: general.id, userId: jan.id, mention: true }, 'and your exam?'));
      const before = discord.sentTo(general).length;
      discord.timeOut(jan, home, new Date(Date.now() + 60_000));
      expect((await write())[0]).toMatchObject({ kind: 'failed', unreachable: null, passes: true });
      expect(discord.sentTo(general)).toHaveLength(before);
      discord.timeOut(jan, home, new Date(Date.now() - 1));
      expect((await write())[0]).toMatchObject({ kind: 'delivered' });
    });

    it('says that a person with closed DMs is unreachable, and does not try again', async () => {
      const dave = discord.user('Dave');
      discord.closeDms(dave);
      const outboxId = state.reply({ userId: dave.id }, 'hello?');
      const [result] = await deliver(outboxId);
      expect(result).toMatchObject({ kind: 'failed', unreachable: 'person' });
      await eventually('no job left', async () => {
        const counts = await bot.messenger.jobs.counts(discordContract.deliver);
        return Object.values(counts).every((count) => count === 0);
      });
      expect(resultsOf(outboxId)).toHaveLength(1);
    });
  });
}
