// Writes redis/users.conf, Redis' users for Compose, and their sum into docker-compose.yml; check-compose holds both to
// their source.   usage: node tools/redis-users.mjs
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { redisUsersFile } from '@kith/embedded';

/**
 * Sum of Redis' users, which stands in docker-compose.yml: Compose makes a container anew when its definition changes, but
 * not when a file does that is mounted into it.
 */
export function redisUsersSum() {
  // Twelve digits: enough that no two versions meet.
  return hash('sha256', redisUsersFile()).slice(0, 12);
}

/** Place of that sum in docker-compose.yml. */
export const SUM_IN_COMPOSE = /(?<=^ {4}labels: \{ kith\.redis-users: ')\w*/m;

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('../redis/users.conf', import.meta.url), redisUsersFile());
  const compose = new URL('../docker-compose.yml', import.meta.url);
  writeFileSync(compose, readFileSync(compose, 'utf8').replace(SUM_IN_COMPOSE, redisUsersSum()));
}
