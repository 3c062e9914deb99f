export { bundleOf } from './bundled-programs.js';
export { freePort } from './free-port.js';
export { startPostgres, type RunningPostgres } from './start-postgres.js';
export { redisPasswordVariable, redisUser, redisUsersFile } from './redis-users.js';
export { startRedis, type RunningRedis } from './start-redis.js';
export { endOrphans } from './process-records.js';
export { placementOf, SERVICES, type Placement, type ServiceName } from './services.js';
export { Stack } from './stack.js';
