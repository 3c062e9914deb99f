import type { Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { GatewaySession, type NumberedEvent } from './gateway-session.js';
import { guildShape } from './shapes.js';
import type { DiscordWorld, Json } from './discord-world.js';

export const INTENTS = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildPresences: 1 << 8,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  messageContent: 1 << 15,
} as const;

const PRIVILEGED = INTENTS.guildMembers | INTENTS.guildPresences | INTENTS.messageContent;

export interface GatewayOptions {
  heartbeatIntervalMs: number;
  /** Privileged intents the application has been granted; asking for others closes with 4014. */
  grantedIntents: number;
  /** Called when the bot came, went, or identified. */
  changed: () => void;
}

/** One connected socket, from hello on. */
interface Connection {
  socket: WebSocket;
  session: GatewaySession | null;
  /** Sends to its session. */
  hear: (event: NumberedEvent) => void;
}

/** Discord keeps a session "for a few minutes" after its socket closed. */
const RESUMABLE_FOR_MS = 3 * 60_000;

/**
 * Discord's gateway: hello, identify, heartbeats, resume with replay, and the ways in which it goes wrong.
 * Close codes and opcodes are Discord's.
 */
export class DiscordGateway {
  /** Every IDENTIFY payload so far: Discord allows 1,000 a day. */
  readonly identifies: Json[] = [];
  readonly resumes: Json[] = [];
  /** Close codes the bot's sockets ended with, the bot's own included. */
  readonly closes: number[] = [];
  heartbeats = 0;
  private readonly connections = new Set<Connection>();
  private readonly sessions = new Map<string, GatewaySession>();
  private readonly sockets: WebSocketServer;
  private acknowledges = true;
  private closeNextIdentifyWith: number | null = null;

  constructor(
    server: Server,
    private readonly world: DiscordWorld,
    private readonly token: string,
    private readonly url: () => string,
    private readonly options: GatewayOptions,
  ) {
    this.sockets = new WebSocketServer({ server, path: '/gateway' });
    this.sockets.on('connection', (socket) => this.welcome(socket));
  }

  get connected(): number {
    return [...this.connections].filter(({ session }) => session !== null).length;
  }

  /** Sends an event to every session, or keeps it for the ones that are away and may resume. */
  dispatch(t: string, d: Json, needed: number, shape: (session: GatewaySession) => Json = () => d): void {
    for (const session of this.sessions.values())
      if (needed === 0 || (session.intents & needed) !== 0) session.dispatch(t, shape(session));
  }

  /** Cuts every connection. 1000 and 1001 end the session, anything else leaves it resumable. */
  cut(code = 4000): void {
    for (const { socket, session } of this.connections) {
      if (session && endsSession(code)) this.sessions.delete(session.id);
      socket.close(code);
    }
  }

  /** As when a cable is pulled: no close frame. */
  pullCable(): void {
    for (const { socket } of this.connections) socket.terminate();
  }

  /** Op 7: please reconnect and resume. */
  askToReconnect(): void {
    for (const connection of this.connections) this.send(connection, { op: 7, d: null });
  }

  /** Op 9. With `false` the session is gone, and what was missed with it. */
  invalidate(resumable: boolean): void {
    if (!resumable) this.sessions.clear();
    for (const connection of this.connections) this.send(connection, { op: 9, d: resumable });
  }

  /** Forgets every session, so that the next resume is refused with op 9 false. */
  forgetSessions(): void {
    this.sessions.clear();
  }

  /** True while heartbeats are answered; without it the connection is a zombie. */
  acknowledge(on: boolean): void {
    this.acknowledges = on;
  }

  /** The next IDENTIFY is answered by closing with this code, such as 4013. */
  refuseNextIdentify(code: number): void {
    this.closeNextIdentifyWith = code;
  }

  stop(): void {
    for (const socket of this.sockets.clients) socket.terminate();
    this.sockets.close();
  }

  private welcome(socket: WebSocket): void {
    const connection: Connection = {
      socket,
      session: null,
      hear: (event) => this.send(connection, { op: 0, ...event }),
    };
    this.connections.add(connection);
    socket.on('message', (bytes) => this.hear(connection, (bytes as Buffer).toString()));
    socket.on('error', () => undefined);
    socket.on('close', (code) => {
      this.closes.push(code);
      this.connections.delete(connection);
      this.options.changed();
      connection.session?.detach(connection.hear, this.world.now());
      if (connection.session && endsSession(code)) this.sessions.delete(connection.session.id);
    });
    this.send(connection, { op: 10, d: { heartbeat_interval: this.options.heartbeatIntervalMs } });
  }

  private hear(connection: Connection, text: string): void {
    let payload: { op?: unknown; d?: Json | null };
    try {
      payload = JSON.parse(text) as typeof payload;
    } catch {
      connection.socket.close(4002, 'Error while decoding payload.');
      return;
    }
    const data = payload.d ?? {};
    if (payload.op === 1) this.beat(connection);
    else if (payload.op === 2) this.identify(connection, data);
    else if (payload.op === 6) this.resume(connection, data);
    else if (connection.session === null) connection.socket.close(4003, 'Not authenticated.');
    else if (payload.op !== 3 && payload.op !== 4 && payload.op !== 8)
      connection.socket.close(4001, 'Unknown opcode.');
  }

  private beat(connection: Connection): void {
    this.heartbeats += 1;
    if (this.acknowledges) this.send(connection, { op: 11, d: null });
  }

  private identify(connection: Connection, data: Json): void {
    this.identifies.push(data);
    const intents = Number(data['intents']);
    const refusal =
      this.closeNextIdentifyWith ??
      (connection.session ? 4005 : null) ??
      (data['token'] === this.token ? null : 4004) ??
      (Number.isInteger(intents) ? null : 4013) ??
      ((intents & PRIVILEGED & ~this.options.grantedIntents) === 0 ? null : 4014);
    this.closeNextIdentifyWith = null;
    if (refusal !== null) {
      connection.socket.close(refusal);
      return;
    }
    const session = new GatewaySession(this.world.snowflake(), intents);
    this.sessions.set(session.id, session);
    this.attach(connection, session);
    session.dispatch('READY', {
      v: 10,
      user: this.world.bot,
      guilds: [...this.world.guilds.keys()].map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: this.url(),
      shard: data['shard'] ?? [0, 1],
      application: { id: this.world.applicationId, flags: 0 },
    });
    if ((intents & INTENTS.guilds) === 0) return;
    for (const guild of this.world.guilds.values())
      if (!this.world.outages.has(guild.id)) session.dispatch('GUILD_CREATE', guildShape(this.world, guild));
  }

  private resume(connection: Connection, data: Json): void {
    this.resumes.push(data);
    if (data['token'] !== this.token) {
      connection.socket.close(4004, 'Authentication failed.');
      return;
    }
    const session = this.sessions.get(String(data['session_id']));
    const seq = Number(data['seq']);
    if (!session || session.awayMs(this.world.now()) > RESUMABLE_FOR_MS) {
      this.send(connection, { op: 9, d: false });
      return;
    }
    if (!Number.isInteger(seq) || seq > session.lastSequence) {
      this.sessions.delete(session.id);
      connection.socket.close(4007, 'Invalid seq.');
      return;
    }
    // A session has one socket: whoever resumes it takes it over, also from another process.
    for (const other of this.connections) if (other.session === session) other.socket.close(4000);
    this.attach(connection, session);
    session.replayAfter(seq);
    session.dispatch('RESUMED', {});
  }

  private attach(connection: Connection, session: GatewaySession): void {
    connection.session = session;
    this.options.changed();
    session.attach(connection.hear);
  }

  private send(connection: Connection, payload: Json): void {
    if (connection.socket.readyState === connection.socket.OPEN)
      connection.socket.send(JSON.stringify({ s: null, t: null, ...payload }));
  }
}

function endsSession(code: number): boolean {
  return code === 1000 || code === 1001;
}
