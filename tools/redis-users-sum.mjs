import { createHash } from 'node:crypto';
import { redisUsersFile } from '@kith/embedded';

/**
 * Sum of Redis' users, which stands in docker-compose.yml: Compose makes a container anew when its definition changes, but
 * not when a file does that is mounted into it.
 */
export function redisUsersSum() {
  // Twelve digits: enough that no two versions meet.
  return createHash('sha256').update(redisUsersFile()).digest('hex').slice(0, 12);
}

/** Place of that sum in docker-compose.yml. */
export const SUM_IN_COMPOSE = /(?<=^ {4}labels: \{ kith\.redis-users: ')\w*/m;
