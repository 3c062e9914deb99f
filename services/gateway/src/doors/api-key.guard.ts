import { AppError, type ApiScope } from '@kith/contracts';
import {
  createParamDecorator,
  SetMetadata,
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Caller } from '../people/api-keys.js';
import { requireScope } from './chat.service.js';
import type { Entrance } from './entrance.js';
import type { RateLimit } from './rate-limit.js';

export const SCOPE = 'kith:scope';
export type WithCaller = Request & {
  caller?: Caller;
  /** Ids of what it was about, for the audit log, where its path does not tell. */
  subjects?: Readonly<Record<string, string>>;
};

/** What a route asks of the caller's key: a scope, any valid key, or none. Every route says it. */
export function Needs(scope: ApiScope | 'any-key' | 'no-key'): CustomDecorator {
  return SetMetadata(SCOPE, scope);
}

/** The caller, as the guard found it. */
export const TheCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<WithCaller>();
  if (!caller) throw new AppError('internal', 'a route asked for its caller without a guard');
  return caller;
});

/** The key of a request, or null. */
export function bearerKey(authorization: string | undefined): string | null {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

export class ApiKeyGuard implements CanActivate {
  readonly #reflector = new Reflector();

  constructor(
    private readonly entrance: Entrance,
    private readonly limit: RateLimit,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const scope = this.#reflector.get<ApiScope | 'any-key' | 'no-key' | undefined>(
      SCOPE,
      context.getHandler(),
    );
    // A route that does not say is a probe of the host's; ours are held to it by a test.
    if (scope === undefined) return true;
    const request = context.switchToHttp().getRequest<WithCaller>();
    const address = this.entrance.addressOf(request);
    await this.entrance.admit(address);
    const key = bearerKey(request.header('authorization'));
    if (!key) {
      if (scope === 'no-key') return true;
      throw new AppError('unauthorized', 'send an API key as "Authorization: Bearer kth_…"');
    }
    const caller = await this.entrance.callerOf(key, address);
    await this.limit.take(caller.keyId);
    request.caller = caller;
    if (scope !== 'any-key' && scope !== 'no-key') requireScope(caller, scope);
    return true;
  }
}
