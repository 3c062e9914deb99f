import type { Redis } from 'ioredis';

/** While a service is away it is looked for once a second at most: as soon as it is back, it is asked again. */
const CHECK_EVERY_MS = 1_000;

/** Name of the connection that reads the requests of these owners: Redis drops it at once when its process dies. */
export function requestReaderName(owners: readonly string[], consumer: string): string {
  return `${owners.join('+')}-request-reader-${consumer}`;
}

/** Finds the services whose requests one of these connections reads, as Redis lists them. */
function ownersRead(clients: string): Set<string> {
  const names = clients.matchAll(/ name=(\S+)-request-reader-/g);
  return new Set([...names].flatMap(([, owners = '']) => owners.split('+')));
}

/** Knows which services have a process that reads their requests. */
export class Presence {
  /** Services without a process, each with the time at which that was seen. */
  private readonly away = new Map<string, number>();
  /** A check that is under way: on a busy machine many answers are late at once, and one check serves all. */
  private checking: Promise<string | null> | null = null;

  constructor(private readonly redis: Redis) {}

  /** Tells whether this service was seen to be away. Does not wait: it is checked again meanwhile. */
  isAway(service: string): boolean {
    const seenAt = this.away.get(service);
    if (seenAt === undefined) return false;
    if (performance.now() - seenAt >= CHECK_EVERY_MS) void this.check(service);
    return true;
  }

  /** Checks whether anybody reads this service's requests. Where that can't be seen, it says yes. */
  async check(service: string): Promise<boolean> {
    // Others that ask meanwhile need not check as well.
    if (this.away.has(service)) this.away.set(service, performance.now());
    this.checking ??= this.redis
      .client('LIST')
      .then(String, () => null)
      .finally(() => (this.checking = null));
    const clients = await this.checking;
    const isThere = clients === null || ownersRead(clients).has(service);
    if (isThere) this.away.delete(service);
    else this.away.set(service, performance.now());
    return isThere;
  }
}
