import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Placement } from '@kith/embedded';
import { DiscordDouble } from '@kith/testing';
import { startSuite } from '../src/suite.ts';

/** Targets of a run. */
export interface FuzzSuite {
  url: string;
  key: string;
  /** The services' own addresses, by name; none of a suite that runs elsewhere. */
  services: ReadonlyMap<string, string>;
  discord: DiscordDouble | null;
  /** Services that ended unasked, and how. */
  deaths: readonly string[];
  /** Reads lines a process wrote past its log: the words it died with. */
  lastWords(): Promise<string[]>;
  /** Finds errors in the services' logs under this correlation id. */
  errorsOf(correlationId: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** Without limits that would keep requests away from what they are meant for. */
const SETTINGS = { RATE_LIMIT_PER_MINUTE: '1000000000', TURN_DEBOUNCE_MS: '50' };

/** The whole suite, offline, in a temporary folder, with a Discord of its own. */
export async function startFuzzSuite(placement: Placement): Promise<FuzzSuite> {
  const discord = await DiscordDouble.start();
  const deaths: string[] = [];
  const suite = await startSuite(
    { ...SETTINGS, DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api },
    {
      placement,
      onProgress: (line) => {
        if (line.includes('is started again')) deaths.push(line);
      },
    },
  );
  const { stack, directory, url, adminKey } = suite;
  const logLines = async () => {
    const logs = stack.processes.map(({ name }) => readFile(join(directory, 'logs', `${name}.log`), 'utf8'));
    return (await Promise.all(logs)).flatMap((log) => log.split('\n'));
  };
  await discord.waitForReady(30_000);
  return {
    url,
    key: adminKey,
    services: new Map([...stack.services].map(([name, { url }]) => [name, url])),
    discord,
    deaths,
    lastWords: async () => (await logLines()).filter((line) => line.trim() !== '' && !line.startsWith('{')),
    errorsOf: async (correlationId) =>
      (await logLines()).filter((line) => line.includes(correlationId) && line.includes('"err"')),
    stop: async () => {
      await suite.stop();
      await discord.stop();
    },
  };
}

/** A suite that runs already: what it can be asked from outside. */
export function aimAt(url: string, key: string): FuzzSuite {
  return {
    url,
    key,
    discord: null,
    deaths: [],
    services: new Map([['gateway', url]]),
    lastWords: async () => [],
    errorsOf: async () => [],
    stop: async () => undefined,
  };
}
