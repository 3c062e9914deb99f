import { counted, loreRoutes } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { readText } from '../input/files.js';
import type { CommandContext } from '../suite/command-context.js';
import { findCompanion } from '../companions/companions.js';

interface Options {
  companion?: string;
  json?: boolean;
}

/** Finds the companion that the lore is of, as a route's parameter. */
async function paramsOf(context: CommandContext, { companion }: Options): Promise<{ id: string }> {
  const { id } = await findCompanion(context, companion);
  return { id };
}

/** Prints every entry of a companion, in the order that prompts have them in. */
export async function listLore(context: CommandContext, options: Options): Promise<void> {
  const { terminal } = context;
  const params = await paramsOf(context, options);
  const { entries } = await context.api.call(loreRoutes.list, { params });
  if (options.json) return terminal.json(entries);
  if (entries.length === 0)
    return terminal.note('no lore yet: kith lore add NAME TEXT --keys, or kith lore import FILE');
  terminal.table(entries, [
    { header: 'id', value: ({ id }) => id },
    { header: 'name', value: ({ name, enabled }) => (enabled ? name : `${name} (off)`) },
    { header: 'keys', value: ({ keys, constant }) => (constant ? '(always)' : keys.join(', ')) },
    { header: 'text', value: ({ content }) => content.replaceAll(/\s+/g, ' '), flexible: true },
  ]);
}

/** Keeps one entry; its namesake is replaced. */
export async function addLore(
  context: CommandContext,
  { name, content }: { name: string; content: string },
  options: Options & { keys?: string[]; with?: string[]; always?: boolean; priority?: number; off?: boolean },
): Promise<void> {
  if (!options.keys && !options.always)
    throw new CliError('give --keys, or --always: without either nothing calls it up', 2);
  const entry = {
    ...{ name, content, keys: options.keys ?? [], secondaryKeys: options.with ?? [] },
    constant: options.always ?? false,
    enabled: !options.off,
    priority: options.priority,
  };
  const params = await paramsOf(context, options);
  const kept = await context.api.call(loreRoutes.put, { params, body: entry });
  if (options.json) return context.terminal.json(kept);
  context.terminal.line(
    `${kept.name} is told ${kept.constant ? 'always' : `when ${kept.keys.join(' or ')} comes up`}`,
  );
}

/** Keeps a lorebook. @throws CliError for a file that can't be read */
export async function importLore(context: CommandContext, file: string, options: Options): Promise<void> {
  const text = await readText(file);
  let book: unknown;
  try {
    book = JSON.parse(text);
  } catch {
    throw new CliError(`${file} is not JSON: give a lorebook, a card or world info as JSON`, 2);
  }
  const params = await paramsOf(context, options);
  const result = await context.api.call(loreRoutes.import, { params, body: { book } });
  if (options.json) return context.terminal.json(result);
  context.terminal.line(
    `${counted(result.added, 'entry', 'entries')} added, ${result.replaced} replaced, ${result.left.length} left out`,
  );
  for (const { name, why } of result.left) context.terminal.line(`  left out: ${name} (${why})`);
}

/** Shows the entries that a text would call up, and by which key. */
export async function testLore(context: CommandContext, text: string, options: Options): Promise<void> {
  const params = await paramsOf(context, options);
  const { hits, left } = await context.api.call(loreRoutes.match, { params, body: { text } });
  if (options.json) return context.terminal.json(hits);
  if (hits.length + left.length === 0) return context.terminal.note('that calls up nothing');
  if (hits.length > 0)
    context.terminal.table(hits, [
      { header: 'name', value: ({ name }) => name },
      { header: 'by', value: ({ key }) => key ?? '(always)' },
      { header: 'text', value: ({ content }) => content.replaceAll(/\s+/g, ' '), flexible: true },
    ]);
  for (const { name, key } of left)
    context.terminal.note(`no room in the prompt for ${name}, called up by ${key ?? '(always)'}`);
}

export async function removeLore(context: CommandContext, id: string, options: Options): Promise<void> {
  const params = { ...(await paramsOf(context, options)), entry: id };
  const { removed } = await context.api.call(loreRoutes.remove, { params });
  context.terminal.line(`removed: ${removed}`);
}
