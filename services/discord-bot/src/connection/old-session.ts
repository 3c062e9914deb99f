import { setTimeout as wait } from 'node:timers/promises';
import { jsonOf } from '@kith/contracts';
import {
  GatewayDispatchEvents,
  GatewayOpcodes,
  GatewayVersion,
  type GatewayDispatchPayload,
} from 'discord-api-types/v10';
import type { Logger } from 'pino';
import { z } from 'zod';
import { LEAVE_RESUMABLE } from '../rest/close-code.js';
import type { DiscordSession } from './resume-point.js';

/** Time for a replay, which comes at once. Later events are read over REST, or come with the new session. */
const RESUME_WITHIN_MS = 5_000;
/** Pause between two attempts to connect: up to ten fit within that time, and Discord is not pressed. */
const WAIT_MS = 500;

/** End of an attempt. `cut`: the connection ended, or time ran out, before all was replayed. */
type Outcome = 'resumed' | 'refused' | 'cut';

/** Messages of Discord's gateway that are used here. An event's content is read by its handler. */
const Packet = z.union([
  z.custom<{ op: GatewayOpcodes.Dispatch } & GatewayDispatchPayload>(
    (packet) =>
      z.object({ op: z.literal(GatewayOpcodes.Dispatch), t: z.string(), s: z.int() }).safeParse(packet)
        .success,
  ),
  z.object({
    op: z.literal(GatewayOpcodes.Hello),
    d: z.object({ heartbeat_interval: z.number().positive() }),
  }),
  z.object({ op: z.literal(GatewayOpcodes.InvalidSession), d: z.boolean() }),
  z.object({
    op: z.literal([GatewayOpcodes.Heartbeat, GatewayOpcodes.HeartbeatAck, GatewayOpcodes.Reconnect]),
  }),
]);

/**
 * Session left by the previous process. It is resumed without discord.js, which would know none of the servers and
 * channels (only a session's beginning lists them), and would begin a new session by itself.
 */
export class OldSession {
  private socket: WebSocket | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private sequence: number;
  private isRefused = false;

  constructor(
    private readonly session: DiscordSession,
    private readonly token: string,
    private readonly onEvent: (event: GatewayDispatchPayload) => void,
    private readonly logger: Logger,
  ) {
    this.sequence = session.sequence;
  }

  /**
   * Receives missed events, then new ones, until `leave`. Resolves when all missed events are received, when
   * Discord refuses, or after some seconds. Does nothing while the session is open, or once it was refused.
   */
  async resume(signal: AbortSignal): Promise<void> {
    if (this.socket || this.isRefused) return;
    const within = AbortSignal.any([signal, AbortSignal.timeout(RESUME_WITHIN_MS)]);
    let outcome: Outcome = 'cut';
    while (outcome === 'cut' && !within.aborted) {
      outcome = await this.connect(within);
      if (outcome === 'cut') await wait(WAIT_MS, null, { signal: within }).catch(() => undefined);
    }
    this.isRefused = outcome === 'refused';
    this.logger.info({ outcome, sequence: this.sequence }, 'previous session resumed, refused or cut off');
  }

  /** Hangs up. The session stays resumable, since some of its events may not be accepted yet. */
  leave(): void {
    clearTimeout(this.heartbeat);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close(LEAVE_RESUMABLE);
  }

  private connect(within: AbortSignal): Promise<Outcome> {
    let socket: WebSocket;
    try {
      socket = new WebSocket(`${this.session.resumeUrl}?v=${GatewayVersion}&encoding=json`);
    } catch {
      // The server sent this address, and it is stored: an invalid one must not end every start.
      return Promise.resolve('refused');
    }
    return new Promise((resolve) => {
      this.socket = socket;
      // A slow connection stays open beside the new session.
      within.addEventListener('abort', () => resolve('cut'), { once: true });
      const end = (outcome: Outcome) => {
        if (this.socket === socket) this.leave();
        resolve(outcome);
      };
      socket.addEventListener('error', () => end('cut'));
      socket.addEventListener('close', () => end('cut'));
      socket.addEventListener('message', ({ data }) => {
        if (this.socket !== socket) return;
        const packet = jsonOf(Packet, String(data));
        if (packet === null) end('cut');
        else if (packet.op === GatewayOpcodes.Dispatch) {
          this.sequence = packet.s;
          this.onEvent(packet);
          if (packet.t === GatewayDispatchEvents.Resumed) resolve('resumed');
        } else if (packet.op === GatewayOpcodes.Hello) {
          this.ask(socket);
          this.beat(socket, packet.d.heartbeat_interval, Math.random());
        } else if (packet.op === GatewayOpcodes.Heartbeat) this.sendBeat(socket);
        else if (packet.op === GatewayOpcodes.InvalidSession) end(packet.d ? 'cut' : 'refused');
        else if (packet.op === GatewayOpcodes.Reconnect) end('cut');
      });
    });
  }

  private ask(socket: WebSocket): void {
    const d = { token: this.token, session_id: this.session.id, seq: this.sequence };
    socket.send(JSON.stringify({ op: GatewayOpcodes.Resume, d }));
  }

  /** Sends heartbeats. The first comes after a random part of the interval, as Discord wants it. */
  private beat(socket: WebSocket, intervalMs: number, part: number): void {
    this.heartbeat = setTimeout(() => {
      this.sendBeat(socket);
      this.beat(socket, intervalMs, 1);
    }, intervalMs * part);
  }

  private sendBeat(socket: WebSocket): void {
    socket.send(JSON.stringify({ op: GatewayOpcodes.Heartbeat, d: this.sequence }));
  }
}
