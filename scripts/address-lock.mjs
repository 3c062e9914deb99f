// Writes npm-shrinkwrap.json, which npm reads in place of package-lock.json: the lock with the addresses of packages at this
// machine's registry, which the lock leaves out. Without them npm asks for the list of each package's versions first, half of its
// work. Writes nothing where the registry keeps packages elsewhere, or can't be asked without a proxy or a key.
//   npm config list --json | node scripts/address-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs';

const settings = JSON.parse(readFileSync(0, 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
/** Milliseconds that a registry has to answer: npm asks it by itself then. */
const ANSWER_MS = 5_000;

const registries = new Map();
for (const [place, entry] of Object.entries(lock.packages)) {
  if (!entry.integrity) continue; // a package of our own
  const name = entry.name ?? place.split('node_modules/').pop();
  const [scope, base = scope] = name.split('/');
  const registry = (settings[`${scope}:registry`] ?? settings.registry).replace(/\/$/, '');
  entry.resolved = `${registry}/${name}/-/${base}-${entry.version}.tgz`;
  registries.set(registry, [...(registries.get(registry) ?? []), entry]);
}
for (const entries of registries.values()) {
  const asked = fetch(entries[0].resolved, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS) });
  if (await asked.then(({ ok }) => ok).catch(() => false)) continue;
  for (const entry of entries) delete entry.resolved;
}
if (Object.values(lock.packages).some((entry) => entry.integrity && entry.resolved))
  writeFileSync('npm-shrinkwrap.json', JSON.stringify(lock));
