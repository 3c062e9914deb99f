// Does docker-compose.yml hand every service the settings it reads, and no others? Has Redis the users it should?
// Is no folder of an operator's made where it is missing?
// Prints what is wrong and ends with 1. Needs the services built: node tools/check-compose.mjs
import { readFileSync } from 'node:fs';
import { redisUsersFile } from '@kith/embedded';
import { redisUsersSum, SUM_IN_COMPOSE } from './redis-users.mjs';
import { serviceSettings } from './service-settings.mjs';

// Fixed inside a container: addresses and ports, the store's own prefix, the console that is in the image, the folder
// of encoders that is mounted.
const FIXED = /^(HTTP_HOST|\w+_PORT|REDIS_KEY_PREFIX|CONSOLE_DIRECTORY|EMBEDDING_MODELS_DIR)$/;
// Read by the image rather than by a service.
const OF_THE_IMAGE = ['SERVICE', 'HEALTH_PORT'];

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const compose = read('docker-compose.yml');
const blockOf = (head, text = compose) =>
  new RegExp(`^${head}.*\\n((?:[ ]{${head.search(/\S/) + 2},}.*\\n|\\n)*)`, 'm').exec(text)?.[1] ?? '';
const shared = new Map(['messaging', 'database', 'models'].map((name) => [name, blockOf(`x-${name}:`)]));

const problems = [];
for (const [service, settings] of Object.entries(await serviceSettings())) {
  const own = blockOf('    environment:', blockOf(`  ${service}:`));
  const merged = [...shared].filter(([name]) => own.includes(`*${name}`)).map(([, block]) => block);
  const given = [own, ...merged].flatMap((text) =>
    [...text.matchAll(/^\s+([A-Z][A-Z0-9_]*):/gm)].map(([, variable]) => variable),
  );
  const declared = settings.map(({ variable }) => variable);
  for (const variable of declared) {
    if (!FIXED.test(variable) && !given.includes(variable))
      problems.push(`${service}: ${variable} is not passed on`);
  }
  for (const variable of given) {
    if (!declared.includes(variable) && !OF_THE_IMAGE.includes(variable))
      problems.push(`${service}: is given ${variable}, which it does not read`);
  }
}
for (const [mount] of compose.matchAll(/\$\{[^}]*\}:\/\S*/g)) {
  problems.push(`${mount} in short form: the engine makes an empty folder where it is missing (*own-folder)`);
}
if (read('redis/users.conf') !== redisUsersFile() || SUM_IN_COMPOSE.exec(compose)?.[0] !== redisUsersSum()) {
  problems.push(
    'redis/users.conf, or its sum in docker-compose.yml, is not what libs/embedded/src/settings/redis-users.ts says: node tools/redis-users.mjs',
  );
}
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);
