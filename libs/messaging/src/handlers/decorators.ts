import type {
  EventContract,
  JobContract,
  PayloadOutput,
  RequestContract,
  RequestOutput,
  ResponseInput,
} from '@kith/contracts';
import { isErased } from '@kith/contracts';
import { Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { EventPattern, MessagePattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import type { JobRun } from '../jobs/job-runner.js';
import { STREAMS_TRANSPORT } from '../streams/streams-server.js';
import { parseOrThrow } from '../wire-errors.js';
import { parsedOnce } from '../local/parsed.js';
import { bindContract } from './bound-contract.js';

/** Hands a handler's error to `StreamsServer` as it was thrown; Nest's own filter would blot out its code. */
@Catch()
class KeepError implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/** Replaces a method by one that parses what comes in and, for a request, what goes out, and is bound to its contract. */
function wrap<M>(
  descriptor: TypedPropertyDescriptor<M>,
  contract: Parameters<typeof bindContract>[1],
  around: (call: (payload: unknown, ...rest: unknown[]) => unknown, args: unknown[]) => Promise<unknown>,
): void {
  const method = descriptor.value as (...args: unknown[]) => unknown;
  const bound = async function (this: unknown, ...args: unknown[]) {
    return around((...passed) => method.apply(this, passed), args);
  };
  Object.defineProperty(bound, 'name', { value: method.name });
  bindContract(bound, contract);
  descriptor.value = bound as M;
}

/**
 * Makes a controller's method the one that answers a request. It gets the parsed request; what it returns
 * is parsed by the contract too, so nothing the contract does not name leaves the service.
 */
export function Answers<C extends RequestContract>(contract: C) {
  return <M extends (request: RequestOutput<C>) => ResponseInput<C> | Promise<ResponseInput<C>>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    const { pattern, request, response } = contract;
    wrap(descriptor, contract, async (call, [payload]) => {
      const parsed = parsedOnce(request, payload, `the request ${pattern}`);
      return parseOrThrow(response, await call(parsed), 'internal', `the answer to ${pattern}`);
    });
    MessagePattern(pattern, STREAMS_TRANSPORT)(target, name, descriptor);
    UseFilters(KeepError)(target, name, descriptor);
  };
}

/**
 * Makes a controller's method hear an event. Delivery is at least once and in no sure order, so the method
 * bears repeats; when it throws it is tried again, and at last the event becomes a dead letter.
 */
export function Hears<C extends EventContract>(contract: C) {
  return <M extends (payload: PayloadOutput<C>) => void | Promise<void>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    const { pattern, payload: schema } = contract;
    wrap(descriptor, contract, async (call, [payload]) => {
      try {
        await call(parsedOnce(schema, payload, `the event ${pattern}`));
      } catch (error) {
        // Heard too late: of somebody who was erased nothing is to be noted.
        if (!isErased(error)) throw error;
      }
    });
    (EventPattern(pattern, STREAMS_TRANSPORT) as MethodDecorator)(target, name, descriptor);
    UseFilters(KeepError)(target, name, descriptor);
  };
}

/**
 * Makes a controller's method carry out a job. It bears repeats. When it throws, the job is tried again as
 * its contract says; an `AppError` whose code is not worth a retry ends it at once.
 */
export function Works<C extends JobContract>(contract: C) {
  return <M extends (payload: PayloadOutput<C>, run: JobRun) => void | Promise<void>>(
    _target: object,
    _name: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    const { pattern, payload: schema } = contract;
    wrap(descriptor, contract, async (call, [payload, run]) => {
      await call(parsedOnce(schema, payload, `the job ${pattern}`), run);
    });
  };
}
