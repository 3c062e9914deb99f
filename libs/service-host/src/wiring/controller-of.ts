import { Controller, Inject } from '@nestjs/common';
import type { Token } from './provide.js';

/**
 * Makes a Nest controller, without methods as yet, that keeps handlers by the names of its methods.
 * @param key of the parts that the handlers work with
 */
export function controllerOf<Parts>(key: Token<Parts>, handlersOf: (parts: Parts) => object) {
  class Handling {
    readonly handlers: Readonly<Record<string, (...args: unknown[]) => unknown>>;
    // Of any type, as a test of a controller has only the parts that its handlers use.
    constructor(parts: unknown) {
      this.handlers = handlersOf(parts as Parts) as typeof this.handlers;
    }
  }
  Controller()(Handling);
  Inject(key)(Handling, undefined, 0);
  return Handling;
}
