import type { ApiScope } from '@kith/contracts';
import {
  RequestMethod,
  SetMetadata,
  type CallHandler,
  type CustomDecorator,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Logger } from 'pino';
import { catchError, concatMap, from, throwError, type Observable } from 'rxjs';
import { nameSubjects } from '../audit/name-subjects.js';
import type { OperatorActions } from '../audit/operator-actions.js';
import { SCOPE, type WithCaller } from './api-key.guard.js';
import { toAppError } from './problem-details.js';

const SHOWS_MORE = 'kith:shows-operators-more';

/** Marks a route for everybody that shows an operator what is other people's. */
export function ShowsOperatorsMore(): CustomDecorator {
  return SetMetadata(SHOWS_MORE, true);
}

/**
 * Writes down what operators do and look at: every route that needs the scope `admin` or `audit`, and those that show
 * an operator more than others. The answer waits for the row.
 */
export class AuditInterceptor implements NestInterceptor {
  readonly #reflector = new Reflector();

  constructor(
    private readonly actions: Pick<OperatorActions, 'add'>,
    private readonly logger: Logger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const handler = context.getHandler();
    const scope = this.#reflector.get<ApiScope | undefined>(SCOPE, handler);
    const request = context.switchToHttp().getRequest<WithCaller>();
    const { caller } = request;
    const showsMore =
      this.#reflector.get<boolean | undefined>(SHOWS_MORE, handler) === true &&
      caller?.scopes.includes('admin');
    const isOperators = scope === 'admin' || scope === 'audit';
    if (!caller || (!isOperators && !showsMore)) return next.handle();
    const write = async (outcome: string) => {
      const action = {
        caller,
        action: routeOf(context),
        subjects: { ...nameSubjects(request.params, request.query), ...request.subjects },
        outcome,
      };
      try {
        await this.actions.add(action);
      } catch (error) {
        // What is done is done: at least the log knows.
        this.logger.error(
          { ...action, caller: caller.keyId, err: error },
          'an operator’s action could not be stored',
        );
      }
    };
    return next.handle().pipe(
      concatMap((answer) => from(write('ok').then(() => answer as unknown))),
      catchError((error: unknown) =>
        from(write(toAppError(error).code)).pipe(concatMap(() => throwError(() => error))),
      ),
    );
  }
}

/** As the API's page writes it, such as `DELETE /v1/people/{id}`. */
function routeOf(context: ExecutionContext): string {
  const handler = context.getHandler();
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
  const base = Reflect.getMetadata(PATH_METADATA, context.getClass()) as string;
  const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
  const whole = `/${base}/${path === '/' ? '' : path}`.replace(/\/$/, '').replaceAll(/:(\w+)/g, '{$1}');
  return `${method} ${whole}`;
}
