import { SimpleShardingStrategy } from 'discord.js';
import { LEAVE_RESUMABLE } from './close-code.js';

/** Parts of a shard that its types hide. */
interface ShardInternals {
  connection: { on(event: 'error', listener: () => void): void; terminate(): void } | null;
  internalConnect(): Promise<void>;
}

/**
 * Hangs up for good, and leaves the session resumable. By itself discord.js ends the session. It forgets a
 * connection in the making, whose failure then has no listener and ends the process. It also connects all the same if
 * told to hang up between two tries, or while a login asks for the address.
 */
export class LeaveResumable extends SimpleShardingStrategy {
  private isOver = false;

  override async connect(): Promise<void> {
    if (this.isOver) throw new Error('hung up before it was connected');
    await super.connect();
  }

  /** Hangs up. A client that leaves gives a code; a login that begins hangs up as well, and gives none. */
  override async destroy(options?: { code?: number }): Promise<void> {
    this.isOver ||= options?.code !== undefined;
    const { shards: opened } = this as unknown as { shards: ReadonlyMap<number, ShardInternals> };
    const shards = [...opened.values()];
    for (const shard of shards) {
      shard.internalConnect = () => Promise.resolve();
      shard.connection?.on('error', () => undefined);
    }
    await super.destroy({ code: LEAVE_RESUMABLE, reason: 'to be resumed' });
    for (const shard of shards) shard.connection?.terminate();
  }
}
