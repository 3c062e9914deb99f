// Writes redis/users.conf, Redis' users for Compose, and their sum into docker-compose.yml; check-compose holds both to
// their source.   usage: node tools/redis-users.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { redisUsersFile } from '@kith/embedded';
import { redisUsersSum, SUM_IN_COMPOSE } from './redis-users-sum.mjs';

writeFileSync(new URL('../redis/users.conf', import.meta.url), redisUsersFile());
const compose = new URL('../docker-compose.yml', import.meta.url);
writeFileSync(compose, readFileSync(compose, 'utf8').replace(SUM_IN_COMPOSE, redisUsersSum()));
