import { SignInRequest } from '@kith/contracts';

/** Content of a sign-in link's fragment. A fragment never leaves the browser, so it is in no server's log. */
export type SignInLink =
  | { kind: 'code'; code: string }
  /** A part of the code is missing. */
  | { kind: 'cut' }
  /** A key in an address is not taken: whoever sends one could have another read along. */
  | { kind: 'key' };

/** The sign-in link in a fragment (`#code=…`), or null. */
export function signInLinkIn(fragment: string): SignInLink | null {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const code = given.get('code');
  if (code !== null)
    return SignInRequest.safeParse({ code }).success ? { kind: 'code', code } : { kind: 'cut' };
  return given.has('key') ? { kind: 'key' } : null;
}
