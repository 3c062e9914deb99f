import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultProxy } from '@kith/testing';
import { away, type Fault, type FaultContext } from './fault.ts';
import type { FaultSuite } from './fault-suite.ts';

/** Something happens to the way to a store, the model or Discord. */
export function network(
  name: keyof FaultSuite['networks'],
  change: (proxy: FaultProxy, context: FaultContext) => Promise<void>,
  what: string,
  rest: Partial<Fault> = {},
): Fault {
  return {
    name: `${name} ${what}`,
    ...rest,
    async happen(context) {
      await sleep(context.random.between(50, 500));
      await change(context.suite.networks[name], context);
      return true;
    },
  };
}

export const cut = async (proxy: FaultProxy) => proxy.cut();
export const refuse = async (proxy: FaultProxy, context: FaultContext) => {
  await proxy.set('refuse');
  await away(context);
  await proxy.set('open');
};
export const blackHole = async (proxy: FaultProxy, context: FaultContext) => {
  await proxy.set('black-hole');
  await away(context);
  await proxy.set('open');
  proxy.cut(); // what was swallowed is not made up for
};
export const slow = async (proxy: FaultProxy, context: FaultContext) => {
  proxy.delay(context.random.between(200, 1_200));
  await away(context);
  proxy.delay(0);
};
