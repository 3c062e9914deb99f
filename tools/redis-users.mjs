// Writes redis/users.conf, Redis' users for Compose; check-compose holds it to its source.   usage: node tools/redis-users.mjs
import { writeFileSync } from 'node:fs';
import { redisUsersFile } from '@kith/embedded';

writeFileSync(new URL('../redis/users.conf', import.meta.url), redisUsersFile());
