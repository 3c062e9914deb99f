// Does docker-compose.yml hand every service the settings it has? Prints what is missing and ends with 1.
// Needs the services built: node tools/check-compose.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { listSettings } from '@kith/service-host';

// Fixed inside a container: addresses and ports, the store's own prefix, the console that is in the image.
const FIXED = /^(HTTP_HOST|\w+_PORT|REDIS_KEY_PREFIX|CONSOLE_DIRECTORY)$/;

const compose = readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8');
const blockOf = (head) =>
  new RegExp(`^${head}.*\\n((?:[ ]{${head.search(/\S/) + 2},}.*\\n|\\n)*)`, 'm').exec(compose)?.[1] ?? '';
const shared = new Map(['messaging', 'database', 'models'].map((name) => [name, blockOf(`x-${name}:`)]));

let missing = 0;
for (const service of readdirSync(new URL('../services', import.meta.url))) {
  const { settings } = await import(`../services/${service}/dist/config.js`);
  const own = blockOf(`  ${service}:`);
  const merged = [...shared].filter(([name]) => own.includes(`*${name}`)).map(([, block]) => block);
  const text = [own, ...merged].join('\n');
  for (const { variable } of listSettings(settings)) {
    if (FIXED.test(variable) || new RegExp(`^\\s+${variable}:`, 'm').test(text)) continue;
    console.log(`${service}: ${variable} is not passed on`);
    missing += 1;
  }
}
process.exit(missing === 0 ? 0 : 1);
