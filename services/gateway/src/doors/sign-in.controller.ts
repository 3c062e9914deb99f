import { Body, Controller, Delete, HttpCode, Post, Req } from '@nestjs/common';
import { AppError, SignInRequest, type SignedIn, type SignInCode } from '@kith/contracts';
import type { Request } from 'express';
import type { z } from 'zod';
import { ApiKeys, type Caller } from '../people/api-keys.js';
import { SignInCodes } from '../people/sign-in-codes.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { Entrance } from './entrance.js';
import { Parse } from './parse-input.js';
import { toAppError } from './problem-details.js';

/** How a browser comes to a key of its own, and lets go of it. */
@Controller('v1')
export class SignInController {
  constructor(
    private readonly codes: SignInCodes,
    private readonly keys: ApiKeys,
    private readonly entrance: Entrance,
  ) {}

  @Post('sign-in-codes')
  @Needs('chat')
  onCode(@TheCaller() caller: Caller): Promise<SignInCode> {
    return this.codes.make(caller, new Date());
  }

  @Post('sign-in')
  @Needs('no-key')
  async onSignIn(
    @Req() request: Request,
    @Body(new Parse(SignInRequest)) { code }: z.output<typeof SignInRequest>,
  ): Promise<SignedIn> {
    try {
      return await this.codes.redeem(code, new Date());
    } catch (error) {
      if (toAppError(error).code === 'unauthorized')
        await this.entrance.countFailure(this.entrance.addressOf(request));
      throw error;
    }
  }

  /** Signs out: the browser's own key ends. One that a person made stays, whoever pastes it. */
  @Delete('session')
  @HttpCode(204)
  @Needs('any-key')
  async onSignOut(@TheCaller() caller: Caller): Promise<void> {
    if (!caller.isSession)
      throw new AppError('conflict', 'this key is not a browser’s session; kith keys revoke ends it');
    await this.keys.revoke(caller.keyId, new Date());
  }
}
