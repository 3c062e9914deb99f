import { Option, type Command } from '@commander-js/extra-typings';
import { type MemoryChange, MemoryKind, memoryRoutes, MemoryShelf } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { PIPE } from '../input/files.js';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { COMPANION_FLAG, FORCE_FLAG, positive } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { readList } from '../suite/read-list.js';
import { minuteOf } from '../terminal/value-words.js';
import { addCoreCommand } from './add-core-command.js';
import { addForgetCommands } from './add-forget-commands.js';
import { explainRecall } from './explain-recall.js';
import { exportMemories } from './export-memories.js';
import { importMemories } from './import-memories.js';
import { measureRecall } from './measure-recall.js';
import { heardIn, MEMORY_COLUMNS, MEMORY_ID, WHY_COLUMNS } from './memory-columns.js';
import { allMemories, type MemoryFilter, namedMemory } from './memory-pages.js';
import { describeIndex, reindexMemories } from './reindex-memories.js';

/** Most memories that one search finds. */
const MAX_FOUND = 100;

/** Adds the commands for the caller's memories. */
export function addMemoryCommands(program: Command, context: CommandContext): void {
  const { api, terminal } = context;
  const memories = addCommand(program, 'memories', 'show and change what is remembered of you');
  addJsonCommand(memories, 'list', 'list memories, newest first')
    .option('--companion <id>', 'only what this companion remembers')
    .addOption(new Option('--kind <kind>', 'only this kind').choices(MemoryKind.options))
    .addOption(new Option('--shelf <shelf>', 'only this shelf').choices(MemoryShelf.options))
    .option('--limit <n>', 'how many, newest first', positive, 50)
    .action(async ({ companion, kind, shelf, limit, json }) => {
      const { memories, total } = await readList('memories', limit, (page) =>
        api.call(memoryRoutes.list, { query: { companion, kind, shelf, ...page } }),
      );
      if (json) return terminal.json({ memories, total });
      if (memories.length === 0) return terminal.note(noneOf({ companion, kind, shelf }));
      terminal.table(memories, MEMORY_COLUMNS);
      terminal.note(`${memories.length} of ${total}; forget one with kith memories forget ID`);
    });
  addJsonCommand(
    memories,
    'search <query...>',
    'search memories as recall does, with the parts of each score',
  )
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many, best first', positive, 10)
    .option('--archive', 'search the archive, too')
    .action(async (words, { companion, limit, archive, json }) => {
      const q = words.join(' ');
      if (q.trim() === '') throw new CliError('say what to search for', 2);
      const query = { q, limit, companion, archive };
      const found = await api.call(memoryRoutes.search, { query });
      if (json) return terminal.json(found);
      if (found.degraded.length > 0) terminal.note(`searched without ${found.degraded.join(', ')}`);
      if (found.memories.length === 0) return terminal.note('nothing was found');
      terminal.table(found.memories, [MEMORY_ID, ...WHY_COLUMNS]);
    });
  addJsonCommand(
    memories,
    'why <question...>',
    'explain recall for a question: each candidate, why it was cut if so, and the prompt',
  )
    .option(...COMPANION_FLAG)
    .option('--in <place>', 'as it is asked there: channel:<door>:<id>; alone with the companion otherwise')
    .option('--limit <n>', 'choose at most this many; as many as a turn does otherwise', positive)
    .option('--show <n>', 'candidates to show', positive, 40)
    .action((question, options) => explainRecall(context, question.join(' '), options));
  addJsonCommand(
    memories,
    'eval <file>',
    'measure recall by your own questions: lines of JSON with question, words or ids, person',
  )
    .option('--reason <words>', 'why questions are about other people, who are told; needs the scope admin')
    .action((file, options) => measureRecall(context, file, options));
  addJsonCommand(memories, 'similar <id>', 'find memories that say much the same as one')
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many, best first', positive, 10)
    .action(async (given, { companion, limit, json }) => {
      const memory = await namedMemory(api, given);
      // The memory itself is among them, and does not count.
      const query = { q: memory.text, limit: Math.min(limit + 1, MAX_FOUND), companion };
      const found = await api.call(memoryRoutes.search, { query });
      const memories = found.memories.filter(({ id }) => id !== memory.id).slice(0, limit);
      if (json) return terminal.json({ of: memory, memories });
      if (memories.length === 0) return terminal.note('nothing similar was found');
      terminal.table(memories, [MEMORY_ID, ...WHY_COLUMNS]);
    });
  addJsonCommand(memories, 'stats', 'count what is kept, by kind and shelf')
    .option('--companion <id>', 'only what this companion remembers')
    .action(async ({ companion, json }) => {
      const memories = await allMemories(api, { companion });
      // By hand: the oldest Node that this runs on has no Map.groupBy.
      const counted = new Map<
        string,
        { kind: MemoryKind; shelf: MemoryShelf; heard: string; count: number }
      >();
      for (const { kind, shelf, audience } of memories) {
        const heard = heardIn(audience);
        const key = `${kind} ${shelf} ${heard}`;
        counted.set(key, { kind, shelf, heard, count: (counted.get(key)?.count ?? 0) + 1 });
      }
      const rows = [...counted.values()];
      const recalled = memories.filter(({ timesRecalled }) => timesRecalled > 0).length;
      if (json) return terminal.json({ total: memories.length, recalled, rows });
      if (rows.length === 0) return terminal.note(noneOf({ companion }));
      terminal.table(rows, [
        { header: 'kind', value: ({ kind }) => kind },
        { header: 'shelf', value: ({ shelf }) => shelf },
        { header: 'heard', value: ({ heard }) => heard },
        { header: 'memories', value: ({ count }) => String(count), align: 'right' },
      ]);
      terminal.note(`${memories.length} in all; ${recalled} were recalled at least once`);
    });
  addJsonCommand(memories, 'correct <id> <text...>', 'correct a memory').action((id, text, { json }) =>
    changeMemory(context, id, { text: text.join(' ') }, json),
  );
  addJsonCommand(memories, 'pin <id>', 'keep a memory in mind: it comes up sooner and is never archived')
    .option('--off', 'unpin it')
    .action((id, { off, json }) => changeMemory(context, id, { pinned: !off }, json));
  addJsonCommand(
    memories,
    'release <id>',
    'bring a memory back from quarantine or the archive, or one that was withdrawn',
  ).action((id, { json }) => changeMemory(context, id, { shelf: 'open' }, json));
  addJsonCommand(
    memories,
    'private [state]',
    'talk without being remembered: on or off; without either, tell which',
  ).action(async (state, { json }) => {
    if (state !== undefined && state !== 'on' && state !== 'off') throw new CliError('say on or off', 2);
    const privacy =
      state === undefined
        ? await api.call(memoryRoutes.privacy)
        : await api.call(memoryRoutes.changePrivacy, { body: { private: state === 'on' } });
    if (json) return terminal.json(privacy);
    const since = privacy.since === null ? '' : ` since ${minuteOf(privacy.since)} (UTC)`;
    const isPrivate = `private${since}: nothing you say is remembered`;
    terminal.line(privacy.private ? isPrivate : 'what you say is remembered');
  });
  addCoreCommand(memories, context);
  addCommand(
    memories,
    'export [file]',
    'write every memory as a line of JSON, without vectors; - is the standard output',
  )
    .option('--companion <id>', 'only what this companion remembers')
    .option(...FORCE_FLAG)
    .action((file, options) => exportMemories(context, file ?? PIPE, options));
  addJsonCommand(
    memories,
    'import <file>',
    'keep the lines of an export; needs a key with the scope import; - is the standard input',
  )
    .option(
      '--companion <id>',
      'all with this companion; each line with its own, or the default one, otherwise',
    )
    .action((file, options) => importMemories(context, file, options));
  addForgetCommands(memories, context);
  addJsonCommand(memories, 'describe', 'describe what is known of you, as a page in Markdown')
    .option(...COMPANION_FLAG)
    .action(async ({ companion, json }) => {
      const description = await api.call(memoryRoutes.describe, { query: { companion } });
      if (json) return terminal.json(description);
      terminal.line(description.page.trimEnd());
    });
  addJsonCommand(
    memories,
    'init',
    'make the vector index ready for the embedding space; needs a key with the scope admin',
  ).action(async ({ json }) => {
    const state = await api.call(memoryRoutes.initIndex);
    if (json) return terminal.json(state);
    terminal.line(`ready: ${describeIndex(state)}`);
  });
  addJsonCommand(
    memories,
    'reindex',
    'make the vector index equal to the memories; needs a key with the scope admin',
  )
    .option('--no-wait', 'order it, and leave')
    .action((options) => reindexMemories(context, options));
}

/** Corrects, pins or releases a memory. */
async function changeMemory(
  { api, terminal }: CommandContext,
  given: string,
  change: MemoryChange,
  asJson = false,
): Promise<void> {
  const { id } = await namedMemory(api, given);
  const changed = await api.call(memoryRoutes.change, { params: { id }, body: change });
  if (asJson) return terminal.json(changed);
  terminal.table([changed], MEMORY_COLUMNS);
}

/** Words for a list without memories: there are none at all, or none that pass its filter. */
function noneOf(filter: MemoryFilter): string {
  const isOfAll = Object.values(filter).every((value) => value === undefined);
  return isOfAll ? 'there are no memories yet' : 'no such memories';
}
