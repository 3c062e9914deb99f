// Fails when package-lock.json misses a platform's binary package: `npm ci` would then stop on some machines.
import { readFileSync } from 'node:fs';

const packages = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()));
let incomplete = 0;
for (const [path, entry] of Object.entries(packages)) {
  const missing = Object.keys(entry.optionalDependencies ?? {}).filter((name) => !names.has(name));
  if (missing.length === 0) continue;
  incomplete += 1;
  console.error(
    `${path || 'root'}@${entry.version}: ${missing.length} missing: ${missing.slice(0, 4).join(' ')}`,
  );
}
const addressed = Object.entries(packages).filter(
  ([, entry]) => 'resolved' in entry && /^https?:/.test(entry.resolved),
);
if (addressed.length > 0) {
  incomplete += 1;
  console.error(
    `${addressed.length} entries name a registry host, first ${addressed[0][0]}: keep omit-lockfile-registry-resolved on`,
  );
}
process.exit(incomplete ? 1 : 0);
