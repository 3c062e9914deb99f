// Weeks of a companion among people, in seconds: whom would it write to, when and why, and how would it feel?
//   npm run simulate -- --days 30 --people FILE --seed S [--seeds N] [--from DAY] [--out DIRECTORY]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Resvg } from '@resvg/resvg-js';
import { readNumber } from '../../bench/options.ts';
import { loadPersonas, SHIPPED_FOLDER } from '../../services/personality/dist/persona/load-personas.js';
import { checkSeeds } from './check-seeds.ts';
import { checkStories, type Breach } from './check-stories.ts';
import { drawMoods } from './draw-moods.ts';
import { readPeople, type Person } from './people.ts';
import { printCalendar } from './print-calendar.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '30' },
    people: { type: 'string', default: join(import.meta.dirname, 'people.json') },
    seed: { type: 'string', default: '1' },
    // So many seeds from that one on: only the rules are checked, nothing is drawn.
    seeds: { type: 'string', default: '1' },
    // Within these thirty days the clocks change, in America and in Europe.
    from: { type: 'string', default: '2026-03-01' },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
});
const days = readNumber('days', values.days);
const seed = readNumber('seed', values.seed);
const seeds = readNumber('seeds', values.seeds);
if (days > 366) {
  console.error('simulate: --days are 366 at most');
  process.exit(2);
}
if (Number.isNaN(Date.parse(values.from))) {
  console.error('simulate: --from is a day such as 2026-03-01');
  process.exit(2);
}

const people = await peopleOf(values.people);
if (seeds > 1) await checkMany();
const persona = (await loadPersonas([SHIPPED_FOLDER])).personas[0]!;
const started = performance.now();
const stories = simulate({ people, persona, days, seed, from: values.from });
const tookS = ((performance.now() - started) / 1_000).toFixed(1);

console.log(printCalendar(stories, days));
const image = join(values.out, 'moods.png');
await mkdir(values.out, { recursive: true });
await writeFile(image, rendered(drawMoods(stories, days)));
console.log(`\n${people.length} people, ${days} days, seed ${seed}: ${tookS} s. Moods: ${image}`);

const breaches = checkStories(stories, days);
tellOf(breaches);
if (breaches.length === 0) console.log('All rules held.');
process.exit(breaches.length === 0 ? 0 : 1);

async function checkMany(): Promise<never> {
  let [played, broken] = [0, 0];
  await checkSeeds({ people, days, from: values.from, seed, seeds }, (result) => {
    played += 1;
    if (result.breaches.length > 0) broken += 1;
    tellOf(result.breaches, `seed ${result.seed}: `);
    if (played % 10 === 0) console.log(`${played} of ${seeds} seeds played, ${broken} with a breach`);
  });
  console.log(`${people.length} people, ${days} days, ${played} seeds from ${seed}: ${broken} with a breach`);
  process.exit(played === seeds && broken === 0 ? 0 : 1);
}

function tellOf(some: readonly Breach[], prefix = ''): void {
  for (const { rule, person, detail } of some) console.error(`${prefix}BREACH ${rule}: ${person}: ${detail}`);
}

async function peopleOf(file: string): Promise<Person[]> {
  try {
    return readPeople(file, await readFile(file, 'utf8'));
  } catch (error) {
    console.error(`simulate: ${(error as Error).message}`);
    process.exit(2);
  }
}

function rendered(svg: string): Uint8Array {
  const font = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  const options = { font: { fontFiles: [font], loadSystemFonts: false, defaultFontFamily: 'DejaVu Sans' } };
  return new Resvg(svg, options).render().asPng();
}
