import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ALL_ROUTES, chatSocket } from '@kith/contracts';
import { codeOf, FENCE, GUIDES, namesSettings, PAGES, read, root } from './guide-pages.js';

const LINKED = [...new Set([...PAGES, ...markdownIn('docs')])];
const codes = PAGES.flatMap(codeOf);
/** Codes of all pages, line by line. */
const lines = codes.flatMap(({ page, text }) =>
  text.split('\n').map((line) => ({ page, line: line.trim() })),
);

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

/** A heading's anchor, as GitHub makes it. */
function anchorOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
}

function anchorsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replaceAll(FENCE, '');
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => anchorOf(heading!.trim()));
}

describe('links', () => {
  it.each(LINKED)('of %s lead to a file that exists, and to a heading of it', (page) => {
    const text = read(page).replaceAll(FENCE, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
    const broken = targets.filter((target) => {
      if (/^(?:https?|mailto):/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(root, page) : join(root, dirname(page), path);
      if (relative(root, file).startsWith('..') || !existsSync(file)) return true;
      return anchor !== undefined && (statSync(file).isDirectory() || !anchorsOf(file).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  it('lead from the README to every guide', () => {
    for (const guide of GUIDES) expect(read('README.md')).toContain(`](${guide})`);
  });
});

/** Parts of a command of `commander` that are looked at here. */
interface CliCommand {
  name(): string;
  aliases(): string[];
  commands: readonly CliCommand[];
  registeredArguments: readonly unknown[];
  options: readonly { long?: string }[];
}

describe('commands', () => {
  it('of kith exist, with the options that are named', async () => {
    const { buildProgram } = (await import(join(root, 'apps/cli/src/build-program.ts'))) as {
      buildProgram: (parts: object) => CliCommand;
    };
    const program = buildProgram({});
    const called = lines.flatMap(({ page, line }) =>
      [...line.matchAll(/(?<![\w/.@-])kith (?=[a-z-])([^#|`(]*)/g)].map(([, words]) => ({
        page,
        words: words!,
      })),
    );
    expect(called.length).toBeGreaterThan(50);
    expect(called.filter(({ words }) => !isKnown(program, words))).toEqual([]);
  });

  function isKnown(program: CliCommand, words: string): boolean {
    const parts = words.replaceAll(/"[^"]*"/g, 'TEXT').split(/[;,.:]?\s+|[;,.:]$/);
    const path = [program];
    for (const part of parts) {
      const next = path.at(-1)!.commands.find((one) => [one.name(), ...one.aliases()].includes(part));
      if (!next) break;
      path.push(next);
    }
    const last = path.at(-1)!;
    if (last === program) return parts[0]!.startsWith('--');
    // A word after a group of commands names one of them, unless the group itself takes something.
    const isNamed = /^[a-z][a-z-]*$/.test(parts[path.length - 1] ?? '');
    if (isNamed && last.commands.length > 0 && last.registeredArguments.length === 0) return false;
    const known = path.flatMap(({ options }) => options.map(({ long }) => long));
    const named = parts.filter((part) => part.startsWith('--'));
    return named.every((option) => known.includes(option));
  }

  it('of npm and the scripts exist', () => {
    const scriptsOf = (folder: string) =>
      (JSON.parse(read(join(folder, 'package.json'))) as { scripts: Record<string, string> }).scripts;
    const missing = lines.flatMap(({ page, line }) => [
      ...[...line.matchAll(/npm run (?:--silent )?([\w:-]+)(?: -w ([\w/-]+))?/g)]
        .filter(([, name, folder = '']) => !(name! in scriptsOf(folder)))
        .map(([whole]) => `${page}: ${whole}`),
      ...[...line.matchAll(/\.\/(scripts\/[\w-]+)|node (tools\/[\w.-]+)/g)]
        .filter(([, script, tool]) => !existsSync(join(root, (script ?? tool)!)))
        .map(([whole]) => `${page}: ${whole}`),
    ]);
    expect(missing).toEqual([]);
  });

  it('of a chat in the terminal, and of Discord, exist with their options', async () => {
    const known = await discordCommands();
    const chat = [...read('apps/cli/src/chat/read-input.ts').matchAll(/'(\/\w+)':/g)].map(
      ([, name]) => name!,
    );
    const called = codes.filter(({ text, isBlock }) => !isBlock && /^\/[a-z-]+(?: |$)/.test(text));
    const unknown = called.filter(({ text }) => {
      if (chat.includes(text) || OTHER_PATHS.includes(text)) return false;
      const [, name, options = ''] = /^\/([a-z-]+(?: (?![a-z-]+:)[a-z-]+)?) ?(.*)$/.exec(text)!;
      const takes = known.get(name!);
      return !takes || [...options.matchAll(/([a-z-]+):/g)].some(([, option]) => !takes.includes(option!));
    });
    expect(called.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });
});

/** Pages that the gateway and the services serve beside the API. */
const OTHER_PATHS = ['/docs', '/metrics'];

interface DiscordOption {
  name: string;
  type: number;
  options?: DiscordOption[];
}
/** Discord's type of an option that is a subcommand. */
const SUBCOMMAND = 1;

/** Reads the options of each slash command, by `companion settings` and the like; a group has none. */
async function discordCommands(): Promise<ReadonlyMap<string, string[]>> {
  const { DEFINITIONS } = (await import(
    join(root, 'services/discord-bot/dist/commands/desk/commands.js')
  )) as { DEFINITIONS: DiscordOption[] };
  return new Map(
    DEFINITIONS.flatMap(({ name, options = [] }) => [
      [name, []] as const,
      ...options
        .filter(({ type }) => type === SUBCOMMAND)
        .map((one) => [`${name} ${one.name}`, (one.options ?? []).map((option) => option.name)] as const),
    ]),
  );
}

describe('settings', () => {
  it('that are named stand in .env.example, or are read by a script', () => {
    const example = new Set(
      [...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
    );
    const scripts = readdirSync(join(root, 'scripts'))
      .map((name) => read(`scripts/${name}`))
      .join('\n');
    const onPages = lines.filter(({ page }) => namesSettings(page));
    const named = onPages.flatMap(({ page, line }) =>
      [...line.matchAll(/(?<![\w…-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)/g)].map(([name]) => ({ page, name })),
    );
    const isKnown = (name: string) =>
      example.has(name) || scripts.includes(name) || NOT_SETTINGS.includes(name);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ name }) => !isKnown(name))).toEqual([]);
  });
});

/** A placeholder of an address, and how the tests are run by hand. */
const NOT_SETTINGS = ['APP_ID', 'NODE_OPTIONS'];

describe('routes', () => {
  it('that are named are served', () => {
    const served: { method: string; path: string }[] = [
      ...ALL_ROUTES,
      { method: 'GET', path: chatSocket.path },
    ];
    const named = lines.flatMap(({ page, line }) =>
      [...line.matchAll(/(?:\b(GET|POST|PUT|PATCH|DELETE) )?(\/v1\/[\w/{}:-]+)/g)].map(
        ([, method, path]) => ({ page, method, path: path! }),
      ),
    );
    const unknown = named.filter(
      ({ method, path }) =>
        !served.some(
          (route) => (method === undefined || route.method === method) && isPath(path, route.path),
        ),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(unknown).toEqual([]);
  });

  it('are all on docs/http-api.md, as node tools/http-api.mjs writes it', async () => {
    const tool = (await import(join(root, 'tools/http-api.mjs'))) as { httpApiPage(): string };
    expect(read('docs/http-api.md')).toBe(tool.httpApiPage());
  });

  function isPath(named: string, served: string): boolean {
    const [one, other] = [named, served].map((path) => path.split('/'));
    return (
      one!.length === other!.length &&
      other!.every((part, index) => part.startsWith('{') || part === one![index])
    );
  }
});
