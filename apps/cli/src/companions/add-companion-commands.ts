import { Option, type Command } from '@commander-js/extra-typings';
import { takeLore } from '@kith/characters';
import { CharacterFormat, companionRoutes, personaRoutes } from '@kith/contracts';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { FORCE_FLAG, positive } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { minuteOf, percent } from '../terminal/value-words.js';
import { addMoodCommands } from './add-mood-commands.js';
import { exportCharacter, importCharacter } from './characters.js';
import { findCompanion, readPersonaFile } from './find-companion.js';
import { bar, showMood } from './mood.js';
import { replayCompanion } from './replay.js';

/** Adds the commands for companions, their personas and their moods. */
export function addCompanionCommands(program: Command, context: CommandContext, fail: () => void) {
  const { api, terminal } = context;
  const companion = addCommand(program, 'companion', 'show companions, and change who they are').alias(
    'companions',
  );
  addJsonCommand(companion, 'list', 'list all; the default one is marked', { isDefault: true }).action(
    async ({ json }) => {
      const list = await api.call(companionRoutes.list);
      if (json) return terminal.json(list);
      terminal.table(list.companions, [
        { header: 'id', value: ({ id }) => (id === list.defaultCompanion ? `${id} *` : id) },
        { header: 'name', value: ({ name }) => name },
        { header: 'version', value: ({ version }) => String(version), align: 'right' },
        { header: '', value: ({ pausedSince }) => (pausedSince ? 'paused' : '') },
        { header: '', value: ({ tagline }) => tagline, flexible: true },
      ]);
    },
  );
  addJsonCommand(companion, 'show [id]', 'show traits, mood, needs, habits and diary of one')
    .option('--persona', 'its persona as a file holds it; needs a key with the scope companions')
    .option('--version <n>', 'an earlier version of its persona', positive)
    .action(async (wanted, { persona, version, json }) => {
      const { id } = await findCompanion({ api }, wanted);
      if (!persona && version === undefined) return showCompanion(context, id, json);
      const shown = await api.call(personaRoutes.show, { params: { id }, query: { version } });
      terminal.json(shown.persona);
    });
  addCommand(
    companion,
    'edit <id> <file>',
    'put a persona in force, until its file changes; needs the scope companions; - is the standard input',
  )
    .option('--based-on <n>', 'version that it was made from: refused where another is in force', positive)
    .action(async (id, file, { basedOn }) => {
      const { persona: body, lore } = takeLore(await readPersonaFile(file, terminal));
      const input = { params: { id }, query: { basedOn }, body };
      const { name, version } = await api.call(personaRoutes.edit, input);
      terminal.line(`${name} is version ${version} now, until its file changes`);
      if (lore !== undefined)
        terminal.note(
          `the lore in ${file} is left out, and the lore it has stays: kith companion import --replace takes both`,
        );
    });
  addJsonCommand(
    companion,
    'import <file>',
    'bring a character in: a Tavern card (JSON or PNG), a file of ElizaOS or Letta, or a persona; scope companions',
  )
    .option('--id <name>', 'under this id; by its name otherwise')
    .option('--replace', 'a companion of that id becomes this one, as a new version')
    .option('--dry-run', 'show what the file holds, and change nothing')
    .action((file, options) => importCharacter(context, file, options));
  addCommand(
    companion,
    'export <id> <file>',
    'write a companion and its lore to a file; needs the scope companions; - is the standard output',
  )
    .addOption(
      new Option('--format <format>', 'kith without it, tavern-v3 with --png').choices(
        CharacterFormat.options,
      ),
    )
    .option('--png <picture>', 'put the card into this picture')
    .option(...FORCE_FLAG)
    .action((id, file, options) => exportCharacter(context, id, file, options));
  for (const [verb, paused, description] of [
    ['pause', true, 'have it answer nobody and write to nobody; needs the scope companions'],
    ['resume', false, 'have a paused companion answer again; needs the scope companions'],
  ] as const)
    addCommand(companion, `${verb} <id>`, description).action(async (id) => {
      const { name } = await api.call(personaRoutes.pause, { params: { id }, body: { paused } });
      terminal.line(
        paused
          ? `${name} is paused: it reads what it is told, answers nobody and writes to nobody; kith companion resume ${id} ends that`
          : `${name} answers again`,
      );
    });
  addCommand(
    companion,
    'retire <id>',
    'take a companion that was imported out of service; needs the scope companions',
  ).action(async (id) => {
    const { retired } = await api.call(personaRoutes.retire, { params: { id } });
    terminal.line(
      `${retired} is out of service; what it keeps stays, and an import under this id takes it up again`,
    );
  });
  addJsonCommand(
    companion,
    'history [id]',
    'list the versions of its persona; needs the scope companions',
  ).action(async (wanted, { json }) => {
    const { id } = await findCompanion({ api }, wanted);
    const { versions } = await api.call(personaRoutes.versions, { params: { id } });
    if (json) return terminal.json(versions);
    terminal.table(versions, [
      { header: 'version', value: ({ version, inForce }) => `${version}${inForce ? ' *' : ''}` },
      { header: 'since', value: ({ at }) => minuteOf(at) },
      { header: 'from', value: ({ origin }) => origin },
    ]);
  });
  addCommand(companion, 'rollback <id>', 'put an earlier version in force again; needs the scope companions')
    .argument('<version>', 'which one; kith companion history shows them', positive)
    .action(async (id, version) => {
      const now = await api.call(personaRoutes.rollBack, { params: { id }, body: { version } });
      terminal.line(`${now.name} is version ${now.version} now, which is version ${version} again`);
      if (now.leavesLore) terminal.note(`its lore stays as it is: kith lore list --companion ${id}`);
    });
  addJsonCommand(
    companion,
    'replay [id]',
    'feel past days again: proves the log, or shows what a persona would have made of them; scope admin',
  )
    .option('--from <day>', 'since, such as 2027-01-24 where it lives; a week before the end otherwise')
    .option('--to <day>', 'until that day begins, or a time; now otherwise')
    .option('--persona <file>', 'with this persona; both courses side by side')
    .action(async (id, options) => {
      if (!(await replayCompanion(context, id, options))) fail();
    });
  addMoodCommands(program, context);
}

/** Prints a companion: who it is, its mood, needs and habits, and its last days. */
async function showCompanion(context: CommandContext, id: string, asJson = false): Promise<void> {
  const { api, terminal } = context;
  const params = { id };
  const companion = await api.call(companionRoutes.show, { params });
  const { needs } = await api.call(companionRoutes.needs, { params });
  const { quirks } = await api.call(companionRoutes.quirks, { params });
  const { entries } = await api.call(companionRoutes.diary, { params, query: { limit: 3 } });
  if (asJson) return terminal.json({ ...companion, needs, quirks, diary: entries });
  const { name, version, tagline, pausedSince, timeZone, traits } = companion;
  terminal.line(`${name}, version ${version}: ${tagline}`);
  if (pausedSince)
    terminal.line(`paused since ${minuteOf(pausedSince)} (UTC): it answers nobody and writes to nobody`);
  terminal.line(`time zone ${timeZone}`);
  for (const [trait, value] of Object.entries(traits))
    terminal.line(`  ${trait.padEnd(18)}${bar(2 * value - 1)}`);
  await showMood(context, companion, false);
  terminal.line('needs, most urgent first');
  for (const { need, level, urgency } of needs)
    terminal.line(`  ${need.padEnd(12)}${percent(level).padStart(4)} unmet, urgency ${percent(urgency)}`);
  if (quirks.length > 0) terminal.line('habits');
  for (const { kind, text, strength, origin, sources } of quirks) {
    const where = sources.length > 0 ? ` in ${sources.join(', ')}` : '';
    const behind = origin === 'persona' ? 'its own' : `picked up${where}`;
    terminal.line(`  ${kind === 'speech' ? `“${text}”` : text}  ${percent(strength)}, ${behind}`);
  }
  for (const { day, text } of entries) terminal.line(`${day}  ${text}`);
}
