import { createHash, randomBytes } from 'node:crypto';
import {
  AppError,
  ApiScope,
  formatApiKey,
  isWellFormedApiKey,
  type gatewayContract,
  type KeyList,
  type MyKeyList,
  type ResponseInput,
  type SignedIn,
} from '@kith/contracts';
import { isDuplicate, uuid7, type Database, type Prisma, type Reader, type Writer } from '@kith/database';
import { KeptAnswers } from '@kith/messaging';
import type { z } from 'zod';

/** Who calls: what a valid key stands for. */
export interface Caller {
  keyId: string;
  keyName: string;
  personId: string;
  displayName: string;
  scopes: readonly ApiScope[];
  /** When the key is over by itself. */
  expiresAt: Date | null;
  /** Was it made for a browser, by a sign-in code? */
  isSession: boolean;
}

const EVERY_SCOPE = ApiScope.options;

/** A browser is asked for its key anew once a month. */
const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;
/** What the console does: of what is an operator's it shows the log, and leaves the rest to the terminal. */
const SESSION_SCOPES: readonly ApiScope[] = ['chat', 'memories', 'outreach', 'audit'];

/** More keys than these are a script's, and the newest say so. */
const MOST_LISTED = 100;

/** Where ends of keys are told. */
const CHANNEL = 'keys';

/** The API keys: made, found by their hash, revoked. The key itself is kept nowhere. */
export class ApiKeys {
  /** Saves a look-up on each request. */
  readonly #callers: KeptAnswers<Caller>;

  constructor(
    private readonly database: Database,
    broadcasts: ConstructorParameters<typeof KeptAnswers>[0],
  ) {
    this.#callers = new KeptAnswers(broadcasts, CHANNEL, ({ keyId, personId }) => [keyId, personId]);
  }

  /** Hears of keys that other replicas end. */
  listen(): void {
    this.#callers.listen();
  }

  /** Calls `watcher` with keys that end before their time, by their ids or their person's. Returns how to stop. */
  watch(watcher: (ended: readonly string[]) => void): () => void {
    return this.#callers.watch(watcher);
  }

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
    const caller = await this.#callers.of(hash, () => this.#find(hash, now));
    requireTime(caller.expiresAt, now);
    return caller;
  }

  async #find(hash: string, now: Date): Promise<Caller> {
    // The key is what tells whose it is, so there is no person to be before it is found.
    const [found] = await this.database.read(
      'system',
      (reader) => reader.$queryRaw<(Caller & { revokedAt: Date | null })[]>`
        SELECT key.id AS "keyId", key.name AS "keyName", person_id AS "personId", display_name AS "displayName",
          scopes, expires_at AS "expiresAt", session_of IS NOT NULL AS "isSession", revoked_at AS "revokedAt"
        FROM api_keys AS key JOIN people USING (person_id) WHERE hash = ${hash}`,
    );
    requireInForce(found ?? null, now);
    const { revokedAt: _, ...caller } = found!;
    await this.database.write(
      { personId: caller.personId },
      (tx) => tx.$executeRaw`UPDATE api_keys SET last_used_at = ${now} WHERE id = ${caller.keyId}::uuid`,
    );
    return { ...caller, scopes: ApiScope.array().parse(caller.scopes) };
  }

  /**
   * Makes a browser a key of its own from one that is in force.
   * @throws AppError `unauthorized` when that one ended meanwhile
   */
  async openSession(keyId: string, now: Date): Promise<SignedIn> {
    const key = formatApiKey(randomBytes(32));
    return this.database.asSystem(async (tx) => {
      const parent = await tx.apiKey.findUnique({ where: { id: keyId }, include: { person: true } });
      requireInForce(parent, now);
      const scopes = SESSION_SCOPES.filter((scope) => parent.scopes.includes(scope));
      const month = new Date(now.getTime() + SESSION_DAYS * DAY_MS);
      const expiresAt = parent.expiresAt && parent.expiresAt < month ? parent.expiresAt : month;
      const { personId } = parent;
      await tx.apiKey.create({
        data: {
          ...{ personId, name: 'browser', hash: hashOf(key), scopes, expiresAt },
          // Sessions of a session end with the key that began it.
          sessionOf: parent.sessionOf ?? parent.id,
          ...{ madeBy: parent.madeBy, reason: parent.reason },
        },
      });
      const { displayName } = parent.person;
      return { key, personId, displayName, scopes, expiresAt: expiresAt.toISOString() };
    });
  }

  /** Makes a key for a person, or for a new person of that name. The key is in the answer and nowhere else. */
  async create(request: {
    owner: { personId: string } | { newPerson: string };
    name: string;
    scopes: ApiScope[];
    expiresAt: Date | null;
    /** Where an operator makes it for somebody else to act as its person. */
    made?: { by: string; reason: string };
  }): Promise<{ id: string; key: string; personId: string }> {
    const key = formatApiKey(randomBytes(32));
    const { owner } = request;
    return this.database.write('system', async (tx) => {
      const personId =
        'personId' in owner ? await existing(tx, owner.personId) : await newOwner(tx, owner.newPerson);
      return { id: await addKey(tx, { ...request, personId, hash: hashOf(key) }), key, personId };
    });
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
        ...viewOf(row),
        personId: row.personId,
        displayName: row.person.displayName,
        madeBy: row.madeBy,
      })),
      nextCursor: rows.length > limit ? page.at(-1)!.id : null,
    };
  }

  /** The keys that act as the caller, the newest first. */
  async ofCaller({ personId, keyId }: Caller, now: Date): Promise<MyKeyList> {
    const isInForce = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
    const rows = await this.database.asPerson(personId, (tx) =>
      tx.apiKey.findMany({
        // What an operator made stays to be seen after its end.
        where: { personId, OR: [isInForce, { madeBy: { not: null } }] },
        orderBy: { id: 'desc' },
        take: MOST_LISTED,
      }),
    );
    return {
      keys: rows.map((row) => ({
        ...viewOf(row),
        madeBy: row.madeBy === null ? 'you' : 'operator',
        isThisOne: row.id === keyId,
      })),
    };
  }

  /** What its person is to be told by DM of a key that an operator made; null where there is none to tell. */
  async notice(keyId: string): Promise<ResponseInput<typeof gatewayContract.keyNotice>['notice']> {
    const row = await this.database.asSystem((tx) =>
      tx.apiKey.findUnique({
        where: { id: keyId },
        include: { person: { include: { identities: { where: { door: 'discord' } } } } },
      }),
    );
    const account = row?.person.identities[0];
    if (!row || row.madeBy === null || !account) return null;
    const { name, reason, scopes, createdAt } = row;
    return {
      discordUserId: account.subject,
      ...{ name, reason: reason ?? '', scopes, madeAt: createdAt.toISOString() },
    };
  }

  /**
   * Ends a key, and the browsers' sessions made from it.
   * @param personId whose key it has to be, where a person ends one of their own
   * @throws AppError `not_found`
   */
  async revoke(keyId: string, now: Date, personId?: string): Promise<void> {
    const ended = await this.database.asSystem((tx) =>
      tx.apiKey.updateManyAndReturn({
        where: {
          ...(personId !== undefined && { personId }),
          revokedAt: null,
          OR: [{ id: keyId }, { sessionOf: keyId }],
        },
        data: { revokedAt: now },
        select: { id: true },
      }),
    );
    const keyIds = ended.map(({ id }) => id);
    if (!keyIds.includes(keyId)) throw new AppError('not_found', `no API key ${keyId} that is in force`);
    await this.#callers.end(keyIds);
  }

  /** Their keys were deleted. */
  forget(personId: string): void {
    this.#callers.drop([personId]);
  }

  /** Sees to it that the operator's own key, made by scripts/up, is known; safe to repeat. */
  async ensureBootstrapKey(key: string, ownerName: string): Promise<void> {
    if (!isWellFormedApiKey(key)) {
      throw new AppError('invalid_request', 'KITH_KEY is not a whole Kith API key; scripts/up makes one');
    }
    const hash = hashOf(key);
    try {
      await this.database.write('system', async (tx) => {
        const known = await tx.$queryRaw<unknown[]>`SELECT 1 FROM api_keys WHERE hash = ${hash}`;
        if (known.length > 0) return;
        const personId = await newOwner(tx, ownerName);
        await addKey(tx, { personId, name: 'operator', hash, scopes: EVERY_SCOPE, expiresAt: null });
      });
    } catch (error) {
      // Two replicas start at once: the other one stored it, and what this one began is rolled back.
      if (!isDuplicate(error)) throw error;
    }
  }
}

/** A key as everybody who may see it does. */
function viewOf(row: Prisma.ApiKeyGetPayload<object>) {
  return {
    id: row.id,
    name: row.name,
    scopes: ApiScope.array().parse(row.scopes),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    reason: row.reason,
  };
}

/** Is the caller's key, or person, among these? */
export function isEnded({ keyId, personId }: Caller, ended: readonly string[]): boolean {
  return ended.includes(keyId) || ended.includes(personId);
}

/** @throws AppError `unauthorized` */
function requireInForce<Row extends { revokedAt: Date | null; expiresAt: Date | null }>(
  row: Row | null,
  now: Date,
): asserts row is Row {
  if (!row || row.revokedAt) throw new AppError('unauthorized', 'this API key is unknown or was revoked');
  requireTime(row.expiresAt, now);
}

function requireTime(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now) throw new AppError('unauthorized', 'this API key has expired');
}

/** Adds a key to a person's. Returns its id. */
async function addKey(
  tx: Writer,
  {
    personId,
    name,
    hash,
    scopes,
    expiresAt,
    made,
  }: {
    personId: string;
    name: string;
    hash: string;
    scopes: readonly ApiScope[];
    expiresAt: Date | null;
    made?: { by: string; reason: string };
  },
): Promise<string> {
  const id = uuid7();
  await tx.$executeRaw`
    INSERT INTO api_keys (id, person_id, name, hash, scopes, expires_at, made_by, reason)
    VALUES (${id}::uuid, ${personId}::uuid, ${name}, ${hash}, ${[...scopes]}::text[], ${expiresAt}::timestamptz,
      ${made?.by ?? null}::uuid, ${made?.reason ?? null})`;
  return id;
}

async function existing(tx: Reader, personId: string): Promise<string> {
  const found = await tx.$queryRaw<unknown[]>`SELECT 1 FROM people WHERE person_id = ${personId}::uuid`;
  if (found.length === 0) throw new AppError('not_found', `no person ${personId}`);
  return personId;
}

async function newOwner(tx: Writer, displayName: string): Promise<string> {
  const personId = uuid7();
  await Promise.all([
    tx.$executeRaw`INSERT INTO people (person_id, display_name) VALUES (${personId}::uuid, ${displayName})`,
    tx.$executeRaw`
      INSERT INTO identities (id, person_id, door, subject)
      VALUES (${uuid7()}::uuid, ${personId}::uuid, 'http', ${personId})`,
  ]);
  return personId;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
