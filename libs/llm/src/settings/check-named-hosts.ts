import { CATALOGUE } from './catalogue.js';
import type { ModelSettings } from './model-settings.js';

/** Finds names in `COMPATIBLE_HOSTS` and `COMPATIBLE_KEYS` that can not be meant. Tells no key. */
export function checkNamedHosts({ compatible: { hosts = {}, keys = {} } }: ModelSettings): string[] {
  const taken = new Set(CATALOGUE.map(({ name }) => name));
  const clashes = Object.keys(hosts).filter((name) => taken.has(name));
  const idle = Object.keys(keys).filter((name) => !Object.hasOwn(hosts, name));
  return [
    ...clashes.map(
      (name) => `COMPATIBLE_HOSTS: "${name}" is the name of a provider; call the host something else`,
    ),
    ...idle.map((name) => `COMPATIBLE_KEYS: "${name}" is no host of COMPATIBLE_HOSTS`),
  ];
}
