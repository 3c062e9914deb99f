import { createHash, randomBytes } from 'node:crypto';
import { AppError, ApiScope, formatApiKey, isWellFormedApiKey, type KeyList } from '@kith/contracts';
import { Prisma, type Database, type Tx } from '@kith/database';
import type { z } from 'zod';

/** Who calls: what a valid key stands for. */
export interface Caller {
  keyId: string;
  personId: string;
  displayName: string;
  scopes: readonly ApiScope[];
}

/** A key that was revoked works for at most this long. Saves a look-up on each request of a busy client. */
const CACHE_MS = 5_000;
const CACHE_SIZE = 10_000;
const EVERY_SCOPE = ApiScope.options;

/** The API keys: made, found by their hash, revoked. The key itself is kept nowhere. */
export class ApiKeys {
  readonly #cache = new Map<string, { caller: Caller; until: number }>();

  constructor(private readonly database: Database) {}

  /**
   * Who has this key?
   * @throws AppError `unauthorized` for a key that is malformed, unknown, expired or revoked
   */
  async authenticate(key: string, now: Date): Promise<Caller> {
    if (!isWellFormedApiKey(key)) {
      throw new AppError(
        'unauthorized',
        'this is not a whole Kith API key: it begins with kth_ and has 53 characters',
      );
    }
    const hash = hashOf(key);
    const cached = this.#cache.get(hash);
    if (cached && cached.until > now.getTime()) return cached.caller;
    const caller = await this.#find(hash, now);
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
    this.#cache.set(hash, { caller, until: now.getTime() + CACHE_MS });
    return caller;
  }

  async #find(hash: string, now: Date): Promise<Caller> {
    // The key is what tells whose it is, so there is no person to be before it is found.
    const found = await this.database.asSystem((tx) =>
      tx.apiKey.findUnique({ where: { hash }, include: { person: true } }),
    );
    if (!found || found.revokedAt)
      throw new AppError('unauthorized', 'this API key is unknown or was revoked');
    if (found.expiresAt && found.expiresAt <= now)
      throw new AppError('unauthorized', 'this API key has expired');
    await this.database.asPerson(found.personId, (tx) =>
      tx.apiKey.update({ where: { id: found.id }, data: { lastUsedAt: now } }),
    );
    return {
      keyId: found.id,
      personId: found.personId,
      displayName: found.person.displayName,
      scopes: ApiScope.array().parse(found.scopes),
    };
  }

  /** Makes a key for a person, or for a new person of that name. The key is in the answer and nowhere else. */
  async create(request: {
    owner: { personId: string } | { newPerson: string };
    name: string;
    scopes: ApiScope[];
    expiresAt: Date | null;
  }): Promise<{ id: string; key: string; personId: string }> {
    const key = formatApiKey(randomBytes(32));
    const { owner } = request;
    const stored = await this.database.asSystem(async (tx) => {
      const personId =
        'personId' in owner ? await existing(tx, owner.personId) : await newOwner(tx, owner.newPerson);
      return tx.apiKey.create({
        data: {
          personId,
          name: request.name,
          hash: hashOf(key),
          scopes: request.scopes,
          expiresAt: request.expiresAt,
        },
      });
    });
    return { id: stored.id, key, personId: stored.personId };
  }

  /** Every key there is or was, or one person's, the newest first. */
  async list(query: {
    person?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  }): Promise<z.output<typeof KeyList>> {
    const { person, limit, cursor } = query;
    const rows = await this.database.asSystem((tx) =>
      tx.apiKey.findMany({
        where: person === undefined ? {} : { personId: person },
        include: { person: true },
        orderBy: { id: 'desc' },
        take: limit + 1,
        ...(cursor ? { cursor: { id: cursor }, skip: 1 } : {}),
      }),
    );
    const page = rows.slice(0, limit);
    return {
      keys: page.map((row) => ({
        id: row.id,
        name: row.name,
        personId: row.personId,
        displayName: row.person.displayName,
        scopes: ApiScope.array().parse(row.scopes),
        createdAt: row.createdAt.toISOString(),
        expiresAt: row.expiresAt?.toISOString() ?? null,
        revokedAt: row.revokedAt?.toISOString() ?? null,
        lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      })),
      nextCursor: rows.length > limit ? page.at(-1)!.id : null,
    };
  }

  /** Ends a key. @throws AppError `not_found` */
  async revoke(keyId: string, now: Date): Promise<void> {
    const { count } = await this.database.asSystem((tx) =>
      tx.apiKey.updateMany({ where: { id: keyId, revokedAt: null }, data: { revokedAt: now } }),
    );
    if (count === 0) throw new AppError('not_found', `no API key ${keyId} that is in force`);
    this.#cache.clear();
  }

  /** Their keys were deleted: the next request with one finds out. */
  forget(personId: string): void {
    for (const [hash, { caller }] of this.#cache) if (caller.personId === personId) this.#cache.delete(hash);
  }

  /** Sees to it that the operator's own key, made by scripts/up, is known; safe to repeat. */
  async ensureBootstrapKey(key: string, ownerName: string): Promise<void> {
    if (!isWellFormedApiKey(key)) {
      throw new AppError('invalid_request', 'KITH_KEY is not a whole Kith API key; scripts/up makes one');
    }
    const hash = hashOf(key);
    try {
      await this.database.asSystem(async (tx) => {
        if (await tx.apiKey.findUnique({ where: { hash } })) return;
        const personId = await newOwner(tx, ownerName);
        await tx.apiKey.create({ data: { personId, name: 'operator', hash, scopes: EVERY_SCOPE } });
      });
    } catch (error) {
      // Two replicas start at once: the other one stored it, and what this one began is rolled back.
      const lostRace = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
      if (!lostRace) throw error;
    }
  }
}

async function existing(tx: Tx, personId: string): Promise<string> {
  const person = await tx.person.findUnique({ where: { id: personId } });
  if (!person) throw new AppError('not_found', `no person ${personId}`);
  return person.id;
}

async function newOwner(tx: Tx, displayName: string): Promise<string> {
  const person = await tx.person.create({ data: { displayName } });
  await tx.identity.create({ data: { personId: person.id, door: 'http', subject: person.id } });
  return person.id;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
