import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { discordContract, type ResponseOutput } from '@kith/contracts';
import { DiscordDouble, eventually, freshStores, type FreshStores } from '@kith/testing';
import { runBot, runSuite, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-state.js';

type Status = ResponseOutput<typeof discordContract.status>;

let stores: FreshStores;
let suite: RunningService;
let bot: RunningService | undefined;
let discord: DiscordDouble | undefined;
const state = new SuiteState();

beforeAll(async () => {
  stores = await freshStores();
  suite = await runSuite(stores.redisUrl, state);
});

afterEach(async () => {
  await bot?.stop();
  await discord?.stop();
  [bot, discord] = [undefined, undefined];
  // The next test's Discord knows nothing of this session, which a bot would try to resume for five seconds.
  await stores.query('TRUNCATE discord_leaders');
});

afterAll(async () => {
  await suite.stop();
  await stores.stop();
});

const status = (): Promise<Status> => suite.messenger.ask(discordContract.status, {});

function untilState(wanted: Status['state']): Promise<Status> {
  return eventually(`state ${wanted}`, async () => {
    const now = await status();
    return now.state === wanted ? now : undefined;
  });
}

describe('the connection', () => {
  it('is off without a token, while the service runs and drops what it can not send', async () => {
    bot = await runBot(stores, {});
    expect(await status()).toEqual({ state: 'off', user: null, guilds: 0, problem: null });
    const outboxId = state.reply({ userId: '1' }, 'to nobody');
    await bot.messenger.enqueue(discordContract.deliver, { outboxId });
    const { result } = await eventually('the result of a delivery', () =>
      state.noted.find((noted) => noted.outboxId === outboxId),
    );
    expect(result).toMatchObject({ kind: 'failed', reason: 'no Discord token is set' });
  });

  it('fails for good on a wrong token, says so, and knocks only once', async () => {
    discord = await DiscordDouble.start();
    bot = await runBot(stores, { DISCORD_TOKEN: 'wrong', DISCORD_API_BASE: discord.api });
    const { problem } = await untilState('failed');
    expect(problem).toContain('DISCORD_TOKEN');
    const outboxId = state.reply({ userId: '1' }, 'kept for later');
    await bot.messenger.enqueue(discordContract.deliver, { outboxId });
    const { result } = await eventually('the result of a delivery', () =>
      state.noted.find((noted) => noted.outboxId === outboxId),
    );
    expect(result.kind).toBe('retry');
    expect(discord.journal.requests.map(({ status: code }) => code)).toEqual([401]);
  });

  it.each([4004, 4014])('fails for good when the gateway closes with %i', async (code) => {
    discord = await DiscordDouble.start();
    discord.gateway.refuseNextIdentify(code);
    bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
    await untilState('failed');
    expect(discord.gateway.identifies).toHaveLength(1);
  });

  it('goes on hearing after events that nobody can read, also before it is ready', async () => {
    discord = await DiscordDouble.start();
    // Its servers are waited for meanwhile.
    discord.outage(discord.guild('Away'));
    const { gateway } = discord;
    const odd = ['PRESENCE_UPDATE', 'GUILD_UPDATE', '__proto__', 'constructor', 'MESSAGE_UPDATE', 'error'];
    const sendOdd = () => {
      for (const name of odd) gateway.dispatch(name, { a: 'b' }, 0);
    };
    bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
    await eventually('the session', () => gateway.identifies.length > 0);
    sendOdd();
    await untilState('ready');
    sendOdd();
    const { id } = discord.dm(discord.user('Alice'), 'still there?');
    await eventually('the message', () => state.received.some(({ messageId }) => messageId === id));
  });

  it('fails for good where a session begins in a way that cannot be read', async () => {
    discord = await DiscordDouble.start();
    bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
    await untilState('ready');
    discord.gateway.dispatch('READY', { a: 'b' }, 0);
    expect((await untilState('failed')).problem).toContain('cannot be read');
  });

  it('hands a message that is delivered again after a restart over under the same id, and shows no typing', async () => {
    discord = await DiscordDouble.start();
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api };
    bot = await runBot(stores, environment);
    await untilState('ready');
    const message = discord.dm(discord.user('Alice'), 'hello');
    const timesReceived = () => state.received.filter(({ messageId }) => messageId === message.id).length;
    await eventually('the message', () => timesReceived() === 1);
    await bot.stop();
    const typingBefore = discord.journal.typing.length;
    bot = await runBot(stores, environment);
    await untilState('ready');
    discord.redeliver(message);
    await eventually('the message again', () => timesReceived() === 2);
    await bot.stop();
    bot = undefined;
    expect(discord.journal.typing).toHaveLength(typingBefore);
  });

  it('notices servers that it left and came back to while it was down, and no outage', async () => {
    discord = await DiscordDouble.start();
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api };
    const [elsewhere, home] = [discord.guild('Elsewhere'), discord.guild('Home')];
    const lobby = discord.channel(elsewhere, 'lobby');
    const restart = async () => {
      await bot?.stop();
      bot = await runBot(stores, environment);
      await untilState('ready');
    };
    const places = ({ within, places: ids }: { within: string; places: string[] }) => [
      within,
      ids.toSorted(),
    ];
    await restart();
    await eventually('both servers', () => state.joined.length === 2);
    const attic = discord.channel(elsewhere, 'attic');
    discord.say(discord.user('Alice'), 'hello', attic, { mentions: [discord.bot] });
    // The note follows the order: a bot that stops between the two has not noticed yet where it is.
    const untilNoted = () =>
      eventually('the places noted', async () => {
        const [row] = await stores.query<{ places: string[] }>(
          `SELECT places FROM discord_servers WHERE server_id = '${elsewhere.id}'`,
        );
        return [lobby, attic].every(({ id }) => row?.places.includes(id));
      });
    await untilNoted();
    expect(state.joined.map(({ within }) => within).sort()).toEqual([elsewhere.id, home.id].sort());
    state.joined.length = 0;

    discord.outage(home);
    await bot?.stop();
    discord.removeBot(elsewhere);
    await restart();
    await eventually('the server that is missing', () => state.left.length > 0);
    discord.addBot(elsewhere);
    await eventually('the server again', () => state.joined.length > 0);
    await untilNoted();
    await bot?.stop();
    discord.removeBot(elsewhere);
    await restart();
    await eventually('the server that is missing again', () => state.left.length > 1);
    await bot?.stop();
    discord.addBot(elsewhere);
    await restart();
    await eventually('the server back again', () => state.joined.length > 1);
    const twice = Array(2).fill([elsewhere.id, [lobby.id, attic.id].sort()]);
    expect([state.left.map(places), state.joined.map(places)]).toEqual([twice, twice]);
  }, 60_000);

  it('notices a server that it was removed from between two sessions, and added to again in the second', async () => {
    discord = await DiscordDouble.start();
    const environment = { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api };
    const club = discord.guild('Club');
    const bar = discord.channel(club, 'bar');
    bot = await runBot(stores, environment);
    await untilState('ready');
    const ordersFor = (orders: typeof state.joined) => orders.filter(({ within }) => within === club.id);
    await eventually('the server', () => ordersFor(state.joined).length === 1);
    discord.gateway.forgetSessions();
    discord.removeBot(club);
    discord.gateway.cut();
    await eventually('the server that is missing', () => ordersFor(state.left).length === 1);
    expect((await status()).guilds).toBe(0);
    discord.addBot(club);
    await eventually('the server again', () => ordersFor(state.joined).length === 2);
    expect(ordersFor(state.joined).at(-1)?.places).toEqual([bar.id]);
  });

  it('leaves Discord with a session that can be resumed when it stops', async () => {
    discord = await DiscordDouble.start();
    bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
    await untilState('ready');
    await bot.stop();
    bot = undefined;
    const { gateway } = discord;
    await eventually('a closed socket', () => gateway.closes.length > 0);
    expect(gateway.closes).toEqual([4200]);
  });
});
