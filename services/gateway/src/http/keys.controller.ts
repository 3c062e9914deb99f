import { AppError, discordContract, keyRoutes, present } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { ApiKeys } from '../people/api-keys.js';
import { KeyLists } from '../people/key-lists.js';
import { OPERATOR_KEY_NAME } from '../people/operator-key.js';
import { Serves, type RouteCall } from './serves.js';

/** API keys: everybody's for operators, and for each person those that act as them. */
@Controller()
export class KeysController {
  constructor(
    private readonly keys: ApiKeys,
    private readonly lists: KeyLists,
    private readonly messenger: Messenger,
  ) {}

  @Serves(keyRoutes.mine)
  onMyKeys({ caller }: RouteCall<typeof keyRoutes.mine>) {
    return this.lists.ofCaller(caller, new Date());
  }

  @Serves(keyRoutes.revokeMine)
  onEndMyKey({ caller: { personId }, params }: RouteCall<typeof keyRoutes.revokeMine>): Promise<void> {
    return this.keys.revoke(params.id, new Date(), personId);
  }

  @Serves(keyRoutes.list)
  onKeys({ query }: RouteCall<typeof keyRoutes.list>) {
    return this.lists.list(query);
  }

  @Serves(keyRoutes.revoke)
  onRevoke({ params }: RouteCall<typeof keyRoutes.revoke>): Promise<void> {
    return this.keys.revoke(params.id, new Date());
  }

  @Serves(keyRoutes.create)
  async onKey({ caller, request, body }: RouteCall<typeof keyRoutes.create>) {
    const { personId, person, scopes, reason } = body;
    // A key made by this one would look like the person's own: they would not be told, and it would outlive this key.
    if (caller.madeBy !== null) {
      const message =
        'this key was made to act as somebody else, and such a key makes no others: use your own';
      throw new AppError('forbidden', message);
    }
    if ((personId === undefined) === (person === undefined)) {
      const message = 'give either personId or person, a name for a new person';
      throw new AppError('invalid_request', message, { field: 'person' });
    }
    if (body.name.toLowerCase() === OPERATOR_KEY_NAME) {
      const message = `the name "${OPERATOR_KEY_NAME}" is for the key in .env alone: choose another`;
      throw new AppError('invalid_request', message, { field: 'name' });
    }
    if (body.expiresAt && new Date(body.expiresAt) <= new Date())
      throw new AppError('invalid_request', 'expiresAt is past', { field: 'expiresAt' });
    const isAnothers = personId !== undefined && personId !== caller.personId;
    if (isAnothers && reason === undefined) {
      const message = 'a key that acts as somebody else needs a reason; they are told';
      throw new AppError('invalid_request', message, { field: 'reason' });
    }
    const created = await this.keys.create({
      owner: personId === undefined ? { newPerson: present(person) } : { personId },
      name: body.name,
      scopes,
      expiresAt: body.expiresAt ? new Date(body.expiresAt) : null,
      ...(isAnothers && { made: { by: caller.personId, reason: present(reason) } }),
    });
    request.subjects = { key: created.id, person: created.personId };
    // Nobody has the key before its person's notice is on its way: without one, the answer is an error.
    if (isAnothers) await this.messenger.enqueue(discordContract.tellOfKey, { keyId: created.id });
    return { ...created, scopes };
  }
}
