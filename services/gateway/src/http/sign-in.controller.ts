import { AppError, signInRoutes } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { Entrance } from '../entrance/entrance.js';
import { toAppError } from '../entrance/problem-details.js';
import { ApiKeys } from '../people/api-keys.js';
import { SignInCodes } from '../people/sign-in-codes.js';
import { Serves, type RouteCall } from './serves.js';

/** Gives a browser a key of its own, and ends it. */
@Controller()
export class SignInController {
  constructor(
    private readonly codes: SignInCodes,
    private readonly keys: ApiKeys,
    private readonly entrance: Entrance,
  ) {}

  @Serves(signInRoutes.makeCode)
  onCode({ caller }: RouteCall<typeof signInRoutes.makeCode>) {
    return this.codes.make(caller, new Date());
  }

  @Serves(signInRoutes.signIn)
  async onSignIn({ request, body }: RouteCall<typeof signInRoutes.signIn>) {
    try {
      return await this.codes.redeem(body, new Date());
    } catch (error) {
      if (toAppError(error).code === 'unauthorized')
        await this.entrance.countFailure(this.entrance.addressOf(request));
      throw error;
    }
  }

  /** Signs out: the browser's own key ends. A key that a person made and pasted there stays. */
  @Serves(signInRoutes.signOut)
  async onSignOut({ caller }: RouteCall<typeof signInRoutes.signOut>): Promise<void> {
    if (caller.sessionOf === null)
      throw new AppError('conflict', 'this key is not a browser’s session; kith keys revoke ends it');
    await this.keys.revoke(caller.keyId, new Date());
  }
}
