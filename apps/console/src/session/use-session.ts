import { isWellFormedApiKey } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, createApiClient, type ApiClient } from '../api/api-client.js';
import { dropKey, keepKey, takeStoredKey } from './key-store.js';

export interface SignedIn {
  kind: 'signed-in';
  key: string;
  displayName: string;
  api: ApiClient;
}
type Session =
  | { kind: 'signed-out'; problem: string | null }
  | { kind: 'checking'; key: string; problem: string | null }
  | SignedIn;

const RETRY_MS = 3_000;

/** The first look at a key: one that was cut or mistyped need not be asked about. */
function begin(key: string): Session {
  if (isWellFormedApiKey(key)) return { kind: 'checking', key, problem: null };
  return {
    kind: 'signed-out',
    problem: 'That is not a whole API key. Keys begin with kth_ and have 53 characters: paste all of it.',
  };
}

/** Who is using this browser. A key is believed only after the gateway has named its person. */
export function useSession(): {
  session: Session;
  signIn(key: string): void;
  signOut(problem?: string): void;
} {
  const [session, setSession] = useState<Session>(() => {
    const key = takeStoredKey();
    return key === null ? { kind: 'signed-out', problem: null } : begin(key);
  });

  const signIn = useCallback((key: string) => setSession(begin(key)), []);
  const signOut = useCallback((problem?: string) => {
    dropKey();
    setSession({ kind: 'signed-out', problem: problem ?? null });
  }, []);

  useEffect(() => {
    // A sign-in link opened in a tab that shows the console already changes only the fragment.
    const onFragment = (): void => {
      const before = window.location.hash;
      const key = takeStoredKey();
      if (key !== null && before !== window.location.hash) signIn(key);
    };
    window.addEventListener('hashchange', onFragment);
    return () => window.removeEventListener('hashchange', onFragment);
  }, [signIn]);

  const keyToCheck = session.kind === 'checking' ? session.key : null;
  useEffect(() => {
    if (keyToCheck === null) return;
    const api = createApiClient(keyToCheck);
    let cancelled = false;
    let timer: number | undefined;
    const check = async (): Promise<void> => {
      try {
        const me = await api.me();
        if (cancelled) return;
        if (!me.scopes.includes('chat')) return signOut('This key is valid, but it may not chat.');
        keepKey(keyToCheck);
        setSession({ kind: 'signed-in', key: keyToCheck, displayName: me.displayName, api });
      } catch (error) {
        if (cancelled) return;
        if (error instanceof ApiError && error.status === 401) {
          return signOut('That key is not known here: it was revoked, has expired, or is for another Kith.');
        }
        // Anything else says nothing about the key: keep it, and ask again.
        const problem = error instanceof ApiError ? error.message : 'Nothing answers at this address.';
        setSession({ kind: 'checking', key: keyToCheck, problem });
        timer = window.setTimeout(() => void check(), RETRY_MS);
      }
    };
    void check();
    return () => {
      cancelled = true;
      window.clearTimeout(timer);
    };
  }, [keyToCheck, signOut]);

  return { session, signIn, signOut };
}
