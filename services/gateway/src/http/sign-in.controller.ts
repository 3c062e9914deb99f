import { AppError, signInRoutes } from '@kith/contracts';
import { Entrance } from '../entrance/entrance.js';
import { toAppError } from '../entrance/problem-details.js';
import { ApiKeys } from '../people/api-keys.js';
import { SignInCodes } from '../people/sign-in-codes.js';
import { serveRoutes } from './serve-routes.js';

/** Gives a browser a key of its own, and ends it. */
export const SignInController = serveRoutes(
  signInRoutes,
  [SignInCodes, ApiKeys, Entrance],
  (codes, keys, entrance) => ({
    makeCode: ({ caller }) => codes.make(caller, new Date()),
    signIn: async ({ request, body }) => {
      try {
        return await codes.redeem(body, new Date());
      } catch (error) {
        if (toAppError(error).code === 'unauthorized')
          await entrance.countFailure(entrance.addressOf(request));
        throw error;
      }
    },
    /** Signs out: the browser's own key ends. A key that a person made and pasted there stays. */
    signOut: async ({ caller: { sessionOf, keyId } }) => {
      if (sessionOf === null)
        throw new AppError('conflict', 'this key is not a browser’s session; kith keys revoke ends it');
      await keys.revoke(keyId, new Date());
    },
  }),
);
