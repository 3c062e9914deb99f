import { Option, type Command } from '@commander-js/extra-typings';
import { CharacterFormat } from '@kith/contracts';
import type { CommandContext } from '../suite/command-context.js';
import { exportCharacter, importCharacter } from './characters.js';
import {
  editCompanion,
  findCompanion,
  pauseCompanion,
  retireCompanion,
  rollBackCompanion,
  showCompanion,
  showCompanions,
  showHistory,
} from './companions.js';
import { saveMoodCard, showMood, showWhy } from './mood.js';
import { replayCompanion } from './replay.js';
import { CliError } from '../input/cli-error.js';
import { PIPE } from '../input/files.js';
import { COMPANION_FLAG, FORCE_FLAG, JSON_FLAG, positive } from '../input/options.js';

/** Adds the commands for companions, their personas and their moods. */
export function addCompanionCommands(
  program: Command,
  context: () => CommandContext,
  fail: () => void,
): void {
  const companion = program
    .command('companion')
    .alias('companions')
    .description('show companions, and change who they are');
  companion
    .command('list', { isDefault: true })
    .description('list all; the default one is marked')
    .option(...JSON_FLAG)
    .action((options) => showCompanions(context(), options.json ?? false));
  companion
    .command('show [id]')
    .description('show traits, mood, needs, habits and diary of one')
    .option('--persona', 'its persona as a file holds it; needs a key with the scope companions')
    .option('--version <n>', 'an earlier version of its persona', positive)
    .option(...JSON_FLAG)
    .action((id: string | undefined, options) => showCompanion(context(), id, options));
  companion
    .command('edit <id> <file>')
    .description(
      'put a persona in force, until its file changes; needs the scope companions; - is the standard input',
    )
    .option('--based-on <n>', 'version that it was made from: refused where another is in force', positive)
    .action((id: string, file: string, options) => editCompanion(context(), id, file, options.basedOn));
  companion
    .command('import <file>')
    .description(
      'bring a character in: a Tavern card (JSON or PNG), a file of ElizaOS or Letta, or a persona; scope companions',
    )
    .option('--id <name>', 'under this id; by its name otherwise')
    .option('--replace', 'a companion of that id becomes this one, as a new version')
    .option('--dry-run', 'show what the file holds, and change nothing')
    .option(...JSON_FLAG)
    .action((file: string, options) => importCharacter(context(), file, options));
  companion
    .command('export <id> <file>')
    .description(
      'write a companion and its lore to a file; needs the scope companions; - is the standard output',
    )
    .addOption(
      new Option('--format <format>', 'kith without it, tavern-v3 with --png').choices(
        CharacterFormat.options,
      ),
    )
    .option('--png <picture>', 'put the card into this picture')
    .option(...FORCE_FLAG)
    .action((id: string, file: string, options) => exportCharacter(context(), id, file, options));
  companion
    .command('pause <id>')
    .description('have it answer nobody and write to nobody; needs the scope companions')
    .action((id: string) => pauseCompanion(context(), id, true));
  companion
    .command('resume <id>')
    .description('have a paused companion answer again; needs the scope companions')
    .action((id: string) => pauseCompanion(context(), id, false));
  companion
    .command('retire <id>')
    .description('take a companion that was imported out of service; needs the scope companions')
    .action((id: string) => retireCompanion(context(), id));
  companion
    .command('history [id]')
    .description('list the versions of its persona; needs the scope companions')
    .option(...JSON_FLAG)
    .action((id: string | undefined, options) => showHistory(context(), id, options));
  companion
    .command('rollback <id>')
    .argument('<version>', 'which one; kith companion history shows them', positive)
    .description('put an earlier version in force again; needs the scope companions')
    .action((id: string, version: number) => rollBackCompanion(context(), id, version));
  companion
    .command('replay [id]')
    .description(
      'feel past days again: proves the log, or shows what a persona would have made of them; scope admin',
    )
    .option('--from <day>', 'since, such as 2027-01-24 where it lives; a week before the end otherwise')
    .option('--to <day>', 'until that day begins, or a time; now otherwise')
    .option('--persona <file>', 'with this persona; both courses side by side')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, options) => {
      if (!(await replayCompanion(context(), id, options))) fail();
    });
  const mood = program
    .command('mood')
    .description('show how a companion feels now')
    .option(...COMPANION_FLAG)
    .option('--png <file>', 'its week as a picture, saved there; - is the standard output')
    .option(...FORCE_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => {
      if (options.json && options.png === PIPE) throw new CliError('give --png a file beside --json', 2);
      const found = await findCompanion(context(), options.companion);
      if (options.png !== undefined) await saveMoodCard(context(), found.id, options.png, options);
      if (options.png !== undefined && !options.json) return;
      await showMood(context(), found, options.json ?? false);
    });
  mood
    .command('why')
    .description('list the events that moved it: the emotion, its turn, and how that turn was read')
    .option('--limit <n>', 'how many, newest first', positive, 20)
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action(async (_, command) => {
      const options = command.optsWithGlobals();
      await showWhy(context(), await findCompanion(context(), options.companion), options);
    });
}
