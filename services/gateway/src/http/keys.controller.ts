import { AppError, discordContract, keyRoutes, present, signInRoutes } from '@kith/contracts';
import { OPERATOR_KEY_NAME } from '../people/operator-key.js';
import { serveRoutes } from './serve-routes.js';
import { toAppError } from '../entrance/problem-details.js';

/** API keys: everybody's for operators, and for each person those that act as them. */
export const KeysController = serveRoutes(keyRoutes, ({ keys, keyLists: lists, messenger }) => ({
  mine: ({ caller }) => lists.ofCaller(caller, new Date()),
  revokeMine: ({ caller: { personId }, params: { id } }) => keys.revoke(id, new Date(), personId),
  list: ({ query }) => lists.list(query),
  revoke: ({ params: { id } }) => keys.revoke(id, new Date()),
  create: async ({ caller, request, body }) => {
    const { personId, person, scopes, reason } = body;
    // A key made by this one would look like the person's own: they would not be told, and it would outlive this key.
    if (caller.madeBy !== null) {
      const message =
        'this key was made to act as somebody else, and such a key makes no others: use your own';
      throw new AppError('forbidden', message);
    }
    if ((personId === undefined) === (person === undefined))
      throw refused('person', 'give either personId or person, a name for a new person');
    if (body.name.toLowerCase() === OPERATOR_KEY_NAME)
      throw refused('name', `the name "${OPERATOR_KEY_NAME}" is for the key in .env alone: choose another`);
    if (body.expiresAt && new Date(body.expiresAt) <= new Date())
      throw refused('expiresAt', 'expiresAt is past');
    const isAnothers = personId !== undefined && personId !== caller.personId;
    if (isAnothers && reason === undefined)
      throw refused('reason', 'a key that acts as somebody else needs a reason; they are told');
    const created = await keys.create({
      owner: personId === undefined ? { newPerson: present(person) } : { personId },
      name: body.name,
      scopes,
      expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
      ...(isAnothers && { made: { by: caller.personId, reason: present(reason) } }),
    });
    request.subjects = { key: created.id, person: created.personId };
    // Nobody has the key before its person's notice is on its way: without one, the answer is an error.
    if (isAnothers) await messenger.enqueue(discordContract.tellOfKey, { keyId: created.id });
    return { ...created, scopes };
  },
}));

function refused(field: string, message: string): AppError {
  return new AppError('invalid_request', message, { field });
}

/** Gives a browser a key of its own, and ends it. */
export const SignInController = serveRoutes(signInRoutes, ({ signInCodes: codes, keys, entrance }) => ({
  makeCode: ({ caller }) => codes.make(caller, new Date()),
  signIn: async ({ request, body }) => {
    try {
      return await codes.redeem(body, new Date());
    } catch (error) {
      if (toAppError(error).code === 'unauthorized') await entrance.countFailure(entrance.addressOf(request));
      throw error;
    }
  },
  /** Signs out: the browser's own key ends. A key that a person made and pasted there stays. */
  signOut: async ({ caller: { sessionOf, keyId } }) => {
    if (sessionOf === null)
      throw new AppError('conflict', 'this key is not a browser’s session; kith keys revoke ends it');
    await keys.revoke(keyId, new Date());
  },
}));
