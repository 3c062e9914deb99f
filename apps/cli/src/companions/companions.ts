import { takeLore } from '@kith/characters';
import { companionRoutes, PersonaJson, personaRoutes, type CompanionView } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { readText } from '../input/files.js';
import type { CommandContext } from '../suite/command-context.js';
import { bar, showMood } from './mood.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf, percent } from '../terminal/value-words.js';

/** Prints the companions of this suite; the default one is marked. */
export async function showCompanions({ api, terminal }: CommandContext, asJson: boolean): Promise<void> {
  const list = await api.call(companionRoutes.list);
  if (asJson) return terminal.json(list);
  terminal.table(list.companions, [
    { header: 'id', value: ({ id }) => (id === list.defaultCompanion ? `${id} *` : id) },
    { header: 'name', value: ({ name }) => name },
    { header: 'version', value: ({ version }) => String(version), align: 'right' },
    { header: '', value: ({ pausedSince }) => (pausedSince ? 'paused' : '') },
    { header: '', value: ({ tagline }) => tagline, flexible: true },
  ]);
}

/**
 * The named companion, or the default one.
 * @throws CliError that lists the known companions
 */
export async function findCompanion(
  { api }: Pick<CommandContext, 'api'>,
  wanted: string | undefined,
): Promise<CompanionView> {
  const { companions, defaultCompanion } = await api.call(companionRoutes.list);
  const found = companions.find(({ id }) => id === (wanted ?? defaultCompanion));
  if (found) return found;
  const known = companions.map(({ id }) => id).join(', ') || 'none yet';
  throw new CliError(`there is no companion "${wanted ?? defaultCompanion}": choose one of ${known}`);
}

/** Prints a companion: who it is, its mood, needs and habits, and its last days; or its persona as a file holds it. */
export async function showCompanion(
  context: CommandContext,
  wanted: string | undefined,
  options: { persona?: boolean; version?: number; json?: boolean },
): Promise<void> {
  const { api, terminal } = context;
  const { id } = await findCompanion(context, wanted);
  const params = { id };
  if (options.persona || options.version !== undefined) {
    const query = { version: options.version };
    const { persona } = await api.call(personaRoutes.show, { params, query });
    return terminal.json(persona);
  }
  const companion = await api.call(companionRoutes.show, { params });
  const { needs } = await api.call(companionRoutes.needs, { params });
  const { quirks } = await api.call(companionRoutes.quirks, { params });
  const { entries } = await api.call(companionRoutes.diary, { params, query: { limit: 3 } });
  if (options.json) return terminal.json({ ...companion, needs, quirks, diary: entries });
  terminal.line(`${companion.name}, version ${companion.version}: ${companion.tagline}`);
  if (companion.pausedSince)
    terminal.line(
      `paused since ${minuteOf(companion.pausedSince)} (UTC): it answers nobody and writes to nobody`,
    );
  terminal.line(`time zone ${companion.timeZone}`);
  for (const [trait, value] of Object.entries(companion.traits)) {
    terminal.line(`  ${trait.padEnd(18)}${bar(2 * value - 1)}`);
  }
  await showMood(context, companion, false);
  terminal.line('needs, most urgent first');
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
  basedOn: number | undefined,
): Promise<void> {
  const { persona: body, lore } = takeLore(await readPersonaFile(file, terminal));
  const params = { id: companionId };
  const { name, version } = await api.call(personaRoutes.edit, { params, query: { basedOn }, body });
  terminal.line(`${name} is version ${version} now, until its file changes`);
  if (lore !== undefined)
    terminal.note(
      `the lore in ${file} is left out, and the lore it has stays: kith companion import --replace takes both`,
    );
}

/** Takes a companion without a file out of service. */
export async function retireCompanion({ api, terminal }: CommandContext, companionId: string): Promise<void> {
  const { retired } = await api.call(personaRoutes.retire, { params: { id: companionId } });
  terminal.line(
    `${retired} is out of service; what it keeps stays, and an import under this id takes it up again`,
  );
}

/** Has a companion answer nobody, or everybody again. */
export async function pauseCompanion(
  { api, terminal }: CommandContext,
  companionId: string,
  paused: boolean,
): Promise<void> {
  const { name } = await api.call(personaRoutes.pause, { params: { id: companionId }, body: { paused } });
  terminal.line(
    paused
      ? `${name} is paused: it reads what it is told, answers nobody and writes to nobody; kith companion resume ${companionId} ends that`
      : `${name} answers again`,
  );
}

/** Prints which versions of a persona there were. */
export async function showHistory(
  context: CommandContext,
  wanted: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { api, terminal } = context;
  const { id } = await findCompanion(context, wanted);
  const { versions } = await api.call(personaRoutes.versions, { params: { id } });
  if (json) return terminal.json(versions);
  terminal.table(versions, [
    { header: 'version', value: ({ version, inForce }) => `${version}${inForce ? ' *' : ''}` },
    { header: 'since', value: ({ at }) => minuteOf(at) },
    { header: 'from', value: ({ origin }) => origin },
  ]);
}

/** Puts an earlier version in force again. */
export async function rollBackCompanion(
  { api, terminal }: CommandContext,
  companionId: string,
  version: number,
): Promise<void> {
  const now = await api.call(personaRoutes.rollBack, { params: { id: companionId }, body: { version } });
  terminal.line(`${now.name} is version ${now.version} now, which is version ${version} again`);
  if (now.leavesLore) terminal.note(`its lore stays as it is: kith lore list --companion ${companionId}`);
}

/** Reads a persona file, `-` being the standard input. @throws CliError for one that can't be read, or is not JSON */
export async function readPersonaFile(
  file: string,
  terminal: Terminal,
): Promise<z.output<typeof PersonaJson>> {
  const content = await readText(file, terminal.input);
  try {
    return PersonaJson.parse(JSON.parse(content));
  } catch (cause) {
    throw new CliError(`${file} is not a persona: it has to be a JSON object`, 2, { cause });
  }
}
