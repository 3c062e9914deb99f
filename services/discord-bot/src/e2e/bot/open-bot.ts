import { discordContract } from '@kith/contracts';
import {
  DiscordDouble,
  eventually,
  type DiscordChannel,
  type DiscordUser,
  freshStores,
  type FreshStores,
  ifStarted,
} from '@kith/testing';
import { runBot, runSuite, type RunningBot, type RunningService } from '../run-bot.js';
import { SuiteState } from '../suite-state.js';

let stores: FreshStores;
export let discord: DiscordDouble;
export let suite: RunningService;
export let bot: RunningBot;
export const state = new SuiteState();
export let alice: DiscordUser;
export let general: DiscordChannel;

/** Starts the bot, Discord and the other services. */
export async function openBot(): Promise<void> {
  stores = await freshStores();
  discord = await DiscordDouble.start();
  alice = discord.user('Alice');
  general = discord.channel(discord.guild('Home'), 'general');
  suite = await runSuite(stores.redisUrl, state);
  bot = await runBot(stores, { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api });
  await eventually('registered commands', () => discord.commands.length > 0);
}

/** Ends what was started. */
export async function closeBot(): Promise<void> {
  await ifStarted(bot)?.stop();
  await ifStarted(suite)?.stop();
  await ifStarted(discord)?.stop();
  await ifStarted(stores)?.stop();
}

/** Has Discord and the gateway work again. */
export function mend(): void {
  discord.clearFaults();
  state.gatewayDown = false;
}

export const receivedOf = (messageId: string) =>
  state.received.filter((request) => request.messageId === messageId);
export const resultsOf = (outboxId: string) =>
  state.noted.filter((noted) => noted.outboxId === outboxId).map(({ result }) => result);

export async function deliver(outboxId: string, results = 1): Promise<ReturnType<typeof resultsOf>> {
  await bot.messenger.enqueue(discordContract.deliver, { outboxId });
  return eventually('the result of a delivery', () => {
    const noted = resultsOf(outboxId);
    return noted.length >= results ? noted : undefined;
  });
}

/** Delivers what a rate limit holds up until something else has happened, however slow the machine is. */
export async function deliverHeldUp(outboxId: string, meanwhile: () => void, results = 1) {
  const limited = () => discord.journal.requests.filter(({ status }) => status === 429).length;
  const before = limited();
  const limit = { path: /messages$/, retryAfterMs: 500, times: Infinity };
  discord.rateLimit(limit);
  const delivered = deliver(outboxId, results);
  await eventually('the limit', () => limited() > before);
  meanwhile();
  discord.clearFaults(limit);
  return delivered;
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** Leaves a reply to Alice for a channel. */
export const replyIn = (
  { id }: Pick<DiscordChannel, 'id'>,
  ...reply: Tail<Parameters<SuiteState['reply']>>
) => state.reply({ channelId: id, userId: alice.id }, ...reply);
