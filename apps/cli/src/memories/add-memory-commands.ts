import { Argument, Option, type Command } from '@commander-js/extra-typings';
import { MemoryKind, MemoryShelf } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { describeMe, listMemories, searchMemories, showSimilar, showStats } from './memories.js';
import { changeMemory, changePrivacy } from './change-memory.js';
import { CORE_BLOCKS, showCore, writeCore } from './core-memory.js';
import { explainRecall } from './explain-recall.js';
import { exportMemories } from './export-memories.js';
import { clearMemories, forgetMemories, undoForget } from './forget-memories.js';
import { importMemories } from './import-memories.js';
import { measureRecall } from './measure-recall.js';
import { initMemories, reindexMemories } from './reindex-memories.js';
import { COMPANION_FLAG, FORCE_FLAG, JSON_FLAG, positive } from '../input/options.js';

/** Adds the commands for the caller's memories. */
export function addMemoryCommands(program: Command, context: () => CommandContext): void {
  const memories = program.command('memories').description('show and change what is remembered of you');
  memories
    .command('list')
    .description('list memories, newest first')
    .option('--companion <id>', 'only what this companion remembers')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(MemoryKind.options))
    .addOption(new Option('--shelf <shelf>', 'only this shelf').choices(MemoryShelf.options))
    .option('--limit <n>', 'how many, newest first', positive, 50)
    .option(...JSON_FLAG)
    .action((options) => listMemories(context(), options));
  memories
    .command('search <query...>')
    .description('search memories as recall does, with the parts of each score')
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many, best first', positive, 10)
    .option('--archive', 'search the archive, too')
    .option(...JSON_FLAG)
    .action((query: string[], options) => searchMemories(context(), query.join(' '), options));
  memories
    .command('why <question...>')
    .description('explain recall for a question: each candidate, why it was cut if so, and the prompt')
    .option(...COMPANION_FLAG)
    .option('--in <place>', 'as it is asked there: channel:<door>:<id>; alone with the companion otherwise')
    .option('--limit <n>', 'choose at most this many; as many as a turn does otherwise', positive)
    .option('--show <n>', 'candidates to show', positive, 40)
    .option(...JSON_FLAG)
    .action((question: string[], options) => explainRecall(context(), question.join(' '), options));
  memories
    .command('eval <file>')
    .description('measure recall by your own questions: lines of JSON with question, words or ids, person')
    .option('--reason <words>', 'why questions are about other people, who are told; needs the scope admin')
    .option(...JSON_FLAG)
    .action((file: string, options) => measureRecall(context(), file, options));
  memories
    .command('similar <id>')
    .description('find memories that say much the same as one')
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many, best first', positive, 10)
    .option(...JSON_FLAG)
    .action((id: string, options) => showSimilar(context(), id, options));
  memories
    .command('stats')
    .description('count what is kept, by kind and shelf')
    .option('--companion <id>', 'only what this companion remembers')
    .option(...JSON_FLAG)
    .action((options) => showStats(context(), options));
  memories
    .command('correct <id> <text...>')
    .description('correct a memory')
    .option(...JSON_FLAG)
    .action((id: string, text: string[], options) =>
      changeMemory(context(), id, { text: text.join(' ') }, options.json ?? false),
    );
  memories
    .command('pin <id>')
    .description('keep a memory in mind: it comes up sooner and is never archived')
    .option('--off', 'unpin it')
    .option(...JSON_FLAG)
    .action((id: string, options) =>
      changeMemory(context(), id, { pinned: !options.off }, options.json ?? false),
    );
  memories
    .command('release <id>')
    .description('bring a memory back from quarantine or the archive, or one that was withdrawn')
    .option(...JSON_FLAG)
    .action((id: string, options) => changeMemory(context(), id, { shelf: 'open' }, options.json ?? false));
  memories
    .command('private [state]')
    .description('talk without being remembered: on or off; without either, tell which')
    .option(...JSON_FLAG)
    .action((state: string | undefined, options) => {
      if (state !== undefined && state !== 'on' && state !== 'off') throw new CliError('say on or off', 2);
      return changePrivacy(context(), state, options.json ?? false);
    });
  memories
    .command('core')
    .description('show what is in mind of you all the time, and where; with a block and a text, write it')
    .addArgument(new Argument('[block]', 'who you are, or how it is with you').choices(CORE_BLOCKS))
    .argument('[text...]', 'what it should say')
    .option(...COMPANION_FLAG)
    .option('--in <place>', 'of there: channel:<door>:<id>; written for direct talk otherwise')
    .option('--clear', 'empty the block')
    .option(...JSON_FLAG)
    .action((block, text, options) =>
      block === undefined
        ? showCore(context(), options)
        : writeCore(context(), block, { ...options, text: text.join(' ') }),
    );
  memories
    .command('export [file]')
    .description('write every memory as a line of JSON, without vectors; - is the standard output')
    .option('--companion <id>', 'only what this companion remembers')
    .option(...FORCE_FLAG)
    .action((file: string | undefined, options) => exportMemories(context(), file ?? '-', options));
  memories
    .command('import <file>')
    .description('keep the lines of an export; needs a key with the scope import; - is the standard input')
    .option(
      '--companion <id>',
      'all with this companion; each line with its own, or the default one, otherwise',
    )
    .option(...JSON_FLAG)
    .action((file: string, options) => importMemories(context(), file, options));
  memories
    .command('forget [id...]')
    .description(
      'forget memories and the talk they came from: by id, by what they are about, or by when they were said',
    )
    .option('--query <words>', 'memories that are really about this')
    .option('--from <day>', 'said since, such as 2026-03-01 (UTC)')
    .option('--to <day>', 'said before, such as 2026-03-31, or 2026-03-31T18:00+02:00')
    .option('--companion <id>', 'only what this companion remembers')
    .option('--keep-talk', 'leave the talk they came from in prompts')
    .option('--dry-run', 'only say what would go')
    .option(...JSON_FLAG)
    .action((ids: string[], options) => forgetMemories(context(), ids, options));
  memories
    .command('undo <receipt>')
    .description('take a forget back, within ten minutes')
    .option(...JSON_FLAG)
    .action((receipt: string, options) => undoForget(context(), receipt, options));
  memories
    .command('clear')
    .description('forget everything')
    .option('--companion <id>', 'only what this companion remembers')
    .option('--yes', 'without asking')
    .option(...JSON_FLAG)
    .action((options) => clearMemories(context(), options));

  memories
    .command('describe')
    .description('describe what is known of you, as a page in Markdown')
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
}
