import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { readDocument } from '@kith/characters';
import {
  counted,
  documentRoutes,
  loreRoutes,
  MAX_DOCUMENT_CHARACTERS,
  type DocumentFormat,
} from '@kith/contracts';
import { bytesOf, explained } from '../companions/characters.js';
import { findCompanion } from '../companions/find-companion.js';
import { CliError } from '../input/cli-error.js';
import { readText, sizeOf } from '../input/files.js';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { COMPANION_FLAG, whole } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';

const FORMATS: Readonly<Record<string, DocumentFormat>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.txt': 'text',
  '.html': 'html',
  '.htm': 'html',
  '.pdf': 'pdf',
};
/** Files that can fit: a character takes three bytes of UTF-8 at most, and base64 makes a PDF a third larger. */
const MAX_BYTES = { pdf: (MAX_DOCUMENT_CHARACTERS * 3) / 4, text: MAX_DOCUMENT_CHARACTERS * 3 };

/** Adds the commands for documents and lore. */
export function addKnowledgeCommands(program: Command, { api, terminal }: CommandContext): void {
  const documents = addCommand(program, 'documents', 'add, list and remove texts for a companion to know');
  addJsonCommand(
    documents,
    'add <file>',
    'add a Markdown, text, HTML or PDF file; needs a key with the scope import',
  )
    .option('--title <title>', 'how replies cite it; the name of the file otherwise')
    .option(...COMPANION_FLAG)
    .action(async (file, { title, companion, json }) => {
      const told = title ?? basename(file, extname(file));
      const cited = { title: told.replaceAll(/[\n[\]›]/g, ' ').slice(0, 120), companion };
      const body = { ...cited, ...(await contentOf(file)) };
      const document = await api.call(documentRoutes.add, { body });
      if (json) return terminal.json(document);
      const aside = document.quarantined > 0 ? `, ${document.quarantined} of them in quarantine` : '';
      const parts = counted(document.chunks, 'part');
      terminal.line(`${document.companion} knows "${document.title}" now: ${parts}${aside}`);
    });
  addJsonCommand(documents, 'list', 'list what there is').action(async ({ json }) => {
    const { documents } = await api.call(documentRoutes.list);
    if (json) return terminal.json(documents);
    if (documents.length === 0) return terminal.note('no documents yet: kith documents add FILE');
    terminal.table(documents, [
      { header: 'id', value: ({ documentId }) => documentId },
      { header: 'added', value: ({ addedAt }) => addedAt.slice(0, 10) },
      { header: 'for', value: ({ companion }) => companion },
      { header: 'parts', value: ({ chunks }) => String(chunks), align: 'right' },
      { header: 'title', value: ({ title }) => title, flexible: true },
    ]);
  });
  addCommand(documents, 'remove <id>', 'remove a text with all that was kept of it').action(async (id) => {
    const { chunks } = await api.call(documentRoutes.remove, { params: { id } });
    terminal.line(`removed, with its ${counted(chunks, 'part')}`);
  });

  const lore = addCommand(
    program,
    'lore',
    'show and change what a companion knows of its world; needs a key with the scope admin',
  );
  addJsonCommand(lore, 'list', 'list every entry, in the order that prompts have them in')
    .option(...COMPANION_FLAG)
    .action(async ({ companion, json }) => {
      const { id } = await findCompanion({ api }, companion);
      const { entries } = await api.call(loreRoutes.list, { params: { id } });
      if (json) return terminal.json(entries);
      if (entries.length === 0)
        return terminal.note('no lore yet: kith lore add NAME TEXT --keys, or kith lore import FILE');
      terminal.table(entries, [
        { header: 'id', value: (entry) => entry.id },
        { header: 'name', value: ({ name, enabled }) => (enabled ? name : `${name} (off)`) },
        { header: 'keys', value: ({ keys, constant }) => (constant ? '(always)' : keys.join(', ')) },
        { header: 'text', value: ({ content }) => content, flexible: true },
      ]);
    });
  addJsonCommand(lore, 'add <name> <text...>', 'keep an entry; it takes the place of its namesake')
    .option('--keys <words...>', 'words or phrases that call it up')
    .option('--with <words...>', 'one of these has to come up as well')
    .option('--always', 'in every prompt, keys or not')
    .option('--priority <n>', 'which stays when the room is short: higher first', whole)
    .option('--off', 'keep it, but out of prompts')
    .option(...COMPANION_FLAG)
    .action(async (name, text, { keys, with: others, always, priority, off, companion, json }) => {
      if (!keys && !always)
        throw new CliError('give --keys, or --always: without either nothing calls it up', 2);
      const entry = {
        name,
        content: text.join(' '),
        keys: keys ?? [],
        secondaryKeys: others ?? [],
        priority,
        constant: always ?? false,
        enabled: !off,
      };
      const { id } = await findCompanion({ api }, companion);
      const kept = await api.call(loreRoutes.put, { params: { id }, body: entry });
      if (json) return terminal.json(kept);
      const when = kept.constant ? 'always' : `when ${kept.keys.join(' or ')} comes up`;
      terminal.line(`${kept.name} is told ${when}`);
    });
  addJsonCommand(
    lore,
    'import <file>',
    'keep a lorebook, SillyTavern’s world info (JSON), or that of a Tavern card (JSON or PNG)',
  )
    .option(...COMPANION_FLAG)
    .action(async (file, { companion, json }) => {
      const book = await readBook(file);
      const { id } = await findCompanion({ api }, companion);
      const result = await api.call(loreRoutes.import, { params: { id }, body: { book } });
      if (json) return terminal.json(result);
      const { added, replaced, left } = result;
      const others = `${replaced} replaced, ${left.length} left out`;
      terminal.line(`${counted(added, 'entry', 'entries')} added, ${others}`);
      for (const { name, why } of left) terminal.line(`  left out: ${name} (${why})`);
    });
  addJsonCommand(lore, 'test <text...>', 'show what a text would call up, and by which key')
    .option(...COMPANION_FLAG)
    .action(async (words, { companion, json }) => {
      const { id } = await findCompanion({ api }, companion);
      const body = { text: words.join(' ') };
      const { hits, left } = await api.call(loreRoutes.match, { params: { id }, body });
      if (json) return terminal.json(hits);
      if (hits.length + left.length === 0) return terminal.note('that calls up nothing');
      if (hits.length > 0)
        terminal.table(hits, [
          { header: 'name', value: ({ name }) => name },
          { header: 'by', value: ({ key }) => key ?? '(always)' },
          { header: 'text', value: ({ content }) => content, flexible: true },
        ]);
      for (const { name, key } of left)
        terminal.note(`no room in the prompt for ${name}, called up by ${key ?? '(always)'}`);
    });
  addCommand(lore, 'remove <id>', 'remove an entry')
    .option(...COMPANION_FLAG)
    .action(async (entry, { companion }) => {
      const { id } = await findCompanion({ api }, companion);
      const { removed } = await api.call(loreRoutes.remove, { params: { id, entry } });
      terminal.line(`removed: ${removed}`);
    });
}

/** Reads a document in one of the known formats. @throws CliError for a file that can't be read, or of another format */
async function contentOf(file: string): Promise<{ format: DocumentFormat; content: string }> {
  const format = FORMATS[extname(file).toLowerCase()];
  if (!format) throw new CliError(`${file}: give a ${Object.keys(FORMATS).join(', ')} file`, 2);
  const size = await sizeOf(file);
  if (size === 0) throw new CliError(`${file} is empty`, 2);
  const most = MAX_BYTES[format === 'pdf' ? 'pdf' : 'text'];
  if (size > most) throw new CliError(`${file} is larger than ${most / 1_000} KB: cut it into parts`, 2);
  return { format, content: await (format === 'pdf' ? readFile(file, 'base64') : readText(file)) };
}

/** Reads a lorebook, or the card that has one. @throws CliError for a file that can't be read, or is neither */
async function readBook(file: string): Promise<unknown> {
  const bytes = await bytesOf(file);
  return explained(basename(file), () => readDocument(bytes));
}
