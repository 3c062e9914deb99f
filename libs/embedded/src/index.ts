export { bundleOf } from './bundled-programs.js';
export { freePort } from './processes/free-port.js';
export { startPostgres, type RunningPostgres } from './stores/start-postgres.js';
export { redisPasswordVariable, redisUser, redisUsersFile } from './settings/redis-users.js';
export { startRedis, type RunningRedis } from './stores/start-redis.js';
export { endOrphans } from './processes/process-records.js';
export { placementOf, SERVICES, type Placement, type ServiceName } from './settings/services.js';
export { Stack } from './stack.js';
