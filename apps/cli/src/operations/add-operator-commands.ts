import { Option, type Command } from '@commander-js/extra-typings';
import { TurnOutcome } from '@kith/contracts';
import { listAudit } from './list-audit.js';
import type { CommandContext } from '../suite/command-context.js';
import { listDead, replayDead } from './dead-letters.js';
import { listEpochs, restoreEpoch } from './epochs.js';
import { listJobs, steerJob } from './jobs.js';
import { listLocalModels, pullLocalModel } from './local-models.js';
import { listModels, testModels } from './models.js';
import { dropDeliveries, listOutbox, retryDeliveries, showDelivery } from './outbox.js';
import { listTurns, showTurn } from './turns.js';
import { JSON_FLAG, positive } from '../input/options.js';

/** Adds an operator's commands: audit log, jobs, models, dead letters, turns and deliveries. */
export function addOperatorCommands(program: Command, context: () => CommandContext): void {
  program
    .command('audit')
    .description('list what operators did and looked at, newest first; needs a key with the scope audit')
    .option('--limit <n>', 'how many', positive, 50)
    .option('--action <words>', 'part of the route, such as keys')
    .option('--person <id>', 'who did it, or whom it was about')
    .option(...JSON_FLAG)
    .action((options) => listAudit(context(), options));

  const jobs = program
    .command('jobs')
    .description('list recurring jobs, and when they ran; needs a key with the scope admin')
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
    .description(
      'list and test the language models that are asked, which needs a key with the scope admin, and encoders on this machine',
    );
  models
    .command('list', { isDefault: true })
    .description('list the models of each role: how they were chosen, what they cost, how they are')
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

  models
    .command('local')
    .description('list encoders for recall by meaning that run on this machine, and which are here')
    .option(...JSON_FLAG)
    .action((options) => listLocalModels(context(), options));
  models
    .command('pull <name>')
    .description('fetch such an encoder into the folder for models; needs no key')
    .action((name: string) => pullLocalModel(context(), name));

  const dead = program
    .command('dead')
    .description('list and replay events, requests and jobs that were given up');
  dead
    .command('list')
    .description('list what was given up, oldest first')
    .option(...JSON_FLAG)
    .action((options) => listDead(context(), options.json ?? false));
  dead
    .command('replay [id...]')
    .description('give events and jobs back to their service')
    .option('--all', 'everything that was given up')
    .action((ids: string[], options) => replayDead(context(), ids, options.all ?? false));

  const turn = program.command('turn').description('show what became of a message');
  turn
    .command('list')
    .description('list the latest turns, and messages that still wait for theirs')
    .addOption(new Option('--outcome <outcome>', 'only with this outcome').choices(TurnOutcome.options))
    .option('--person <id>', 'whose; needs a key with the scope admin')
    .option('--limit <n>', 'how many', positive, 20)
    .option(...JSON_FLAG)
    .action((options) => listTurns(context(), options));
  turn
    .command('show [id]')
    .description('show everything on a turn’s way: claim, gate, recall, prompt, model, delivery')
    .option('--message <id>', 'by a message’s id, such as Discord’s')
    .option(...JSON_FLAG)
    .action((id: string | undefined, options) => showTurn(context(), id, options));

  const conversations = program
    .command('conversations')
    .description('look at how a conversation is put into prompts');
  conversations
    .command('epochs <id>')
    .description('list its epochs, and how much of what came before each is shortened')
    .option('--words', 'the snapshots’ words too, of your own conversation')
    .option(...JSON_FLAG)
    .action((id: string, options) => listEpochs(context(), id, options));
  conversations
    .command('restore <id> <epoch>')
    .description('go back to an earlier epoch; needs a key with the scope admin')
    .action((id: string, epoch: string) => restoreEpoch(context(), id, epoch));

  const outbox = program
    .command('outbox')
    .description('show, retry and drop replies on their way to Discord; needs a key with the scope admin');
  outbox
    .command('list')
    .description('list what is not delivered, with the reason')
    .addOption(
      new Option('--status <status>', 'only in this state').choices([
        'pending',
        'delivered',
        'failed',
        'dropped',
      ] as const),
    )
    .option('--limit <n>', 'how many', positive, 50)
    .option(...JSON_FLAG)
    .action((options) => listOutbox(context(), options));
  outbox
    .command('show <id>')
    .description('show one reply: its tries, the reason, what arrived and when')
    .option(...JSON_FLAG)
    .action((id: string, options) => showDelivery(context(), id, options));
  outbox
    .command('retry <id...>')
    .description('send a reply again, with all its tries')
    .action((ids: string[]) => retryDeliveries(context(), ids));
  outbox
    .command('drop <id...>')
    .description('give a reply up')
    .option('--reason <text>', 'why; kept with it', 'dropped by the operator')
    .action((ids: string[], { reason }: { reason: string }) => dropDeliveries(context(), ids, reason));
}
