import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../suite/command-context.js';
import { addDocument, listDocuments, removeDocument } from './documents.js';
import { addLore, importLore, listLore, removeLore, testLore } from './lore.js';
import { COMPANION_FLAG, JSON_FLAG, whole } from '../input/options.js';

/** Adds the commands for documents and lore. */
export function addKnowledgeCommands(program: Command, context: () => CommandContext): void {
  const documents = program
    .command('documents')
    .description('add, list and remove texts for a companion to know');
  documents
    .command('add <file>')
    .description('add a Markdown, text, HTML or PDF file; needs a key with the scope import')
    .option('--title <title>', 'how replies cite it; the name of the file otherwise')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((file: string, options) => addDocument(context(), file, options));
  documents
    .command('list')
    .description('list what there is')
    .option(...JSON_FLAG)
    .action((options) => listDocuments(context(), options.json ?? false));
  documents
    .command('remove <id>')
    .description('remove a text with all that was kept of it')
    .action((id: string) => removeDocument(context(), id));

  const lore = program
    .command('lore')
    .description('show and change what a companion knows of its world; needs a key with the scope admin');
  lore
    .command('list')
    .description('list every entry, in the order that prompts have them in')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((options) => listLore(context(), options));
  lore
    .command('add <name> <text...>')
    .description('keep an entry; it takes the place of its namesake')
    .option('--keys <words...>', 'words or phrases that call it up')
    .option('--with <words...>', 'one of these has to come up as well')
    .option('--always', 'in every prompt, keys or not')
    .option('--priority <n>', 'which stays when the room is short: higher first', whole)
    .option('--off', 'keep it, but out of prompts')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((name: string, text: string[], options) =>
      addLore(context(), { name, content: text.join(' ') }, options),
    );
  lore
    .command('import <file>')
    .description('keep a lorebook, a Tavern card or SillyTavern’s world info, as JSON')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((file: string, options) => importLore(context(), file, options));
  lore
    .command('test <text...>')
    .description('show what a text would call up, and by which key')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((text: string[], options) => testLore(context(), text.join(' '), options));
  lore
    .command('remove <id>')
    .description('remove an entry')
    .option(...COMPANION_FLAG)
    .action((id: string, options) => removeLore(context(), id, options));
}
