import 'reflect-metadata';
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

export type AnyContract = RequestContract | EventContract | JobContract;

/** Handler of a contract. A job's is told of its run, too. */
export type Handler<C> = C extends RequestContract
  ? (request: RequestOutput<C>) => ResponseInput<C> | Promise<ResponseInput<C>>
  : C extends JobContract
    ? (payload: PayloadOutput<C>, run: JobRun) => void | Promise<void>
    : C extends EventContract
      ? (payload: PayloadOutput<C>) => void | Promise<void>
      : never;

const CONTRACT = Symbol('kith.contract');

/** Hands a handler's error to `StreamsServer` as it was thrown; Nest's own filter would blot out its code. */
@Catch()
class KeepError implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Makes a controller's method handle a contract: it gets the parsed payload.
 * - What answers a request is parsed by the contract, too, so nothing the contract does not name leaves the service.
 * - What hears an event bears repeats: delivery is at least once and in no sure order. When it throws it is tried again,
 *   and at last the event becomes a dead letter.
 * - What carries out a job bears repeats. When it throws, the job is tried again as its contract says; an `AppError`
 *   whose code is not worth a retry ends it at once.
 */
export function Handles<C extends AnyContract>(contract: C) {
  const { kind, pattern }: AnyContract = contract;
  return <M extends Handler<C>>(
    target: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<M>,
  ): void => {
    const method = descriptor.value as (...args: unknown[]) => unknown;
    const bound = async function (this: unknown, given: unknown, run: unknown) {
      const schema = contract.kind === 'request' ? contract.request : contract.payload;
      try {
        const payload = parsedOnce(schema, given, `the ${kind} ${pattern}`);
        const answer = await method.call(this, payload, kind === 'job' ? run : undefined);
        if (contract.kind !== 'request') return;
        return parseOrThrow(contract.response, answer, 'internal', `the answer to ${pattern}`);
      } catch (error) {
        // Heard too late: of somebody who was erased nothing is to be noted.
        if (kind !== 'event' || !isErased(error)) throw error;
      }
    };
    Object.defineProperty(bound, 'name', { value: method.name });
    Reflect.defineMetadata(CONTRACT, contract, bound);
    descriptor.value = bound as unknown as M;
    if (kind === 'job') return;
    const listens = (kind === 'request' ? MessagePattern : EventPattern)(pattern, STREAMS_TRANSPORT);
    (listens as MethodDecorator)(target, name, descriptor);
    UseFilters(KeepError)(target, name, descriptor);
  };
}

/** The methods of a class, inherited ones too, that are bound to a contract. */
export function boundMethods(type: {
  readonly prototype: object;
}): { readonly method: string; readonly contract: AnyContract }[] {
  const found = new Map<string, AnyContract>();
  for (
    let proto: object | null = type.prototype;
    proto && proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto) as object | null
  ) {
    for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (typeof value !== 'function' || found.has(method)) continue;
      const contract = Reflect.getMetadata(CONTRACT, value as object) as AnyContract | undefined;
      if (contract) found.set(method, contract);
    }
  }
  return [...found].map(([method, contract]) => ({ method, contract }));
}
