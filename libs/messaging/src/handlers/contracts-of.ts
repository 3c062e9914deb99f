import { type AnyContract, boundMethods } from './handles.js';

type ControllerClass = abstract new (...args: never[]) => object;

/** The patterns a service's controllers answer, hear and work, each as often as it is bound. */
export function contractsOf(controllers: readonly ControllerClass[]): {
  answers: string[];
  hears: string[];
  works: string[];
} {
  const contracts = controllers.flatMap((controller) =>
    boundMethods(controller).map(({ contract }) => contract),
  );
  const patterns = (kind: AnyContract['kind']) =>
    contracts.filter((contract) => contract.kind === kind).map(({ pattern }) => pattern);
  return { answers: patterns('request'), hears: patterns('event'), works: patterns('job') };
}

/**
 * Throws unless each request and job of a service's own contract has exactly one handler among its
 * controllers, and they handle nobody else's. Events are free: any service may hear them, or none.
 */
export function assertOneHandler(
  contract: Readonly<Record<string, AnyContract>>,
  controllers: readonly ControllerClass[],
): void {
  const owned = Object.values(contract).filter(({ kind }) => kind !== 'event');
  const { answers, works } = contractsOf(controllers);
  const handled = [...answers, ...works];
  const problems = owned.flatMap(({ pattern }) => {
    const times = handled.filter((one) => one === pattern).length;
    return times === 1 ? [] : [`${pattern} has ${times === 0 ? 'no handler' : `${times} handlers`}`];
  });
  const ownPatterns = new Set(owned.map(({ pattern }) => pattern));
  for (const pattern of new Set(handled)) {
    if (!ownPatterns.has(pattern)) problems.push(`${pattern} is not this service's to handle`);
  }
  if (problems.length > 0) throw new Error(problems.join('; '));
}
