// Bundles the programs of the services and of the CLI, with their packages, into few files: what a suite runs. A process
// that reads some 2,000 files takes twice the CPU to start, and 15 MB more. Called after the build; does nothing where its bundle is made.
//   node tools/bundle-programs.mjs [FOLDER]    into that folder, or else where the suite looks for it (docs/decisions/0055)
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { SERVICES, bundleOf } from '../libs/embedded/dist/index.js';
import { serviceVariables } from './service-settings.mjs';

// Read as rolldown is loaded. Without it rolldown's allocator takes whole huge pages, mostly for nothing: 250 MB of memory,
// and a quarter of all the CPU that this takes.
process.env.MIMALLOC_ARENA_EAGER_COMMIT = '0';
const { rolldown } = await import('rolldown');

const ROOT = join(import.meta.dirname, '..');
/** Programs to bundle, laid out as in the checkout. */
const PROGRAMS = [
  'apps/cli/dist/main',
  'libs/embedded/dist/run-placed',
  ...SERVICES.flatMap(({ name }) => ['service', 'main'].map((file) => `services/${name}/dist/${file}`)),
];
/** Packages left out: they are slow to load and seldom needed, or look for files beside them. */
const AS_THEY_ARE =
  /^(?:@(?:anthropic-ai|bull-board|google|huggingface|modelcontextprotocol|qdrant|resvg)\/|(?:@prisma\/client|discord\.js|gpt-tokenizer|groq-sdk|ollama|onnxruntime-node|openai|pg-native|swagger-ui-dist|undici|unpdf)(?:\/|$))/;
/** Optional packages that Nest tries to load. */
const ABSENT =
  /^(?:@nestjs\/websockets|@grpc\/|@fastify\/|class-transformer|class-validator|amqp|kafkajs|mqtt|nats)/;
const PACKAGE = /[\\/]node_modules[\\/]/;
/** Own code as the compiler wrote it, which a map of its own leads back to TypeScript. */
const OWN = /[\\/](?:apps|libs|services)[\\/][^\\/]+[\\/]dist[\\/].*\.js$/;

/** Keeps `import.meta` and `__dirname` at the module's own place, where its data and its threads' programs lie. */
function inPlace(code, id) {
  if (!/import\.meta|__dirname|__filename/.test(code)) return code;
  return code
    .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
    .replaceAll(/\b(?:import\.meta\.dirname|__dirname)\b/g, JSON.stringify(dirname(id)))
    .replaceAll(/\b(?:import\.meta\.filename|__filename)\b/g, JSON.stringify(id));
}

const asBuilt = {
  name: 'as-built',
  async load(id) {
    if (PACKAGE.test(id) || !OWN.test(id)) return null;
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
    return { code: inPlace(code, id), map };
  },
  transform(code, id) {
    return PACKAGE.test(id) ? { code: inPlace(code, id), map: null } : null;
  },
};

/** Name of what stands for `node:http`: among the packages, several of which need it. */
const HTTP = '\0/node_modules/http';
/**
 * Takes `node:http` as `require` would. An import reads everything that it exports, for which Node loads its whole client
 * for `fetch`: a tenth of a service's start, also where nothing is ever fetched.
 */
const httpWithoutFetch = {
  name: 'http-without-fetch',
  resolveId(source, _importer, { kind }) {
    return kind === 'import-statement' && /^(?:node:)?http$/.test(source) ? HTTP : null;
  },
  load(id) {
    return id === HTTP ? 'module.exports = process.getBuiltinModule("node:http");' : null;
  },
};

/** Writes a packages' chunk in ASCII: one sign beyond Latin-1 doubles what V8 holds of a whole file. */
function inAscii(code) {
  return code.replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
  );
}

/**
 * Leaves of a map what leads to a line: a stack names lines, and Node holds each mapping of a file as a list of its own from
 * the first error on that comes from there, 20 MB for all services.
 */
function toLines(mappings) {
  const lines = decode(mappings).map((segments) => {
    let last = '';
    return segments.filter(([, source, line]) => {
      const place = `${source} ${line}`;
      const isNew = source !== undefined && place !== last;
      last = place;
      return isNew;
    });
  });
  return encode(lines.map((segments) => segments.map((segment) => segment.slice(0, 4))));
}

/**
 * Removes bundles of former builds, but for those that a suite runs, which loads parts of them later and starts anew from it,
 * and the newest, from which a command of the terminal may still load.
 */
async function removeFormer(place) {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'args='], { maxBuffer: 2 ** 24 }).catch(
    () => ({ stdout: null }),
  );
  const made = (await readdir(dirname(place))).filter((name) => /^[0-9a-f]{16}$/.test(name));
  const former = made.map((name) => join(dirname(place), name)).filter((folder) => folder !== place);
  const ages = await Promise.all(
    former.map(async (folder) => ({ folder, at: (await stat(folder)).mtimeMs })),
  );
  const older = ages.toSorted((a, b) => b.at - a.at).slice(1);
  for (const { folder } of older)
    if (stdout !== null && !stdout.includes(folder)) await rm(folder, { recursive: true, force: true });
}

const asked = process.argv[2];
const place = asked === undefined ? await bundleOf(ROOT) : resolve(asked);
if (existsSync(place)) process.exit();
await mkdir(dirname(place), { recursive: true });
const making = await mkdtemp(`${place}.`);
try {
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((name) => [name, join(ROOT, `${name}.js`)])),
    platform: 'node',
    external: (id) => AS_THEY_ARE.test(id) || ABSENT.test(id),
    plugins: [asBuilt, httpWithoutFetch],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({
    dir: making,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) =>
      name.startsWith('packages') ? 'packages/[hash].js' : 'own/[name]-[hash].js',
    keepNames: true,
    sourcemap: true,
    codeSplitting: { groups: [{ name: 'packages', test: PACKAGE, entriesAware: true }] },
  });
  for (const { type, fileName, code, map, moduleIds } of output) {
    if (type !== 'chunk') continue;
    const file = join(making, fileName);
    await mkdir(dirname(file), { recursive: true });
    if (moduleIds.every((id) => PACKAGE.test(id))) {
      await writeFile(file, inAscii(code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')));
      continue;
    }
    await writeFile(file, code);
    // A program that only imports has none.
    if (!map) continue;
    await writeFile(
      `${file}.map`,
      JSON.stringify({ ...map, mappings: toLines(map.mappings), names: [], sourcesContent: undefined }),
    );
  }
  await writeFile(join(making, 'package.json'), '{ "type": "module" }');
  // Spares each start of a suite a process that loads every service's declarations.
  await writeFile(join(making, 'service-variables.json'), JSON.stringify(await serviceVariables()));
  // In an image another user runs it than made it.
  await chmod(making, 0o755);
  await rename(making, place).catch((error) => {
    // Another build was sooner with the same.
    if (!existsSync(place)) throw error;
  });
  if (asked === undefined) await removeFormer(place);
} finally {
  await rm(making, { recursive: true, force: true });
}
