import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { explainIssue } from '@kith/contracts';
import { z } from 'zod';
import { firstLineOf, HookList } from './hook-list.js';
import { HOOK_RETURNS, type Hook, type HookFunction, type HookPoint } from './hook.js';
import { UnusableSettings } from '../errors/unusable-settings.js';

/** Time of a hook that declares none: twenty times what a rule in the process needs. */
const USUAL_MS = 1_000;
/** Longest time that a hook may declare: somebody waits for the turn. */
const MAX_MS = 10_000;

const HookFile = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/, 'small letters, digits and hyphens, 40 at most'),
  order: z.number(),
  onFailure: z.enum(['open', 'closed']),
  timeoutMs: z.int().min(1).max(MAX_MS).default(USUAL_MS),
  ...(Object.fromEntries(
    Object.keys(HOOK_RETURNS).map((point) => [
      point,
      z.custom<HookFunction>((value) => typeof value === 'function', 'a function').optional(),
    ]),
  ) as Record<HookPoint, z.ZodOptional<z.ZodCustom<HookFunction>>>),
});

/**
 * Loads the hooks of a folder: each `.mjs` file of it. An empty name is no folder, and no hooks.
 * @param logger hears of each hook that fails
 * @param wrong problems of other settings, which are told along: whoever mends one mends all
 * @throws Error named `SettingsError`, with one line for each file that is broken and for each other problem
 */
export async function loadHooks(
  directory: string | undefined,
  logger?: { warn(fields: object, message: string): void },
  wrong: readonly string[] = [],
): Promise<HookList> {
  const { hooks, problems } = directory ? await readFolder(directory) : { hooks: [], problems: [] };
  const all = [...problems, ...wrong];
  if (all.length > 0) throw new UnusableSettings(all.join('\n'));
  return new HookList(hooks, (run, problem) => logger?.warn({ ...run, problem }, 'a hook failed'));
}

async function readFolder(directory: string): Promise<{ hooks: Hook[]; problems: string[] }> {
  const hooks: Hook[] = [];
  const problems: string[] = [];
  const names = await readdir(directory).catch((error: unknown) => {
    problems.push(`HOOKS_DIR: the folder ${directory} can not be read: ${firstLineOf(error)}`);
    return [];
  });
  for (const file of names.filter((name) => name.endsWith('.mjs')).toSorted()) {
    try {
      const hook = await loadHook(path.resolve(directory, file));
      const twin = hooks.some(({ name }) => name === hook.name);
      if (twin) problems.push(`HOOKS_DIR: ${file}: name: another file has the name ${hook.name}`);
      else hooks.push(hook);
    } catch (error) {
      problems.push(`HOOKS_DIR: ${file}: ${firstLineOf(error)}`);
    }
  }
  return { hooks, problems };
}

async function loadHook(file: string): Promise<Hook> {
  const { default: given } = (await import(pathToFileURL(file).href)) as { default?: unknown };
  if (typeof given !== 'object' || given === null)
    throw new Error('exports no hook: write export default { … }');
  const { data, error } = HookFile.safeParse(given);
  if (!data) {
    const [first] = error.issues.map((issue) => [...issue.path, explainIssue(issue)].join(': '));
    throw new Error(first);
  }
  if (!(Object.keys(HOOK_RETURNS) as HookPoint[]).some((point) => data[point])) {
    throw new Error(`has no function; it may have ${Object.keys(HOOK_RETURNS).join(', ')}`);
  }
  return data as Hook;
}
