import {
  present,
  type EventContract,
  type JobContract,
  type PayloadOutput,
  type RequestContract,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import { Answers, Hears, Works, type JobRun } from '@kith/messaging';
import { controllerOf } from './controller-of.js';
import type { MadeFrom, NamedKeys } from './provide.js';

type AnyContract = RequestContract | JobContract | EventContract;
type Contracts = Readonly<Record<string, AnyContract>>;

type Payload<C> = C extends RequestContract
  ? RequestOutput<C>
  : C extends JobContract | EventContract
    ? PayloadOutput<C>
    : never;
// oxlint-disable-next-line typescript/no-invalid-void-type -- a handler that returns nothing
type Answer<C> = C extends RequestContract ? ResponseInput<C> : void;
type Handler<C> = (
  payload: Payload<C>,
  run: C extends JobContract ? JobRun : undefined,
) => Answer<C> | Promise<Answer<C>>;

/** Handlers by the names of their contracts: of each request and job of a service's own, and of the events it hears. */
type Handlers<Own, Heard> = {
  readonly [Name in HandledName<Own> | keyof Heard]: Handler<(Own & Heard)[Name]>;
};
type HandledName<Own> = { [Name in keyof Own]: Own[Name] extends EventContract ? never : Name }[keyof Own];

/**
 * Makes the controller of a service, which answers the requests, carries out the jobs and hears the events as `Answers`,
 * `Works` and `Hears` say.
 * @param own contract of the service: its events are announced, not handled
 * @param heard events, its own or those of other services
 * @param from keys of the parts that the handlers work with, by name
 */
export function handleContract<
  Own extends Contracts,
  Heard extends Readonly<Record<string, EventContract>>,
  const From extends NamedKeys,
>(own: Own, heard: Heard, from: From, handlersOf: (...parts: MadeFrom<From>) => Handlers<Own, Heard>) {
  const Handling = controllerOf(from, handlersOf);
  const contracts: Contracts = { ...own, ...heard };
  for (const [name, contract] of Object.entries(contracts)) {
    if (contract.kind === 'event' && !(name in heard)) continue;
    const descriptor = {
      value(this: InstanceType<typeof Handling>, ...args: unknown[]) {
        return present(this.handlers[name])(...args);
      },
    };
    decoratorOf(contract)(Handling.prototype, name, descriptor);
    Object.defineProperty(Handling.prototype, name, descriptor);
  }
  return Handling;
}

function decoratorOf(contract: AnyContract): MethodDecorator {
  if (contract.kind === 'request') return Answers(contract) as MethodDecorator;
  return (contract.kind === 'job' ? Works(contract) : Hears(contract)) as MethodDecorator;
}
