import { hash } from 'node:crypto';
import { AppError, type ApiScope, type Door } from '@kith/contracts';
import { uuid7, type Reader, type Writer } from '@kith/database';

/** Key to be stored. */
export interface NewKey {
  personId: string;
  name: string;
  hash: string;
  scopes: readonly ApiScope[];
  expiresAt: Date | null;
  /** The operator who made it for somebody else to act as its person, and why. */
  made?: { by: string; reason: string };
}

/** Stores a key. Returns its id. */
export async function addKey(tx: Writer, { personId, name, hash, scopes, expiresAt, made }: NewKey) {
  const id = uuid7();
  await tx.$executeRaw`
    INSERT INTO api_keys (id, person_id, name, hash, scopes, expires_at, made_by, reason)
    VALUES (${id}::uuid, ${personId}::uuid, ${name}, ${hash}, ${[...scopes]}::text[], ${expiresAt}::timestamptz,
      ${made?.by ?? null}::uuid, ${made?.reason ?? null})`;
  return id;
}

/** Makes a person with an account, or one who comes by the API. Returns their id. */
export async function addPerson(tx: Writer, displayName: string, account?: { door: Door; subject: string }) {
  const personId = uuid7();
  const { door, subject } = account ?? { door: 'http', subject: personId };
  await Promise.all([
    tx.$executeRaw`INSERT INTO people (person_id, display_name) VALUES (${personId}::uuid, ${displayName})`,
    tx.$executeRaw`
      INSERT INTO identities (id, person_id, door, subject)
      VALUES (${uuid7()}::uuid, ${personId}::uuid, ${door}, ${subject})`,
  ]);
  return personId;
}

/** Checks that a person exists. @throws AppError `not_found` */
export async function requirePerson(tx: Reader, personId: string): Promise<string> {
  const found = await tx.$queryRaw<unknown[]>`SELECT 1 FROM people WHERE person_id = ${personId}::uuid`;
  if (found.length === 0) throw new AppError('not_found', `no person ${personId}`);
  return personId;
}

/** Makes the hash by which a key is stored and found. */
export function hashOf(key: string): string {
  return hash('sha256', key);
}
