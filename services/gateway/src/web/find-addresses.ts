import { lookup, Resolver } from 'node:dns/promises';

/** Time for one try: name servers answer within a second, or are far away. */
const TRY_MS = 2_000;
/** An answer may be lost once. */
const TRIES = 2;

/**
 * Finds the addresses of a name that a stranger gave, whose name server may never answer. The system's own look-up would
 * hold a thread for that, of which the process has four for everybody's connections: so DNS is asked from here, and
 * nothing is waited for once the signal has come. Only an operator's own names are looked up as the system does it, with
 * its hosts file.
 * @param isTrusted the operator's own
 * @param servers name servers; the system's by default
 * @throws an error of DNS where the name is unknown or nobody answers
 */
export async function findAddresses(
  name: string,
  { isTrusted, signal, servers }: { isTrusted: boolean; signal: AbortSignal; servers?: readonly string[] },
): Promise<readonly string[]> {
  if (isTrusted) return (await lookup(name, { all: true })).map(({ address }) => address);
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const cancel = () => {
    resolver.cancel();
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
