import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import pg from 'pg';
import { boundedTypes } from '../sql/bounded-reading.js';

/** Longer than any transaction takes: a connection that is silent for so long under a statement is half open. */
const SILENCE_MS = 12_000;

/** The `set_config` that the transaction about to begin opens with. */
export const scopeToEnter = new AsyncLocalStorage<string>();

/**
 * Sends the scope along with BEGIN. As a statement of its own it would cost each transaction one more round trip,
 * and Prisma's work on a raw query: a third of a small transaction.
 */
export class ScopedClient extends pg.Client {
  /** The socket below; the driver's types keep it to themselves. */
  private get socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.once('connect', () => {
      const socket = this.socket;
      socket.on('timeout', () => socket.destroy(new Error('Postgres fell silent')));
    });
    this.on('drain', () => this.socket.setTimeout(0));
  }

  // The driver's overloads (promise, callback, stream) all end in this one call.
  override query(...args: unknown[]): never {
    const socket = this.socket;
    socket.setTimeout(SILENCE_MS);
    // Statements that are given at once leave in one write.
    socket.cork();
    process.nextTick(() => socket.uncork());
    const [first] = args;
    const enter = isBegin(first) ? scopeToEnter.getStore() : undefined;
    if (enter !== undefined) args[0] = { ...(first as object), text: `BEGIN; ${enter}` };
    else if (hasTypes(first)) first.types = boundedTypes(first.types);
    return (super.query as (...all: unknown[]) => never)(...args);
  }
}

/** Tells Prisma's BEGIN from ours, which has a name and is followed by its scope. */
function isBegin(query: unknown): boolean {
  if (typeof query !== 'object' || query === null) return false;
  const { text, name } = query as { text?: unknown; name?: unknown };
  return text === 'BEGIN' && !name;
}

/** Tells whether a statement brings its own readers of columns, as each of Prisma's does. */
function hasTypes(query: unknown): query is { types: Parameters<typeof boundedTypes>[0] } {
  return typeof query === 'object' && query !== null && 'types' in query;
}
