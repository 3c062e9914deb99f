import { AppError } from '@kith/contracts';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { bearerKey, type Entrance } from '../entrance/entrance.js';
import type { RateLimit } from '../entrance/rate-limit.js';
import { countedAs, requireScope } from '../people/caller.js';
import { routeOf, type RouteRequest } from './serve-routes.js';

export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly entrance: Entrance,
    private readonly limit: RateLimit,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const route = routeOf(context.getHandler());
    // A health probe of the service host. A test makes sure that every other method serves a declared route.
    if (!route) return true;
    const { scope } = route;
    const request = context.switchToHttp().getRequest<RouteRequest>();
    const address = this.entrance.addressOf(request);
    await this.entrance.admit(address);
    const key = bearerKey(request.header('authorization'));
    if (!key) {
      if (scope === 'no-key') return true;
      throw new AppError('unauthorized', 'send an API key as "Authorization: Bearer kth_…"');
    }
    const findCaller = () => this.entrance.callerOf(key, address);
    const caller = await findCaller();
    await this.limit.take(countedAs(caller));
    Object.assign(request, { caller, checkKey: findCaller });
    if (scope !== 'any-key' && scope !== 'no-key') requireScope(caller, scope);
    return true;
  }
}
