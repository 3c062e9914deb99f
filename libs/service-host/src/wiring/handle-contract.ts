import { present, type EventContract } from '@kith/contracts';
import { Handles, type AnyContract, type Handler } from '@kith/messaging';
import { controllerOf } from './controller-of.js';
import type { Token } from './provide.js';

type Contracts = Readonly<Record<string, AnyContract>>;

/** Handlers by the names of their contracts: of each request and job of a service's own, and of the events it hears. */
type Handlers<Own, Events> = {
  readonly [Name in HandledName<Own> | keyof Events]: Handler<(Own & Events)[Name]>;
};
type HandledName<Own> = { [Name in keyof Own]: Own[Name] extends EventContract ? never : Name }[keyof Own];

/**
 * Makes the controller of a service, which answers the requests, carries out the jobs and hears the events as `Handles`
 * says.
 * @param own contract of the service: its events are announced, not handled
 * @param heard events, its own or those of other services
 * @param key of the parts that the handlers work with
 */
export function handleContract<
  Own extends Contracts,
  Events extends Readonly<Record<string, EventContract>>,
  Parts,
>(own: Own, heard: Events, key: Token<Parts>, handlersOf: (parts: Parts) => Handlers<Own, Events>) {
  const Handling = controllerOf(key, handlersOf);
  const contracts: Contracts = { ...own, ...heard };
  for (const [name, contract] of Object.entries(contracts)) {
    if (contract.kind === 'event' && !(name in heard)) continue;
    const descriptor = {
      value(this: InstanceType<typeof Handling>, ...args: unknown[]) {
        return present(this.handlers[name])(...args);
      },
    };
    (Handles(contract) as MethodDecorator)(Handling.prototype, name, descriptor);
    Object.defineProperty(Handling.prototype, name, descriptor);
  }
  return Handling;
}
