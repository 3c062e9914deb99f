// Draws which room imports which, as a Mermaid flowchart for each service, app and library.   usage: npm run --silent drawing -- [NAME…]
import { dirname } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import config, { LEVELS, TESTS } from '../.dependency-cruiser.mjs';

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(LEVELS);
const unknown = names.filter((name) => !(name in LEVELS));
if (unknown.length > 0) {
  console.error(
    `Nothing has rooms by the name of ${unknown.join(', ')}: ${Object.keys(LEVELS).join(', ')} have.`,
  );
  process.exit(1);
}

const { tsConfig, enhancedResolveOptions, ...options } = config.options;
const { output } = await cruise(
  ['services', 'apps', 'libs'],
  {
    ...options,
    includeOnly: { path: `^[a-z]+/(${names.join('|')})/src/` },
    exclude: { path: [...options.exclude.path, TESTS] },
  },
  enhancedResolveOptions,
  { tsConfig: extractTSConfig(tsConfig.fileName) },
);
for (const name of names) draw(name, LEVELS[name]);

/** Prints a frame for each level, the top one first. An arrow that leads up or across is thick, and fails the run. */
function draw(name, levels) {
  const levelOf = (room) => levels.findIndex((level) => level.includes(room));
  const arrows = arrowsOf(name).filter((ends) => ends.every((room) => levelOf(room) >= 0));
  const wrong = arrows.filter(([from, to]) => levelOf(from) <= levelOf(to));
  console.log(`---\ntitle: ${name}\n---\nflowchart TD`);
  for (const [index, level] of [...levels.entries()].toReversed()) {
    console.log(`  subgraph level-${index + 1}\n${level.map((room) => `    ${room}`).join('\n')}\n  end`);
  }
  for (const arrow of arrows) console.log(`  ${arrow.join(wrong.includes(arrow) ? ' ==> ' : ' --> ')}`);
  console.log(`%% ${arrows.length} arrows, of which ${wrong.length} lead up or across\n`);
  if (wrong.length > 0) process.exitCode = 1;
}

/** Pairs of rooms of which the first imports the second. */
function arrowsOf(name) {
  const roomOf = (path) => dirname(path.replace(new RegExp(`^[a-z]+/${name}/src/`), ''));
  const arrows = output.modules
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => [source, resolved]))
    .filter(([from]) => from.split('/')[1] === name)
    .map((ends) => ends.map(roomOf).join(' '));
  return [...new Set(arrows)]
    .toSorted()
    .map((arrow) => arrow.split(' '))
    .filter(([from, to]) => from !== to);
}
