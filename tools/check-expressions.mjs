// Fails when a regular expression of the source can take more than linear time: one message would stop a process.
// Needs the packages built. `node tools/check-expressions.mjs [DIRECTORY…]` checks other directories, without exceptions.
// To judge all of the source takes minutes of a processor, so those found safe stand in expressions/safe.json, which this
// writes and which is committed with the expression. `--anew` judges all, whatever stands there.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT_LATER } from './expressions/exceptions.mjs';
import { findExpressions } from './expressions/find-expressions.mjs';
import { judgeExpression } from './expressions/judge-expression.mjs';
import { recordBuilt } from './expressions/record-built.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const RECHECK_VERSION = JSON.parse(
  readFileSync(join(ROOT, 'node_modules/recheck/package.json'), 'utf8'),
).version;
const SAFE = join(import.meta.dirname, 'expressions/safe.json');
/** Expressions that recheck's own process judges at once: as many as a small machine has cores. */
const AT_ONCE = 2;

const { values, positionals } = parseArgs({ options: { anew: { type: 'boolean' } }, allowPositionals: true });
const given = positionals.map((path) => resolve(path));
const directories = given.length > 0 ? given : ['services', 'libs', 'apps'].map((name) => join(ROOT, name));
const builtLater = given.length > 0 ? [] : BUILT_LATER;

const files = directories.flatMap(sourcesIn);
const found = files.flatMap((path) => {
  const text = readFileSync(path, 'utf8');
  return findExpressions(path, text).map((expression) => ({
    ...expression,
    path,
    code: text.split('\n')[expression.line - 1].trim(),
  }));
});
const places = found.filter(({ source }) => source === undefined);
const isListed = ({ path, code }) =>
  builtLater.some((entry) => entry.file === relative(ROOT, path) && code.includes(entry.code));
const toRecord = places.filter((place) => !place.isImplicit && !isListed(place));
const built = await recordBuilt([...new Set(toRecord.map(({ path }) => builtFrom(path)))]);
const expressions = [
  ...found.filter(({ source }) => source !== undefined),
  ...toRecord.flatMap((place) =>
    (built.get(`${place.path}:${place.line}:${place.column}`) ?? []).map((expression) => ({
      ...place,
      ...expression,
    })),
  ),
];

const problems = [];
for (const place of places.filter(({ isImplicit }) => isImplicit)) {
  problems.push(`${placeOf(place)} makes an expression of a string: write it as one`);
}
for (const place of toRecord) {
  if (!built.has(`${place.path}:${place.line}:${place.column}`))
    problems.push(
      `${placeOf(place)} builds an expression only while running: build it when its module loads, or search without one`,
    );
}
const judgedSafe = values.anew || given.length > 0 ? [] : JSON.parse(readFileSync(SAFE, 'utf8'));
const verdicts = await judge(expressions, judgedSafe);
for (const expression of expressions) {
  const verdict = verdicts.get(keyOf(expression));
  if (verdict !== 'safe')
    problems.push(`${placeOf(expression)} ${verdict}: /${expression.source}/${expression.flags}`);
}
for (const entry of builtLater) {
  if (!places.some((place) => relative(ROOT, place.path) === entry.file && place.code.includes(entry.code)))
    problems.push(`exception without need: ${entry.file} ${entry.code}`);
}
if (given.length === 0) writeSafe(verdicts, judgedSafe);
for (const problem of problems) console.error(problem);
if (problems.length > 0) console.error(`${problems.length} of ${expressions.length} expressions`);
// recheck keeps its helper process open.
process.exit(problems.length === 0 ? 0 : 1);

/** Lists the source files of a directory, without tests and without what is generated. */
function sourcesIn(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && !/\.(?:test|d)\.ts$/.test(path))
    .filter((path) => !/\/(?:node_modules|dist|generated|e2e|test-results)\//.test(path));
}

/** Finds the built module of a source file. */
function builtFrom(path) {
  const module = path.replace(/\/src\/(?!.*\/src\/)/, '/dist/').replace(/\.tsx?$/, '.js');
  return existsSync(module) ? module : path;
}

function placeOf({ path, line }) {
  return `${relative(process.cwd(), path)}:${line}`;
}

/** Names an expression in safe.json. Another release of recheck judges all anew. */
function keyOf({ source, flags }) {
  return hash('sha256', JSON.stringify([RECHECK_VERSION, source, flags]), 'base64url').slice(0, 22);
}

/** Judges each expression: `safe`, or what is wrong. */
async function judge(expressions, judgedSafe) {
  const known = new Set(judgedSafe);
  const byKey = new Map(expressions.map((one) => [keyOf(one), one]));
  const verdicts = new Map([...byKey.keys()].filter((key) => known.has(key)).map((key) => [key, 'safe']));
  const open = [...byKey].filter(([key]) => !verdicts.has(key));
  const judgeNext = async () => {
    for (let next = open.pop(); next; next = open.pop()) {
      const [key, { source, flags }] = next;
      verdicts.set(key, await judgeExpression(source, flags));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, judgeNext));
  return verdicts;
}

/** Writes safe.json, of the expressions that are still there. */
function writeSafe(verdicts, judgedSafe) {
  const safe = [...verdicts].filter(([, verdict]) => verdict === 'safe').map(([key]) => key);
  const lines = JSON.stringify(safe.sort(), null, 2) + '\n';
  if (lines !== JSON.stringify(judgedSafe, null, 2) + '\n') writeFileSync(SAFE, lines);
}
