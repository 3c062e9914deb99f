import type { Route } from '@kith/contracts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Logger } from 'pino';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { nameSubjects } from '../audit/name-subjects.js';
import type { OperatorActions } from '../audit/operator-actions.js';
import { toAppError } from '../entrance/problem-details.js';
import { routeOf, type RouteRequest } from './serve-routes.js';

/** Scopes of routes that are for operators alone. */
const OPERATORS: ReadonlySet<Route['scope']> = new Set(['admin', 'audit', 'thoughts', 'companions']);

/**
 * Writes down what operators do and look at: each call of a route that needs an operator's scope, or that shows an
 * operator more than others. The answer waits until it is stored.
 */
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly actions: Pick<OperatorActions, 'add'>,
    private readonly logger: Logger,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const route = context.getType() === 'http' ? routeOf(context.getHandler()) : undefined;
    if (!route) return next.handle();
    const request = context.switchToHttp().getRequest<RouteRequest>();
    const { caller } = request;
    const isOperators = OPERATORS.has(route.scope);
    const showsMore = route.showsOperatorsMore && caller?.scopes.includes('admin');
    if (!caller || (!isOperators && !showsMore)) return next.handle();
    const write = async (outcome: string) => {
      const action = {
        caller,
        action: `${route.method} ${route.path}`,
        subjects: { ...nameSubjects(request.params, request.query), ...request.subjects },
        outcome,
      };
      try {
        await this.actions.add(action);
      } catch (error) {
        // The action was carried out, and only the process's log records it.
        this.logger.error(
          { ...action, caller: caller.keyId, err: error },
          'an operator’s action could not be stored',
        );
      }
    };
    try {
      const answer: unknown = await lastValueFrom(next.handle());
      await write('ok');
      return of(answer);
    } catch (error) {
      await write(toAppError(error).code);
      throw error;
    }
  }
}
