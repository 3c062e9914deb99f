import { Controller, Inject } from '@nestjs/common';
import { makeFrom, type Keys, type MadeFrom, type NamedKeys } from './provide.js';

/**
 * Makes a Nest controller, without methods as yet, that keeps handlers by the names of its methods.
 * @param from keys of the parts that the handlers work with, as `provide` takes them
 */
export function controllerOf<const From extends Keys | NamedKeys>(
  from: From,
  handlersOf: (...parts: MadeFrom<From>) => object,
) {
  class Handling {
    readonly handlers: Readonly<Record<string, (...args: unknown[]) => unknown>>;
    constructor(...parts: unknown[]) {
      this.handlers = makeFrom(from, handlersOf)(...parts) as typeof this.handlers;
    }
  }
  Controller()(Handling);
  for (const [at, key] of Object.values(from).entries()) Inject(key)(Handling, undefined, at);
  return Handling;
}
