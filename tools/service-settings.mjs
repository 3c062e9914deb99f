// Lists which variables each service reads, by its own declaration.   usage: node tools/service-settings.mjs   (JSON)
// Needs the services built. A process of its own for the embedded suite: the declarations bring in whole frameworks.
import { readdirSync } from 'node:fs';
import { listSettings } from '@kith/service-host/settings';

/** The declared settings of each service, by its name. */
export async function serviceSettings() {
  const names = readdirSync(new URL('../services', import.meta.url));
  const entries = names.map(async (name) => {
    const { settings } = await import(`../services/${name}/dist/config.js`);
    return [name, listSettings(settings)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The variables that each service reads, by its name. */
export async function serviceVariables() {
  const variables = Object.entries(await serviceSettings()).map(([name, settings]) => [
    name,
    settings.map(({ variable }) => variable),
  ]);
  return Object.fromEntries(variables);
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await serviceVariables()));
