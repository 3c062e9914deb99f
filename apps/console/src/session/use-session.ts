import {
  holdsScope,
  isWellFormedApiKey,
  meRoutes,
  type MeView,
  type RouteClient,
  signInRoutes,
} from '@kith/contracts';
import { useCallback, useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react';
import type { z } from 'zod';
import { ApiError, openApi } from '../api/api-client.js';
import { wordsOf } from '../page/problem.js';
import { randomId } from '../page/random-id.js';
import { dropKey, keepKey, keptKey, takeSignInLink, watchKey } from './key-store.js';
import type { SignInLink } from './sign-in-link.js';

export interface SignedIn {
  kind: 'signed-in';
  key: string;
  personId: string;
  displayName: string;
  /** True for a key that may read what operators did. */
  mayAudit: boolean;
  /** Their key may decide for others: it has the scope `admin`. */
  isOperator: boolean;
  /** May bring companions in, change and pause them. */
  mayChangeCompanions: boolean;
  api: RouteClient;
}
export type Session =
  | { kind: 'signed-out'; problem: string | null }
  | { kind: 'checking'; key: string; problem: string | null }
  /** A sign-in link's code is on its way to the gateway. */
  | { kind: 'redeeming'; code: string }
  /**
   * A link was opened where somebody is signed in: they are asked before the code is used, and told where it was of no
   * use. There is no code where another try can't help.
   */
  | { kind: 'asking'; code: string | null; key: string; problem: string | null }
  | SignedIn;

/** About as long as the gateway takes to restart. */
const RETRY_MS = 3_000;
/** Tries of a link whose code the gateway has not refused: nobody has to open it again for a moment's outage. */
const MAX_TRIES = 4;
/** Time for one of these tries, which show nothing but a wait: more than the gateway takes while a part is down. */
const REDEEM_TIMEOUT_MS = 15_000;
/** Statuses of refusals that pass: of a request that came too slowly, and of too many. */
const PASSING: ReadonlySet<number> = new Set([408, 429]);
const SIGNED_OUT_ELSEWHERE = 'You were signed out in another tab.';
const UNKNOWN_KEY = 'That key is not known here: it was revoked, has expired, or is for another Kith.';
const KEY_IN_LINK =
  'A link with a key in it signs nobody in any more: paste the key where you sign in, or run npx kith login for a link that works once.';
const CUT_LINK = 'This sign-in link is not whole. Copy all of it, or run npx kith login for a new one.';

/** First check of a key: the gateway need not be asked about one that was cut or mistyped. */
function begin(key: string): Session {
  if (isWellFormedApiKey(key)) return { kind: 'checking', key, problem: null };
  return {
    kind: 'signed-out',
    problem: 'That is not a whole API key. Keys begin with kth_ and have 53 characters: paste all of it.',
  };
}

/** Session that a page begins with: by its link, or by the key that its browser keeps. */
function beginWith(link: SignInLink | null, key: string | null): Session {
  if (link === null) return key === null ? { kind: 'signed-out', problem: null } : begin(key);
  if (link.kind === 'code')
    return key === null
      ? { kind: 'redeeming', code: link.code }
      : { kind: 'asking', code: link.code, key, problem: null };
  return withoutLink(key, link.kind === 'cut' ? CUT_LINK : KEY_IN_LINK);
}

/** Session after a link that signed nobody in: whoever is signed in is told, and stays so. */
function withoutLink(key: string | null, problem: string, code: string | null = null): Session {
  return key === null ? { kind: 'signed-out', problem } : { kind: 'asking', code, key, problem };
}

/** Tells whether the gateway answered with a refusal. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status !== 0 && error.status < 500;
}

/** Tells whether the gateway would refuse the same request again. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && isRefusal(error) && !PASSING.has(error.status);
}

/** Session after its key is of no use any more: another that this browser has by now takes its place. */
function withoutKey(now: Session, key: string, problem: string): Session {
  if (!('key' in now) || now.key !== key) return now;
  const kept = keptKey();
  if (kept === null || kept === key) return { kind: 'signed-out', problem };
  return now.kind === 'asking' ? { ...now, key: kept } : begin(kept);
}

/** Ends a browser's own key at the gateway; a pasted key stays in force, for it is not this page's to end. */
function endKey(key: string): void {
  void openApi(key)
    .call(signInRoutes.signOut)
    .catch(() => undefined);
}

/**
 * Redeems a link's code. By the nonce, a try gets the key whose answer was lost before.
 * @throws ApiError when it is refused, and whatever the last try met
 */
async function redeem(body: { code: string; nonce: string }, tries: number): Promise<{ key: string }> {
  try {
    return await openApi(undefined, REDEEM_TIMEOUT_MS).call(signInRoutes.signIn, { body });
  } catch (error) {
    if (tries <= 1 || isRefusal(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    return redeem(body, tries - 1);
  }
}

/** Session of a key whose person the gateway has named. */
function signedIn(key: string, api: RouteClient, me: z.infer<typeof MeView>): SignedIn {
  const { personId, displayName, scopes } = me;
  return {
    kind: 'signed-in',
    key,
    personId,
    displayName,
    api,
    mayAudit: scopes.includes('audit'),
    isOperator: scopes.includes('admin'),
    mayChangeCompanions: holdsScope(scopes, 'companions'),
  };
}

/** Keeps who is signed in. A key counts only after the gateway has named its person. */
export function useSession() {
  const [session, setSession] = useState<Session>(() => beginWith(takeSignInLink(), keptKey()));

  const signIn = useCallback((key: string) => setSession(begin(key)), []);
  const endSession = useCallback((key: string, problem: string | null) => {
    // Another tab may have signed somebody else in.
    if (keptKey() === key) dropKey();
    endKey(key);
    setSession((now) =>
      now.kind === 'signed-out' || ('key' in now && now.key === key) ? { kind: 'signed-out', problem } : now,
    );
  }, []);
  const key = 'key' in session ? session.key : null;
  const signOut = useCallback(
    (problem?: string) => {
      if (key !== null) endSession(key, problem ?? null);
    },
    [key, endSession],
  );
  /** Ends the session of a key that the gateway refuses; a session that has ended keeps its own reason. */
  const refuseKey = useCallback((key: string, problem: string) => {
    if (keptKey() === key) dropKey();
    setSession((now) => withoutKey(now, key, problem));
  }, []);
  /** Answers whether the link's account takes the place of the one that is signed in. */
  const answer = useCallback(
    (change: boolean) =>
      setSession((now) => {
        if (now.kind !== 'asking') return now;
        return change && now.code !== null ? { kind: 'redeeming', code: now.code } : begin(now.key);
      }),
    [],
  );

  useEffect(() => {
    // A sign-in link opened in a tab that shows the console already changes only the fragment.
    const onFragment = (): void => {
      const link = takeSignInLink();
      if (link !== null) setSession(beginWith(link, keptKey()));
    };
    window.addEventListener('hashchange', onFragment);
    return () => window.removeEventListener('hashchange', onFragment);
  }, []);

  useRedeemed(session.kind === 'redeeming' ? session.code : null, setSession);

  const { kind } = session;
  useEffect(() => {
    // One that was pasted is kept only once it was checked.
    if (key === null || (kind === 'checking' && keptKey() !== key)) return undefined;
    return watchKey(key, () => setSession((now) => withoutKey(now, key, SIGNED_OUT_ELSEWHERE)));
  }, [key, kind]);

  useChecked(session.kind === 'checking' ? session.key : null, { setSession, endSession, refuseKey });

  return { session, signIn, signOut, refuseKey, answer };
}

type SetSession = Dispatch<SetStateAction<Session>>;

/** Redeems a link's code, if there is one to redeem, and has the key that it gives checked. */
function useRedeemed(code: string | null, setSession: SetSession): void {
  const [nonce] = useState(randomId);
  const redeemed = useRef<string | null>(null);
  useEffect(() => {
    // A code works once, and development mode runs effects twice. Once it is answered, the same link may be opened again.
    if (code === null || redeemed.current === code) return;
    redeemed.current = code;
    const before = keptKey();
    redeem({ code, nonce }, MAX_TRIES).then(
      ({ key }) => {
        if (redeemed.current !== code) return;
        redeemed.current = null;
        // The code is spent: a page that is left before its key was checked must find it again.
        keepKey(key);
        // The same link opened again on this page gives the same key.
        if (before !== null && before !== key) endKey(before);
        setSession(begin(key));
      },
      (error: unknown) => {
        // Another link was opened meanwhile.
        if (redeemed.current !== code) return;
        redeemed.current = null;
        const problem = wordsOf(error);
        // Whoever is signed in by now stays so: another tab may have signed them in or out meanwhile.
        setSession(withoutLink(keptKey(), problem, isFinal(error) ? null : code));
      },
    );
  }, [code, nonce, setSession]);
}

interface SessionChanges {
  setSession: SetSession;
  endSession: (key: string, problem: string) => void;
  refuseKey: (key: string, problem: string) => void;
}

/** Checks a key, if there is one to check, until the gateway has named its person or refused it. */
function useChecked(key: string | null, { setSession, endSession, refuseKey }: SessionChanges): void {
  useEffect(() => {
    if (key === null) return;
    const api = openApi(key);
    const wasKept = keptKey() === key;
    let cancelled = false;
    let timer: number | undefined;
    const check = async (): Promise<void> => {
      try {
        const me = await api.call(meRoutes.show);
        if (cancelled) return;
        if (!me.scopes.includes('chat')) {
          endSession(key, 'This key is valid, but it may not chat.');
          return;
        }
        // Another tab may have signed out, and this one not have heard of it yet: its key is not put back.
        if (wasKept && keptKey() !== key) {
          setSession((now) => withoutKey(now, key, SIGNED_OUT_ELSEWHERE));
          return;
        }
        keepKey(key);
        setSession(signedIn(key, api, me));
      } catch (error) {
        if (cancelled) return;
        if (error instanceof ApiError && error.status === 401) {
          // Whoever pasted a key is told, also where another tab has signed in.
          if (wasKept) refuseKey(key, UNKNOWN_KEY);
          else setSession({ kind: 'signed-out', problem: UNKNOWN_KEY });
          return;
        }
        // Anything else says nothing about the key: keep it, and ask again.
        const problem = wordsOf(error);
        setSession({ kind: 'checking', key, problem });
        timer = window.setTimeout(() => void check(), RETRY_MS);
      }
    };
    void check();
    return () => {
      cancelled = true;
      window.clearTimeout(timer);
    };
  }, [key, setSession, endSession, refuseKey]);
}
