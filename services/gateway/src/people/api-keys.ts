import { randomBytes } from 'node:crypto';
import {
  AppError,
  ApiScope,
  DAY_MS,
  formatApiKey,
  holdsScope,
  HOUR_MS,
  isWellFormedApiKey,
  type SignedIn,
} from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { KeptAnswers } from '@kith/messaging';
import { countedAs, type Caller } from './caller.js';
import { addKey, addPerson, hashOf, requirePerson, type NewKey } from './key-rows.js';

/** Days for which a browser's key holds: its person signs in once a month. */
const SESSION_DAYS = 30;
/** Sessions of one key that are in force: the browsers of a person, and those that they cleared or lost within a month. */
const MAX_SESSIONS = 20;
/** Scopes that the console needs: it shows an operator the log and the companions, and leaves the rest to the terminal. */
const SESSION_SCOPES: readonly ApiScope[] = ['chat', 'memories', 'outreach', 'audit', 'companions'];

/** Age at which a key's last use is noted anew: lists show its day. */
const NOTED_AFTER_MS = HOUR_MS;

/** Broadcast that tells replicas of keys that have ended. */
const CHANNEL = 'keys';

/** Makes API keys, finds them by their hash, and revokes them. The key itself is stored nowhere. */
export class ApiKeys {
  /** Callers by the hash of their key, which saves a look-up on each request. */
  private readonly callers: KeptAnswers<Caller>;

  constructor(
    private readonly database: Database,
    broadcasts: ConstructorParameters<typeof KeptAnswers>[0],
  ) {
    this.callers = new KeptAnswers(broadcasts, CHANNEL, ({ keyId, personId }) => [keyId, personId]);
  }

  /** Hears of keys that other replicas end. */
  listen(): void {
    this.callers.listen();
  }

  /** Calls `watcher` when keys end before their time, with their ids or their person's. Returns how to stop. */
  watch(watcher: (ended: readonly string[]) => void): () => void {
    return this.callers.watch(watcher);
  }

  /**
   * Finds who has a key.
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
    const caller = await this.callers.of(hash, () => this.find(hash, now));
    requireTime(caller.expiresAt, now);
    return caller;
  }

  private async find(hash: string, now: Date): Promise<Caller> {
    // As the system: only the key shows whose it is, so there is no person's scope before.
    const [found] = await this.database.reader('system').$queryRaw<
      (Caller & { revokedAt: Date | null; lastUsedAt: Date | null })[]
    >`
      SELECT key.id AS "keyId", key.name AS "keyName", person_id AS "personId", display_name AS "displayName",
        scopes, expires_at AS "expiresAt", session_of AS "sessionOf", made_by AS "madeBy",
        revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"
      FROM api_keys AS key JOIN people USING (person_id) WHERE hash = ${hash}`;
    requireInForce(found, now);
    const { revokedAt: _, lastUsedAt, ...caller } = found;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > NOTED_AFTER_MS)
      void this.noteUse(caller, now);
    return { ...caller, scopes: ApiScope.array().parse(caller.scopes) };
  }

  /**
   * Notes when a key was used, which a list of keys shows; a session's use is also its key's. Nobody waits for it: where it
   * fails, the next look-up does it.
   */
  private async noteUse(caller: Caller, now: Date): Promise<void> {
    const ids = [caller.keyId, countedAs(caller)];
    const noted = this.database.writer({ personId: caller.personId }).$executeRaw`
      UPDATE api_keys SET last_used_at = ${now} WHERE id = ANY (ARRAY(
        SELECT id FROM api_keys WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE))`;
    await noted.catch(() => undefined);
  }

  /**
   * Makes a browser a key of its own from one that is in force. It ends the oldest where there are too many.
   * @param key the browser's own: once its session is open, it is given again
   * @throws AppError `unauthorized` when either ended meanwhile
   */
  async openSession(
    keyId: string,
    now: Date,
    key: string = formatApiKey(randomBytes(32)),
  ): Promise<SignedIn> {
    const hash = hashOf(key);
    const { session, ended } = await this.database.asSystem(async (tx) => {
      // Whoever revokes the key meanwhile waits, and then finds the session, too; so does who opens another one.
      await tx.$queryRaw`
        SELECT 1 FROM api_keys
        WHERE id = ${keyId}::uuid OR id = (SELECT session_of FROM api_keys WHERE id = ${keyId}::uuid)
        ORDER BY id FOR NO KEY UPDATE`;
      const parent = await tx.apiKey.findUnique({ where: { id: keyId }, include: { person: true } });
      requireInForce(parent, now);
      const opened = await tx.apiKey.findUnique({ where: { hash } });
      if (opened) requireInForce(opened, now);
      const scopes = SESSION_SCOPES.filter((scope) =>
        holdsScope(ApiScope.array().parse(parent.scopes), scope),
      );
      const month = new Date(now.getTime() + SESSION_DAYS * DAY_MS);
      const until = parent.expiresAt && parent.expiresAt < month ? parent.expiresAt : month;
      const expiresAt = opened?.expiresAt ?? until;
      const { personId } = parent;
      const { displayName } = parent.person;
      const session = { key, personId, displayName, scopes, expiresAt: expiresAt.toISOString() };
      if (opened) return { session, ended: [] };
      // Sessions of a session end with the key that began it.
      const sessionOf = parent.sessionOf ?? parent.id;
      const tooMany = await tx.$queryRaw<{ id: string }[]>`
        UPDATE api_keys SET revoked_at = ${now} WHERE id = ANY (ARRAY(
          SELECT id FROM api_keys
          WHERE session_of = ${sessionOf}::uuid AND revoked_at IS NULL AND expires_at > ${now}
          ORDER BY created_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1}))
        RETURNING id`;
      await tx.apiKey.create({
        data: {
          personId,
          name: 'browser',
          hash,
          scopes: { set: scopes },
          expiresAt,
          sessionOf,
          madeBy: parent.madeBy,
          reason: parent.reason,
        },
      });
      return { session, ended: tooMany.map(({ id }) => id) };
    });
    if (ended.length > 0) await this.callers.end(ended);
    return session;
  }

  /** Makes a key for a person, or for a new person of that name. Nothing but the answer holds the key. */
  async create(
    request: Omit<NewKey, 'personId' | 'hash'> & { owner: { personId: string } | { newPerson: string } },
  ): Promise<{ id: string; key: string; personId: string }> {
    const key = formatApiKey(randomBytes(32));
    const { owner } = request;
    return this.database.write('system', async (tx) => {
      const personId =
        'personId' in owner ? await requirePerson(tx, owner.personId) : await addPerson(tx, owner.newPerson);
      return { id: await addKey(tx, { ...request, personId, hash: hashOf(key) }), key, personId };
    });
  }

  /**
   * Ends a key, and the browsers' sessions made from it. A key that may make keys stays where no other one lasts as long:
   * without one nobody could make another.
   * @param personId whose key it has to be, where a person ends one of their own
   * @throws AppError `not_found`, or `conflict` for that last key
   */
  async revoke(keyId: string, now: Date, personId?: string): Promise<void> {
    const ended = await this.database.asSystem(async (tx) => {
      // Waits for sessions that are being opened from them, and for who ends another key that may run the suite.
      await tx.$queryRaw`
        SELECT 1 FROM api_keys
        WHERE id = ${keyId}::uuid OR session_of = ${keyId}::uuid
          OR ('admin' = ANY (scopes) AND session_of IS NULL AND revoked_at IS NULL)
        ORDER BY id FOR NO KEY UPDATE`;
      const revoked = await tx.apiKey.updateManyAndReturn({
        where: {
          ...(personId !== undefined && { personId }),
          revokedAt: null,
          OR: [{ id: keyId }, { sessionOf: keyId }],
        },
        data: { revokedAt: now },
        select: { id: true, scopes: true, expiresAt: true, madeBy: true },
      });
      const key = revoked.find(({ id }) => id === keyId);
      if (!key) throw new AppError('not_found', `no API key ${keyId} that is in force`);
      if (key.scopes.includes('admin') && key.madeBy === null && isInTime(key.expiresAt, now))
        await requireAdminKey(tx, key.expiresAt);
      return revoked.map(({ id }) => id);
    });
    await this.callers.end(ended);
  }

  /** Drops a person's keys from the cache: they were deleted. */
  forget(personId: string): void {
    this.callers.drop([personId]);
  }
}

/** @throws AppError `unauthorized` */
function requireInForce<Row extends { revokedAt: Date | null; expiresAt: Date | null }>(
  row: Row | null | undefined,
  now: Date,
): asserts row is Row {
  if (!row || row.revokedAt) throw new AppError('unauthorized', 'this API key is unknown or was revoked');
  requireTime(row.expiresAt, now);
}

/** Refuses to end a key if no other one that may make keys is in force as long. @throws AppError `conflict` */
async function requireAdminKey(tx: Tx, until: Date | null): Promise<void> {
  const left = await tx.apiKey.findFirst({
    where: {
      scopes: { has: 'admin' },
      sessionOf: null,
      madeBy: null,
      revokedAt: null,
      OR: [{ expiresAt: null }, ...(until ? [{ expiresAt: { gte: until } }] : [])],
    },
    select: { id: true },
  });
  if (left) return;
  throw new AppError(
    'conflict',
    'no other key with the scope "admin" lasts as long, and without one nobody could make another: first make one ' +
      '(kith keys create --scope …,admin), or empty KITH_KEY in .env, then ./scripts/down and ./scripts/up, which makes one',
  );
}

/**
 * Checks that a key is in time.
 * @throws AppError `unauthorized` for one that has expired
 */
export function requireTime(expiresAt: Date | null, now: Date): void {
  if (!isInTime(expiresAt, now)) throw new AppError('unauthorized', 'this API key has expired');
}

function isInTime(expiresAt: Date | null, now: Date): boolean {
  return expiresAt === null || expiresAt > now;
}
