import { setTimeout as wait } from 'node:timers/promises';
import { reasonOf } from '@kith/contracts';
import {
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  type GatewayReadyDispatchData,
} from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import type { Logger } from 'pino';
import type { BotView } from '../events/read-event.js';
import { forgetLimitsOnJumps } from '../rest/clock-jumps.js';
import { type DiscordLibrary, dropUnlisted, openClient } from './open-client.js';
import { restOptions } from '../rest/discord-api.js';
import { discordJs } from '../rest/discord-js.js';
import { keepToken } from '../rest/keep-token.js';
import { botViewOf, NO_NAMES } from '../events/bot-view.js';
import type { InvalidRequests } from '../rest/invalid-requests.js';
import { MAX_IDENTIFIES_A_DAY, type Leadership } from './leadership.js';
import { finalCloseProblem, finalLoginProblem, loginWaitMs } from './connection-failures.js';
import { OldSession } from './old-session.js';
import type { ListedServers } from '../catch-up/plan-servers.js';
import { reachIn, type Reach } from '../places/reach.js';
import type { ConnectionStatus } from '../rest/connection-status.js';
import { ResumePoint, type SessionProgress } from './resume-point.js';
import type { ConnectionListener } from './connection-listener.js';

// discord.js 14.28 can wait for ever when it is destroyed while it connects.
const DESTROY_WITHIN_MS = 1_500;

/**
 * The gateway connection. Without a token it is `off`. On trouble that an operator has to fix it is `failed`, names
 * the problem, and stays down until the next start. After any other trouble it tries again.
 */
export class DiscordConnection {
  private client: Client | undefined;
  private state: ConnectionStatus['state'] = 'off';
  private problem: string | null = null;
  private readonly stopping = new AbortController();
  private stopWatching: () => void = () => undefined;
  /** Aborted when another process holds the shard. */
  private holding = new AbortController();
  /** Session left by the previous process, until this one has its own. */
  private old: { session: OldSession; progress: SessionProgress } | null = null;

  constructor(
    private readonly options: { token: string | undefined; apiBase: string | undefined },
    private readonly leadership: Leadership,
    private readonly resumePoint: ResumePoint,
    private readonly invalidRequests: InvalidRequests,
    private readonly logger: Logger,
  ) {}

  /** True if a token is set: the bot is expected to connect. */
  get isWanted(): boolean {
    return Boolean(this.options.token);
  }

  /** Reads the bot's permissions in a place; null where they are not known. */
  reach(channelId: string): Reach | null {
    return this.client ? reachIn(this.client, channelId) : null;
  }

  status(): ConnectionStatus {
    return {
      state: this.state,
      user: this.client?.user?.username ?? null,
      guilds: this.client?.guilds.cache.size ?? 0,
      problem: this.problem,
    };
  }

  /** Waits for its turn to connect, and returns; `status` tells how it goes. */
  start(listener: ConnectionListener): void {
    const { token } = this.options;
    if (!token) {
      this.logger.info('no DISCORD_TOKEN is set: Discord is off');
      return;
    }
    this.become('standby', null);
    this.leadership.start({
      onGained: () => {
        this.holding = new AbortController();
        void this.connectUntil(token, listener, this.holding.signal);
      },
      onLost: () => {
        this.holding.abort();
        this.become('standby', null);
        this.inBackground(this.hangUp());
      },
    });
  }

  /** Hangs up, and leaves the shard to whoever waits for it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.holding.abort();
    await this.hangUp();
    await this.leadership.stop();
  }

  private async hangUp(): Promise<void> {
    this.leaveOld();
    await this.discard(this.client);
  }

  private leaveOld(): void {
    this.old?.session.leave();
    this.old = null;
  }

  private hear(
    progress: SessionProgress,
    event: GatewayDispatchPayload,
    listener: ConnectionListener,
    view: BotView,
  ): void {
    const accepted = listener.onEvent(event, view).catch((error: unknown) => {
      // A repeat, here or in the next process, would fail the same way.
      this.logger.error({ event: event.t, err: error }, 'event not understood');
      return true;
    });
    progress.heard(event.s, accepted);
  }

  /** Finds the previous process's session; without one, missed messages are read over REST. */
  private async findOld(token: string, listener: ConnectionListener): Promise<void> {
    const session = await this.leadership.readSession().catch(() => null);
    if (session === null) return;
    listener.onResume();
    const progress = this.resumePoint.follow(session);
    const view = { botId: session.botId, names: NO_NAMES, reach: () => null, threadOf: () => undefined };
    const onEvent = (event: GatewayDispatchPayload) => this.hear(progress, event, listener, view);
    this.old = { session: new OldSession(session, token, onEvent, this.logger), progress };
  }

  /** Connects, and again after any unexpected error. */
  private async connectUntil(token: string, listener: ConnectionListener, holding: AbortSignal) {
    for (let attempt = 0; !isOver(holding); attempt += 1) {
      try {
        await this.keepConnecting(token, listener, holding);
        return;
      } catch (error) {
        this.logger.error({ err: error }, 'the connection to Discord broke');
        if (!isOver(holding)) this.become('connecting', reasonOf(error));
        await this.hangUp().catch(() => undefined);
        await wait(loginWaitMs(attempt), null, { signal: holding }).catch(() => undefined);
      }
    }
  }

  private async keepConnecting(token: string, listener: ConnectionListener, holding: AbortSignal) {
    this.become('connecting', null);
    let library: DiscordLibrary;
    try {
      library = await discordJs();
    } catch (error) {
      this.become('failed', (error as Error).message);
      return;
    }
    await this.findOld(token, listener);
    for (let attempt = 0; !isOver(holding); attempt += 1) {
      await this.old?.session.resume(holding);
      if (isOver(holding)) break;
      const client = this.newClient(library, listener);
      this.client = client;
      try {
        await client.login(token);
        return;
      } catch (error) {
        await this.discard(client);
        if (this.state === 'failed' || isOver(holding)) break;
        const final = finalLoginProblem(error);
        if (final !== null) {
          this.become('failed', final);
          break;
        }
        this.become('connecting', 'Discord is out of reach');
        await wait(loginWaitMs(attempt), null, { signal: holding }).catch(() => undefined);
      }
    }
    this.leaveOld();
  }

  /** Counts sessions, of which Discord allows a thousand a day, and hangs up before that many. */
  private async onSession(client: Client, listed: ListedServers, listener: ConnectionListener) {
    this.become('ready', null);
    listener.onSession(client, listed);
    const today = await this.leadership.countIdentify().catch(() => 0);
    this.logger.info({ today }, 'new Discord session');
    if (today < MAX_IDENTIFIES_A_DAY) return;
    this.become(
      'failed',
      `${today} sessions were begun today, and Discord allows 1,000: restart it tomorrow`,
    );
    await this.discard(client);
  }

  /** Follows a new session instead of the one before, whose last events may still be on their way to the gateway. */
  private follow(sequence: number, ready: GatewayReadyDispatchData, listener: ConnectionListener) {
    const { session_id: id, resume_gateway_url: resumeUrl, user } = ready;
    const session = { id, resumeUrl, botId: user.id, sequence };
    listener.onSessionBegins();
    const progress = this.resumePoint.follow(session, this.old?.progress);
    this.leaveOld();
    return progress;
  }

  /** Makes a client whose session is followed, and whose events reach the listener. */
  private newClient(library: DiscordLibrary, listener: ConnectionListener): Client {
    const { Events } = library;
    const client = openClient(library, restOptions(this.options.apiBase, this.invalidRequests), this.logger);
    keepToken(client.rest);
    this.stopWatching = forgetLimitsOnJumps(client.rest);
    let progress: SessionProgress | undefined;
    let listed: ListedServers = { ids: [], shard: [0, 1] };
    client.on(Events.Raw, (event: GatewayDispatchPayload) => {
      if (event.t === GatewayDispatchEvents.Ready) {
        try {
          listed = { ids: event.d.guilds.map(({ id }) => id), shard: event.d.shard ?? [0, 1] };
          dropUnlisted(client, listed.ids);
          progress = this.follow(event.s, event.d, listener);
        } catch (error) {
          // Without a session to follow it would seem connected and receive nothing.
          this.become('failed', 'Discord begins a session in a way that cannot be read');
          this.inBackground(this.hangUp());
          throw error;
        }
      }
      if (progress) this.hear(progress, event, listener, { ...botViewOf(client), botId: progress.botId });
    });
    client.on(Events.ShardReady, () => this.inBackground(this.onSession(client, listed, listener)));
    client.on(Events.ShardResume, () => this.become('ready', null));
    client.on(Events.ShardReconnecting, () =>
      this.become('connecting', 'the connection to Discord was lost'),
    );
    client.on(Events.ShardDisconnect, ({ code }) => {
      const problem = finalCloseProblem(code);
      if (problem !== null) this.become('failed', problem);
    });
    listener.onClient(client, Events);
    return client;
  }

  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.logger.error({ err: error }, 'the connection to Discord broke'));
  }

  private become(state: ConnectionStatus['state'], problem: string | null): void {
    if (this.stopping.signal.aborted || (this.state === state && this.problem === problem)) return;
    this.state = state;
    this.problem = problem;
    const fields = { state, ...(problem !== null && { problem }) };
    if (state === 'failed') this.logger.error(fields, 'Discord connection failed for good');
    else this.logger.info(fields, 'Discord connection');
  }

  private async discard(client: Client | undefined): Promise<void> {
    if (!client) return;
    client.removeAllListeners();
    this.stopWatching();
    client.on('error', () => undefined);
    await Promise.race([client.destroy(), wait(DESTROY_WITHIN_MS, null, { ref: false })]);
  }
}

/** Tells whether a signal was given. TypeScript narrows a field, and does not notice that it changes during an `await`. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
