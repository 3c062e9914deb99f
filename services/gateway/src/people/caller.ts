import { AppError, holdsScope, type ApiScope } from '@kith/contracts';

/** Caller of the API, as a valid key tells. */
export interface Caller {
  keyId: string;
  keyName: string;
  personId: string;
  displayName: string;
  scopes: readonly ApiScope[];
  expiresAt: Date | null;
  /** Key that a browser's session was made from; null for any other key. */
  sessionOf: string | null;
  /** Operator who made the key for somebody else to act as its person; null: it is theirs. */
  madeBy: string | null;
}

/** Finds by which id a caller's requests are counted: all sessions that were made from a key count as that key. */
export function countedAs({ keyId, sessionOf }: Caller): string {
  return sessionOf ?? keyId;
}

/** Tells whether the caller's key, or person, is among these. */
export function isEnded({ keyId, personId }: Caller, ended: readonly string[]): boolean {
  return ended.includes(keyId) || ended.includes(personId);
}

/** Refuses a caller without a scope. @throws AppError `forbidden` that names it */
export function requireScope(caller: Caller, scope: ApiScope): void {
  if (!holdsScope(caller.scopes, scope)) {
    throw new AppError('forbidden', `this API key lacks the scope "${scope}"`, { field: 'scope' });
  }
}
