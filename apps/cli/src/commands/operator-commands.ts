import { Option, type Command } from 'commander';
import { listAudit } from '../audit.js';
import type { CommandContext } from '../command-context.js';
import { listDead, replayDead } from '../dead-letters.js';
import { listJobs, steerJob } from '../jobs.js';
import { createKey, listKeys, revokeKeys } from '../keys.js';
import { listModels, testModels } from '../models.js';
import { dropDeliveries, listOutbox, retryDeliveries, showDelivery } from '../outbox.js';
import { erasePerson, listErasures, listPeople } from '../people.js';
import { listTurns, showTurn } from '../turns.js';
import { JSON_FLAG, positive } from './options.js';

/** What an operator looks at and steers: people, keys, jobs, what was given up, turns and deliveries. */
export function addOperatorCommands(program: Command, context: () => CommandContext): void {
  const people = program.command('people').description('who is known here; needs a key with the scope admin');
  people
    .command('list', { isDefault: true })
    .description('everyone, with the doors they come by')
    .option('--limit <n>', 'how many', positive)
    .option(...JSON_FLAG)
    .action((options) => listPeople(context(), options));
  people
    .command('erase <person>')
    .description('erase somebody everywhere, for good, after showing how much there is')
    .option('--dry-run', 'only show it')
    .option('--yes', 'without asking')
    .option(...JSON_FLAG)
    .action((person: string, options) => erasePerson(context(), person, options));
  people
    .command('erasures')
    .description('the receipts, newest first')
    .option('--limit <n>', 'how many', positive)
    .option(...JSON_FLAG)
    .action((options) => listErasures(context(), options));

  const keys = program.command('keys').description('API keys; needs a key with the scope admin');
  keys
    .command('list')
    .description('every key without the key itself: whose, what it may, last used')
    .option('--person <id>', 'only theirs')
    .option(...JSON_FLAG)
    .action((options) => listKeys(context(), options));
  keys
    .command('revoke <id...>')
    .description('end keys, by the ids that list shows')
    .action((ids: string[]) => revokeKeys(context(), ids));
  keys
    .command('create')
    .description('make one; the key itself is shown this once')
    .requiredOption('--person <name>', 'whose: a name for a new person, or the id of one there is')
    .option('--name <name>', 'what the key is called in lists', 'cli')
    .option(
      '--scope <scopes>',
      'what it may, of chat,memories,outreach,import,audit,admin',
      'chat,memories,outreach',
    )
    .option('--expires <date>', 'until when, such as 2027-12-31')
    .option('--reason <words>', 'why, where it is to act as somebody else there is: they are told')
    .option(...JSON_FLAG)
    .action((options) => createKey(context(), options));

  program
    .command('audit')
    .description('what operators did and looked at, newest first; needs a key with the scope audit')
    .option('--limit <n>', 'how many', positive)
    .option('--action <words>', 'part of the route, such as keys')
    .option('--person <id>', 'who did it, or whom it was about')
    .option(...JSON_FLAG)
    .action((options) => listAudit(context(), options));

  const jobs = program
    .command('jobs')
    .description('what recurs, and when it ran; needs a key with the scope admin')
    .option(...JSON_FLAG)
    .action((options) => listJobs(context(), options.json ?? false));
  for (const [action, what] of [
    ['pause', 'hold it until it is resumed'],
    ['resume', 'let it go on'],
    ['run', 'have it run now, held or not'],
  ] as const) {
    jobs
      .command(`${action} <name>`)
      .description(what)
      .action((name: string) => steerJob(context(), action, name));
  }

  const models = program
    .command('models')
    .description('which language models are asked, and whether they work; needs a key with the scope admin');
  models
    .command('list', { isDefault: true })
    .description('the models of each role: how they were chosen, what they cost, how they are')
    .option('--all', 'everything the hosts offer, too')
    .option(...JSON_FLAG)
    .action((options) => listModels(context(), options));
  models
    .command('test')
    .description('send a role’s models small requests: a stream, JSON, a tool call; costs some tokens')
    .addOption(
      new Option('--role <role>', 'whose models').choices(['chat', 'fast', 'embedding']).default('chat'),
    )
    .option('--model <model>', 'only this one, as host:model')
    .option(...JSON_FLAG)
    .action((options) => testModels(context(), options));

  const dead = program.command('dead').description('events, requests and jobs that were given up');
  dead
    .command('list')
    .description('what was given up, oldest first')
    .option(...JSON_FLAG)
    .action((options) => listDead(context(), options.json ?? false));
  dead
    .command('replay [id...]')
    .description('give events and jobs back to their service')
    .option('--all', 'everything that was given up')
    .action((ids: string[], options) => replayDead(context(), ids, options.all ?? false));

  const turn = program.command('turn').description('what became of a message');
  turn
    .command('list')
    .description('the latest turns, and messages that still wait for theirs')
    .option('--outcome <outcome>', 'answered, apologised, silent or dropped')
    .option('--person <id>', 'whose; needs a key with the scope admin')
    .option('--limit <n>', 'how many', positive, 20)
    .option(...JSON_FLAG)
    .action((options) => listTurns(context(), options));
  turn
    .command('show [id]')
    .description('everything on a turn’s way: claim, gate, recall, prompt, model, delivery')
    .option('--message <id>', 'by a message’s id, such as Discord’s')
    .option(...JSON_FLAG)
    .action((id: string | undefined, options) => showTurn(context(), id, options));

  const outbox = program.command('outbox').description('replies on their way to Discord');
  outbox
    .command('list')
    .description('what is not delivered, with the reason')
    .option('--status <status>', 'pending, delivered, failed or dropped')
    .option('--limit <n>', 'how many', positive, 50)
    .option(...JSON_FLAG)
    .action((options) => listOutbox(context(), options));
  outbox
    .command('show <id>')
    .description('one reply: its tries, the reason, what arrived and when')
    .option(...JSON_FLAG)
    .action((id: string, options) => showDelivery(context(), id, options));
  outbox
    .command('retry <id...>')
    .description('send it again, with all its tries')
    .action((ids: string[]) => retryDeliveries(context(), ids));
  outbox
    .command('drop <id...>')
    .description('give it up')
    .option('--reason <text>', 'why; kept with it', 'dropped by the operator')
    .action((ids: string[], { reason }: { reason: string }) => dropDeliveries(context(), ids, reason));
}
