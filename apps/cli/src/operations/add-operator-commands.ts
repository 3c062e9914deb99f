import type { Command } from '@commander-js/extra-typings';
import { auditRoutes, jobRoutes, RecurringJobName, type RecurringJobView } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { positive } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { printList, readList } from '../suite/read-list.js';
import { minuteOf, msOf, secondOf } from '../terminal/value-words.js';
import { addDeadLetterCommands } from './add-dead-letter-commands.js';
import { addModelCommands } from './add-model-commands.js';
import { addOutboxCommands } from './add-outbox-commands.js';
import { addTurnCommands } from './add-turn-commands.js';

/** Adds an operator's commands: audit log, jobs, models, dead letters, turns and deliveries. */
export function addOperatorCommands(program: Command, context: CommandContext): void {
  const { api, terminal } = context;
  addJsonCommand(
    program,
    'audit',
    'list what operators did and looked at, newest first; needs a key with the scope audit',
  )
    .option('--limit <n>', 'how many', positive, 50)
    .option('--action <words>', 'part of the route, such as keys')
    .option('--person <id>', 'who did it, or whom it was about')
    .action(async ({ limit, action, person, json }) => {
      const list = await readList('actions', limit, (page) =>
        api.call(auditRoutes.list, { query: { action, person, ...page } }),
      );
      printList(terminal, 'actions', list, { json, none: 'no such actions' }, [
        { header: 'at', value: ({ at }) => secondOf(at) },
        { header: 'key', value: ({ keyName }) => keyName },
        { header: 'what', value: (one) => one.action },
        { header: 'outcome', value: ({ outcome }) => outcome },
        { header: 'about', value: ({ subjects }) => Object.values(subjects).join(' '), flexible: true },
      ]);
    });

  const jobs = addJsonCommand(
    program,
    'jobs',
    'list recurring jobs, and when they ran; needs a key with the scope admin',
  ).action(async ({ json }) => {
    const { jobs } = await api.call(jobRoutes.list);
    if (json) return terminal.json(jobs);
    const timeOrNone = (time: string | null) => (time === null ? '-' : minuteOf(time));
    terminal.table(jobs, [
      { header: 'job', value: ({ name }) => name },
      { header: 'state', value: stateOf },
      { header: 'last run', value: ({ lastStartedAt }) => timeOrNone(lastStartedAt) },
      { header: 'took', value: ({ lastDurationMs }) => msOf(lastDurationMs), align: 'right' },
      { header: 'done until', value: ({ lastDay }) => lastDay ?? '-' },
      { header: 'next look', value: ({ nextRunAt }) => timeOrNone(nextRunAt) },
      { header: 'schedule', value: ({ schedule }) => schedule },
      { header: 'what', value: ({ what }) => what, flexible: true },
    ]);
  });
  for (const [action, what] of [
    ['pause', 'hold it until it is resumed'],
    ['resume', 'let it go on'],
    ['run', 'have it run now, held or not'],
  ] as const)
    addCommand(jobs, `${action} <name>`, what).action(async (given: string) => {
      const name = RecurringJobName.safeParse(given).data;
      if (!name) {
        const known = RecurringJobName.options.join(', ');
        throw new CliError(`there is no job ${given}: choose one of ${known}`, 2);
      }
      const job = await api.call(jobRoutes.steer, { params: { name, action } });
      terminal.line(
        action === 'run' ? `${name} runs now; kith jobs shows how it ended` : `${name}: ${stateOf(job)}`,
      );
    });

  addModelCommands(program, context);
  addDeadLetterCommands(program, context);
  addTurnCommands(program, context);
  addOutboxCommands(program, context);
}

function stateOf({ paused, lastOutcome, lastError }: z.output<typeof RecurringJobView>): string {
  if (paused) return 'held';
  if (lastOutcome === 'failed') return `failed: ${lastError ?? 'unknown'}`;
  return lastOutcome ?? 'not run yet';
}
