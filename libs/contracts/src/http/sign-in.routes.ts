import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { KeyCreated } from './keys.routes.js';
import { del, post, type Routes } from './route.js';

/** Code that signs a browser in, once: the console takes it in its address as `#code=…`. */
export const SignInCode = z.object({ code: z.string(), expiresAt: IsoTime });
export type SignInCode = z.infer<typeof SignInCode>;
export const SignInRequest = z.strictObject({
  code: z.string().regex(/^[A-Za-z0-9_-]{32}$/, 'a whole sign-in code has 32 characters'),
  // 22 characters are 128 random bits.
  nonce: z
    .string()
    .regex(/^[A-Za-z0-9_-]{22,64}$/, 'a nonce has 22 to 64 letters, digits, _ and -')
    .optional()
    .describe('random; with the same one a used code gives the same key again while it would be good'),
});
export type SignInRequest = z.infer<typeof SignInRequest>;
/** A browser's own key: of less scope than the one it was made from, and ended with it. */
export const SignedIn = KeyCreated.omit({ id: true }).extend({ displayName: z.string(), expiresAt: IsoTime });
export type SignedIn = z.infer<typeof SignedIn>;

export const signInRoutes = {
  makeCode: post('/v1/sign-in-codes', 'chat', {
    summary: 'A code that signs one browser in as you, once, within ten minutes',
    answer: SignInCode,
    status: 201,
  }),
  signIn: post('/v1/sign-in', 'no-key', {
    summary: 'A browser’s own key for a sign-in code; needs no key',
    body: SignInRequest,
    answer: SignedIn,
    status: 201,
    errors: ['unauthorized'],
  }),
  signOut: del('/v1/session', 'any-key', {
    summary: 'Sign out: the browser’s own key that is sent ends',
    errors: ['conflict'],
  }),
} satisfies Routes;
