import {
  CompanionList,
  CompanionView,
  Diary,
  NeedList,
  PersonaHistory,
  PersonaJson,
  PersonaVersion,
  QuirkList,
} from '@kith/contracts';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { z } from 'zod';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import { bar, showMood } from './mood.js';
import type { Terminal } from './terminal/terminal.js';

/** Prints the companions of this suite; the default one is marked. */
export async function showCompanions({ api, terminal }: CommandContext, asJson: boolean): Promise<void> {
  const list = await api.get('/v1/companions', CompanionList);
  if (asJson) return terminal.json(list);
  terminal.table(list.companions, [
    { header: 'id', value: ({ id }) => (id === list.defaultCompanion ? `${id} *` : id) },
    { header: 'name', value: ({ name }) => name },
    { header: 'version', value: ({ version }) => String(version), align: 'right' },
    { header: '', value: ({ tagline }) => tagline, flexible: true },
  ]);
}

/**
 * The named companion, or the default one.
 * @throws CliError that lists those there are
 */
export async function findCompanion(
  { api }: CommandContext,
  wanted: string | undefined,
): Promise<CompanionView> {
  const { companions, defaultCompanion } = await api.get('/v1/companions', CompanionList);
  const found = companions.find(({ id }) => id === (wanted ?? defaultCompanion));
  if (found) return found;
  const known = companions.map(({ id }) => id).join(', ') || 'none yet';
  throw new CliError(`there is no companion "${wanted ?? defaultCompanion}": choose one of ${known}`);
}

/** Prints a companion: who it is, its mood, needs and habits, and its last days; or its persona as a file holds it. */
export async function showCompanion(
  context: CommandContext,
  companionId: string,
  options: { persona?: boolean; version?: number; json?: boolean },
): Promise<void> {
  const { api, terminal } = context;
  const path = pathOf(companionId);
  if (options.persona || options.version !== undefined) {
    const { persona } = await api.get(`${path}/persona`, PersonaVersion, { version: options.version });
    return terminal.json(persona);
  }
  const companion = await api.get(path, CompanionView);
  const { needs } = await api.get(`${path}/needs`, NeedList);
  const { quirks } = await api.get(`${path}/quirks`, QuirkList);
  const { entries } = await api.get(`${path}/diary`, Diary, { limit: 3 });
  if (options.json) return terminal.json({ ...companion, needs, quirks, diary: entries });
  terminal.line(`${companion.name}, version ${companion.version}: ${companion.tagline}`);
  terminal.line(`lives by the clock of ${companion.timeZone}`);
  for (const [trait, value] of Object.entries(companion.traits)) {
    terminal.line(`  ${trait.padEnd(18)}${bar(2 * value - 1)}`);
  }
  await showMood(context, companion, false);
  terminal.line('needs, the most urgent first');
  for (const { need, level, urgency } of needs) {
    terminal.line(`  ${need.padEnd(12)}${percent(level).padStart(4)} unmet, urgency ${percent(urgency)}`);
  }
  if (quirks.length > 0) terminal.line('habits');
  for (const { kind, text, strength, origin, sources } of quirks) {
    const behind =
      origin === 'persona' ? 'its own' : `picked up${sources.length > 0 ? ` in ${sources.join(', ')}` : ''}`;
    terminal.line(`  ${kind === 'speech' ? `“${text}”` : text}  ${percent(strength)}, ${behind}`);
  }
  for (const { day, text } of entries) terminal.line(`${day}  ${text}`);
}

/** Puts a persona in force. */
export async function editCompanion(
  { api, terminal }: CommandContext,
  companionId: string,
  file: string,
): Promise<void> {
  const persona = await readPersonaFile(file, terminal);
  const { name, version } = await api.send('PUT', `${pathOf(companionId)}/persona`, persona, CompanionView);
  terminal.line(`${name} is version ${version} now, until its file changes`);
}

/** Prints which versions of a persona there were. */
export async function showHistory(
  { api, terminal }: CommandContext,
  companionId: string,
  asJson: boolean,
): Promise<void> {
  const { versions } = await api.get(`${pathOf(companionId)}/persona/versions`, PersonaHistory);
  if (asJson) return terminal.json(versions);
  terminal.table(versions, [
    { header: 'version', value: ({ version, inForce }) => `${version}${inForce ? ' *' : ''}` },
    { header: 'since', value: ({ at }) => at.slice(0, 16).replace('T', ' ') },
    { header: 'from', value: ({ origin }) => origin },
  ]);
}

/** Puts an earlier version in force again. */
export async function rollBackCompanion(
  { api, terminal }: CommandContext,
  companionId: string,
  version: number,
): Promise<void> {
  const body = { version };
  const now = await api.send('POST', `${pathOf(companionId)}/persona/rollback`, body, CompanionView);
  terminal.line(`${now.name} is version ${now.version} now, which is version ${version} again`);
}

/** Reads a persona file, `-` being the standard input. @throws CliError for one that can't be read, or is no JSON */
export async function readPersonaFile(
  file: string,
  terminal: Terminal,
): Promise<z.output<typeof PersonaJson>> {
  const content = await (file === '-' ? textOf(terminal.input) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      throw new CliError(`${file} can't be read: ${(error as Error).message}`, 2);
    },
  );
  try {
    return PersonaJson.parse(JSON.parse(content));
  } catch (cause) {
    throw new CliError(`${file} is no persona: it has to be a JSON object`, 2, { cause });
  }
}

function pathOf(companionId: string): string {
  return `/v1/companions/${encodeURIComponent(companionId)}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
