import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cruise, type IConfiguration, type ICruiseResult, type IViolation } from 'dependency-cruiser';

const CONFIG = join(import.meta.dirname, '../../.dependency-cruiser.mjs');

/** Each import of a file that stands alone in a checkout, with the rule that refuses it. */
const REFUSED: [file: string, imports: string, rule: string][] = [
  ['services/memory/src/words/terms.ts', '../recall/recaller.js', 'rooms-of-memory-depend-downwards: words'],
  ['services/personality/src/reading/read.ts', '../night/dream.js', 'rooms-of-personality-depend-downwards'],
  ['services/memory/src/facts/plan.ts', './plan.js', 'no-cycles'],
  ['services/memory/src/rows/view.ts', '../app.module.js', 'rooms-know-nothing-above-them'],
  ['services/memory/src/attic/box.ts', '../words/forms.js', 'every-room-has-a-level'],
  [
    'services/memory/src/lore/lore.ts',
    '../../../gateway/src/safety/links.js',
    'services-never-import-each-other',
  ],
];
const ALLOWED = ['services/memory/src/recall/ranking.ts', '../words/forms.js'] as const;

let checkout: string;
let violations: IViolation[];

// All at once: reading the program is what takes long.
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'kith-boundaries-'));
  const write = async (file: string, text: string) => {
    await mkdir(join(checkout, dirname(file)), { recursive: true });
    await writeFile(join(checkout, file), text);
  };
  for (const [file, imported] of [...REFUSED, ALLOWED]) {
    await write(join(dirname(file), imported.replace('.js', '.ts')), 'export {};');
    await write(file, `import '${imported}';`);
  }
  const { default: config } = (await import(CONFIG)) as { default: IConfiguration };
  const { tsConfig: _, enhancedResolveOptions, ...options } = config.options!;
  const { output } = await cruise(
    ['.'],
    { ...options, baseDir: checkout, validate: true, ruleSet: { forbidden: config.forbidden! } },
    enhancedResolveOptions,
  );
  ({ violations } = (output as ICruiseResult).summary);
});
afterAll(() => rm(checkout, { recursive: true, force: true }));

const rulesBrokenBy = (file: string) =>
  violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

describe('the boundaries', () => {
  it.each(REFUSED)('refuse that %s imports %s', (file, _imported, rule) => {
    expect(rulesBrokenBy(file)).toContainEqual(expect.stringContaining(rule));
  });

  it('let a room import from a room below it', () => expect(rulesBrokenBy(ALLOWED[0])).toEqual([]));
});
