import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import {
  editCompanion,
  findCompanion,
  rollBackCompanion,
  showCompanion,
  showCompanions,
  showHistory,
} from '../companions.js';
import { saveMoodCard, showMood, showWhy } from '../mood.js';
import { replayCompanion } from '../replay.js';
import { COMPANION_FLAG, JSON_FLAG, positive } from './options.js';

/** Who there is to talk to, and how they feel. */
export function addCompanionCommands(
  program: Command,
  context: () => CommandContext,
  fail: () => void,
): void {
  const companion = program
    .command('companion')
    .alias('companions')
    .description('who there is to talk to, and what makes them who they are');
  companion
    .command('list', { isDefault: true })
    .description('all of them; the default one is marked')
    .option(...JSON_FLAG)
    .action((options) => showCompanions(context(), options.json ?? false));
  companion
    .command('show [id]')
    .description('traits, mood, needs, habits and diary')
    .option('--persona', 'its persona as a file holds it; needs a key with the scope admin')
    .option('--version <n>', 'an earlier version of its persona', positive)
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, options) => {
      const found = await findCompanion(context(), id);
      await showCompanion(context(), found.id, options);
    });
  companion
    .command('edit <id> <file>')
    .description(
      'put a persona in force, until its file changes; needs the scope admin; - is the standard input',
    )
    .action((id: string, file: string) => editCompanion(context(), id, file));
  companion
    .command('history [id]')
    .description('which versions of its persona there were; needs the scope admin')
    .option(...JSON_FLAG)
    .action(async (id: string | undefined, options) => {
      const found = await findCompanion(context(), id);
      await showHistory(context(), found.id, options.json ?? false);
    });
  companion
    .command('rollback <id>')
    .argument('<version>', 'which one; kith companion history shows them', positive)
    .description('put an earlier version in force again; needs the scope admin')
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
    .action(async (wanted: string | undefined, options) => {
      const { id } = await findCompanion(context(), wanted);
      if (!(await replayCompanion(context(), id, options))) fail();
    });
  const mood = program
    .command('mood')
    .description('how a companion feels now')
    .option(...COMPANION_FLAG)
    .option('--png <file>', 'its week as a picture, saved there')
    .option(...JSON_FLAG)
    .action(async (options) => {
      const found = await findCompanion(context(), options.companion);
      if (options.png !== undefined) return saveMoodCard(context(), found.id, options.png);
      await showMood(context(), found, options.json ?? false);
    });
  mood
    .command('why')
    .description('what moved it: what was felt, at which turn, and how that turn was read')
    .option('--limit <n>', 'how many, newest first', positive, 20)
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action(async (_, command: Command) => {
      const options = command.optsWithGlobals<{ companion?: string; limit: number; json?: boolean }>();
      await showWhy(context(), await findCompanion(context(), options.companion), options);
    });
}
