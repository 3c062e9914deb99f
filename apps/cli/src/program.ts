import { Command, InvalidArgumentError } from 'commander';
import { ApiClient } from './api/api-client.js';
import { chat } from './chat/chat.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import {
  editCompanion,
  findCompanion,
  rollBackCompanion,
  showCompanion,
  showCompanions,
  showHistory,
} from './companions.js';
import type { CliConfig } from './config.js';
import { listDead, replayDead } from './dead-letters.js';
import { addDocument, listDocuments, removeDocument } from './documents.js';
import { doctor } from './doctor/doctor.js';
import { listJobs, steerJob } from './jobs.js';
import { createKey, listKeys, revokeKeys } from './keys.js';
import { exportMemories, importMemories } from './memory-files.js';
import {
  changeMemory,
  changePrivacy,
  clearMemories,
  describeMe,
  forgetMemories,
  listMemories,
  searchMemories,
  showSimilar,
  showStats,
} from './memories.js';
import { addLore, importLore, listLore, removeLore, testLore } from './lore.js';
import { saveMoodCard, showMood } from './mood.js';
import { dropDeliveries, listOutbox, retryDeliveries, showDelivery } from './outbox.js';
import { outreach, outreachChannel, restrictOutreach, whyOutreach } from './outreach.js';
import { erasePerson, listErasures, listPeople } from './people.js';
import { initMemories, reindexMemories } from './reindex.js';
import { replayCompanion } from './replay.js';
import { listTurns, showTurn } from './turns.js';
import type { Terminal } from './terminal/terminal.js';

export interface ProgramParts {
  terminal: Terminal;
  readConfig: (flags: { url?: string; key?: string }) => CliConfig;
  nodeVersion: string;
  /** Called when a command found something broken. */
  fail: () => void;
}

const JSON_FLAG = ['--json', 'as JSON, for scripts'] as const;
const COMPANION_FLAG = ['--companion <id>', 'which companion; the default one otherwise'] as const;

/** The command line: what there is to say, and which function does it. */
export function buildProgram({ terminal, readConfig, nodeVersion, fail }: ProgramParts): Command {
  const program = new Command('kith')
    .description('Talks to a running Kith')
    .option('--url <url>', 'where Kith is (KITH_URL; found by itself when it runs here)')
    .option('--key <key>', 'API key (KITH_KEY; in .env after ./scripts/up)')
    .showHelpAfterError('(kith --help shows what there is)');

  const context = (): CommandContext => {
    const config = readConfig(program.opts());
    return { config, api: new ApiClient(config.url, config.key), terminal };
  };

  program
    .command('chat')
    .description('talk to a companion; reads lines when its input is a pipe')
    .option(...COMPANION_FLAG)
    .option('--conversation <name>', 'which thread', 'main')
    .option('--message <text>', 'say one thing and leave')
    .action((options) => chat(context(), options));

  const memories = program.command('memories').description('what is remembered of you');
  memories
    .command('list')
    .description('the newest, page by page')
    .option('--companion <id>', 'only what this companion remembers')
    .option('--kind <kind>', 'episode, fact, reflection, …')
    .option('--shelf <shelf>', 'open, quarantine or archive')
    .option('--limit <n>', 'how many, newest first', positive, 50)
    .option(...JSON_FLAG)
    .action((options) => listMemories(context(), options));
  memories
    .command('search <query...>')
    .description('what comes to mind, with the parts of each score')
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many, best first', positive, 10)
    .option('--archive', 'what was archived, too')
    .option(...JSON_FLAG)
    .action((query: string[], options) => searchMemories(context(), query.join(' '), options));
  memories
    .command('similar <id>')
    .description('what says much the same as one of them')
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many, best first', positive, 10)
    .option(...JSON_FLAG)
    .action((id: string, options) => showSimilar(context(), id, options));
  memories
    .command('stats')
    .description('how much is kept, by kind and shelf')
    .option('--companion <id>', 'only what this companion remembers')
    .option(...JSON_FLAG)
    .action((options) => showStats(context(), options));
  memories
    .command('correct <id> <text...>')
    .description('put one right')
    .option(...JSON_FLAG)
    .action((id: string, text: string[], options) =>
      changeMemory(context(), id, { text: text.join(' ') }, options.json ?? false),
    );
  memories
    .command('pin <id>')
    .description('keep one in mind: it comes up sooner and is never archived')
    .option('--off', 'unpin it')
    .option(...JSON_FLAG)
    .action((id: string, options) =>
      changeMemory(context(), id, { pinned: !options.off }, options.json ?? false),
    );
  memories
    .command('release <id>')
    .description('keep one that went to quarantine or to the archive')
    .option(...JSON_FLAG)
    .action((id: string, options) => changeMemory(context(), id, { shelf: 'open' }, options.json ?? false));
  memories
    .command('private [state]')
    .description('talk without being remembered: on or off; without either, tells which')
    .option(...JSON_FLAG)
    .action((state: string | undefined, options) => {
      if (state !== undefined && state !== 'on' && state !== 'off') throw new CliError('say on or off', 2);
      return changePrivacy(context(), state, options.json ?? false);
    });
  memories
    .command('export [file]')
    .description('every memory as a line of JSON, without vectors; - is the standard output')
    .option('--companion <id>', 'only what this companion remembers')
    .action((file: string | undefined, options) => exportMemories(context(), file ?? '-', options));
  memories
    .command('import <file>')
    .description('keep the lines of an export; needs a key with the scope import; - is the standard input')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((file: string, options) => importMemories(context(), file, options));
  memories
    .command('forget [id...]')
    .description('remove some: by the ids that list and search show, by a search, or by when they were said')
    .option('--query <words>', 'what a search finds')
    .option('--from <day>', 'said since, such as 2026-03-01 (UTC)')
    .option('--to <day>', 'said before')
    .option('--companion <id>', 'only what this companion remembers')
    .option('--dry-run', 'only say what would go')
    .option(...JSON_FLAG)
    .action((ids: string[], options) => forgetMemories(context(), ids, options));
  memories
    .command('clear')
    .description('forget everything')
    .option('--companion <id>', 'only what this companion remembers')
    .option('--yes', 'without asking')
    .option(...JSON_FLAG)
    .action((options) => clearMemories(context(), options));

  memories
    .command('describe')
    .description('what is known of you, as a page in Markdown')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((options) => describeMe(context(), options));
  memories
    .command('init')
    .description('make the vector index ready for the embedding space; needs a key with the scope admin')
    .option(...JSON_FLAG)
    .action((options) => initMemories(context(), options.json ?? false));
  memories
    .command('reindex')
    .description('make the vector index equal to the memories; needs a key with the scope admin')
    .option('--no-wait', 'order it, and leave')
    .option(...JSON_FLAG)
    .action((options) => reindexMemories(context(), options));

  const documents = program.command('documents').description('texts you gave a companion to know');
  documents
    .command('add <file>')
    .description('a Markdown, text, HTML or PDF file; needs a key with the scope import')
    .option('--title <title>', 'how replies cite it; the name of the file otherwise')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((file: string, options) => addDocument(context(), file, options));
  documents
    .command('list')
    .description('what there is')
    .option(...JSON_FLAG)
    .action((options) => listDocuments(context(), options.json ?? false));
  documents
    .command('remove <id>')
    .description('with all that was kept of it')
    .action((id: string) => removeDocument(context(), id));

  const lore = program
    .command('lore')
    .description('what a companion knows of its world; needs a key with the scope admin');
  lore
    .command('list')
    .description('every entry, in the order in which they are told')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((options) => listLore(context(), options));
  lore
    .command('add <name> <text...>')
    .description('keep an entry; it takes the place of its namesake')
    .option('--keys <words...>', 'words or phrases that call it up')
    .option('--with <words...>', 'one of these has to come up as well')
    .option('--always', 'in every prompt, keys or not')
    .option('--priority <n>', 'which stays when the room is short: higher first', positive)
    .option('--off', 'keep it, and do not tell it')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((name: string, text: string[], options) =>
      addLore(context(), { name, content: text.join(' ') }, options),
    );
  lore
    .command('import <file>')
    .description('a lorebook, a Tavern card or SillyTavern’s world info, as JSON')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((file: string, options) => importLore(context(), file, options));
  lore
    .command('test <text...>')
    .description('what a text would call up, and by which key')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((text: string[], options) => testLore(context(), text.join(' '), options));
  lore
    .command('remove <id>')
    .option(...COMPANION_FLAG)
    .action((id: string, options) => removeLore(context(), id, options));

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
    .option('--from <day>', 'since, such as 2027-01-24 (UTC); a week before the end otherwise')
    .option('--to <day>', 'until; now otherwise')
    .option('--persona <file>', 'with this persona; both courses side by side')
    .option(...JSON_FLAG)
    .action(async (wanted: string | undefined, options) => {
      const { id } = await findCompanion(context(), wanted);
      if (!(await replayCompanion(context(), id, options))) fail();
    });
  program
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
  const outreachCommand = program
    .command('outreach')
    .description('when a companion may write to you first')
    .option('--on', 'it may')
    .option('--off', 'it may not')
    .option('--direct', 'in your direct messages too')
    .option('--no-direct', 'not in your direct messages')
    .option('--no-channel', 'not in a channel any more')
    .option('--zone <zone>', 'your city, zone or offset, such as Berlin or UTC+2')
    .option('--quiet-from <time>', 'start of the quiet hours, such as 22:00')
    .option('--quiet-until <time>', 'their end')
    .option('--cap <n>', 'most messages a day', Number)
    .option('--weekly-cap <n>', 'most messages in any seven days', Number)
    .option('--topics-off <words>', 'what it does not bring up, with commas between; empty for none')
    .option(...JSON_FLAG)
    .action((options) => outreach(context(), options));
  outreachCommand
    .command('why')
    .description('why did you write? What companions started, with what it comes from')
    .option('--limit <n>', 'how many, newest first', positive, 20)
    .option(...JSON_FLAG)
    .action((_, command: Command) => whyOutreach(context(), command.optsWithGlobals()));
  outreachCommand
    .command('channel [id] [mode]')
    .description('allow or forbid it in a channel (on, off); needs a key with the scope admin')
    .option(...JSON_FLAG)
    .action((id: string | undefined, mode: string | undefined, _, command: Command) =>
      outreachChannel(context(), id, mode, command.optsWithGlobals()),
    );
  outreachCommand
    .command('restrict <person>')
    .description('forbid it to somebody; needs a key with the scope admin')
    .option('--age <state>', 'unknown, adult or minor: a minor is never written to first')
    .option('--rest-until <time>', 'no outreach before it, such as 2026-12-01T00:00:00Z; none ends it')
    .option(...JSON_FLAG)
    .action((person: string, _, command: Command) =>
      restrictOutreach(context(), person, command.optsWithGlobals()),
    );

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
    .option('--scope <scopes>', 'what it may, such as chat,memories,import,admin', 'chat,memories')
    .option('--expires <date>', 'until when, such as 2027-12-31')
    .option(...JSON_FLAG)
    .action((options) => createKey(context(), options));

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

  const dead = program.command('dead').description('events and jobs that were given up');
  dead
    .command('list')
    .description('what was given up, oldest first')
    .option(...JSON_FLAG)
    .action((options) => listDead(context(), options.json ?? false));
  dead
    .command('replay [id...]')
    .description('give it back to its service')
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

  program
    .command('doctor')
    .description('check every dependency and setting, and say how to mend each')
    .option(...JSON_FLAG)
    .action(async (options) => {
      if (!(await doctor(context(), { nodeVersion, ...options }))) fail();
    });
  return program;
}

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('a whole number from 1 is wanted.');
  return number;
}
