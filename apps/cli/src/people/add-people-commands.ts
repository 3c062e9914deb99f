import type { Command } from '@commander-js/extra-typings';
import { ApiScope } from '@kith/contracts';
import { JSON_FLAG, positive } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { createKey, listKeys, printSignInLink, revokeKeys } from './keys.js';
import { erasePerson, listErasures, listPeople } from './people.js';

/** Adds the commands for people, their keys, and a browser's sign-in. */
export function addPeopleCommands(program: Command, context: () => CommandContext): void {
  const people = program
    .command('people')
    .description('list and erase people; needs a key with the scope admin');
  people
    .command('list', { isDefault: true })
    .description('list everyone, with the doors they come by')
    .option('--limit <n>', 'how many', positive, 50)
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
    .description('list the receipts of erasures, newest first')
    .option('--limit <n>', 'how many', positive, 50)
    .option(...JSON_FLAG)
    .action((options) => listErasures(context(), options));

  const keys = program
    .command('keys')
    .description('list, make and end API keys; needs a key with the scope admin');
  keys
    .command('list')
    .description('list every key without the key itself: its owner, scopes and last use')
    .option('--person <id>', 'only theirs')
    .option('--limit <n>', 'how many', positive, 50)
    .option(...JSON_FLAG)
    .action((options) => listKeys(context(), options));
  keys
    .command('revoke <id...>')
    .description('end keys, by the ids that list shows')
    .action((ids: string[]) => revokeKeys(context(), ids));
  keys
    .command('create')
    .description('make a key; it is shown this once')
    .requiredOption('--person <name>', 'its owner: a name for a new person, or the id of a known one')
    .option('--name <name>', 'name of the key in lists', 'cli')
    .option('--scope <scopes>', `its scopes, of ${ApiScope.options.join(',')}`, 'chat,memories,outreach')
    .option('--expires <date>', 'until when, such as 2027-12-31')
    .option('--reason <words>', 'why it is to act as another known person, who is told')
    .option(...JSON_FLAG)
    .action((options) => createKey(context(), options));

  program
    .command('login')
    .description('print a link that signs one browser in as you, once, within ten minutes')
    .action(() => printSignInLink(context()));
}
