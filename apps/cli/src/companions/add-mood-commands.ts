import type { Command } from '@commander-js/extra-typings';
import { companionRoutes, signed, type AffectEventView } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { PIPE } from '../input/files.js';
import { addJsonCommand } from '../input/add-command.js';
import { COMPANION_FLAG, FORCE_FLAG, positive } from '../input/options.js';
import { writeResult } from '../input/write-result.js';
import type { CommandContext } from '../suite/command-context.js';
import { printList, readList } from '../suite/read-list.js';
import { minuteOf } from '../terminal/value-words.js';
import { findCompanion } from './find-companion.js';
import { showMood } from './mood.js';

/** Adds the commands for how a companion feels, and why. */
export function addMoodCommands(program: Command, context: CommandContext): void {
  const { api, terminal } = context;
  const mood = addJsonCommand(program, 'mood', 'show how a companion feels now')
    .option(...COMPANION_FLAG)
    .option('--png <file>', 'its week as a picture, saved there; - is the standard output')
    .option(...FORCE_FLAG)
    .action(async ({ companion, png, json, ...options }) => {
      if (json && png === PIPE) throw new CliError('give --png a file beside --json', 2);
      const found = await findCompanion({ api }, companion);
      if (png !== undefined) {
        const card = await api.call(companionRoutes.moodCard, { params: { id: found.id } });
        await writeResult(terminal, png, [card], options);
        if (png !== PIPE) terminal.note(`written to ${png}`);
        if (!json) return;
      }
      await showMood(context, found, json ?? false);
    });
  addJsonCommand(
    mood,
    'why',
    'list the events that moved it: the emotion, its turn, and how that turn was read',
  )
    .option('--limit <n>', 'how many, newest first', positive, 20)
    .option(...COMPANION_FLAG)
    .action(async (_, command) => {
      const { companion, limit, json } = command.optsWithGlobals();
      const { id, name } = await findCompanion({ api }, companion);
      const view = await readList('events', limit, (query) =>
        api.call(companionRoutes.affectEvents, { params: { id }, query }),
      );
      const none = `nothing has moved ${name} yet`;
      const below = 'the mood that everybody meets moved so; towards the person of the turn it moved further';
      printList(terminal, 'events', view, { json, none, below }, [
        { header: 'when', value: ({ at }) => minuteOf(at) },
        { header: 'felt', value: ({ emotion }) => emotion },
        { header: 'how much', align: 'right', value: ({ intensity }) => intensity.toFixed(2) },
        { header: 'pleasure', align: 'right', value: ({ change }) => (change ? signed(change.p) : '-') },
        { header: 'arousal', align: 'right', value: ({ change }) => (change ? signed(change.a) : '-') },
        { header: 'dominance', align: 'right', value: ({ change }) => (change ? signed(change.d) : '-') },
        { header: 'why', flexible: true, value: whyWords },
        { header: 'turn', value: ({ turnId }) => turnId },
      ]);
    });
}

/** Words for the cause of an event: the turn, how it was read, and an earlier prospect. */
export function whyWords({ settles, variables, appraiser }: AffectEventView): string {
  const read = Object.entries(variables)
    .filter(([, value]) => value !== 0 && value !== 'none')
    .map(([name, value]) => `${name} ${typeof value === 'number' ? signed(value) : value}`);
  const reading = `${read.join(', ')} (by ${appraiser === 'model' ? 'the model' : 'rules'})`;
  if (!settles) return reading;
  const words = settles.about === null ? '' : ` “${settles.about}”`;
  return `what was ${settles.kind} on ${settles.since.slice(0, 10)}${words}; ${reading}`;
}
