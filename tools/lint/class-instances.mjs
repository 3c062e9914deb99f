// Fails where something that is no instance of a class is passed for one, by the rule no-unsafe-class-instance-assignment.
// The engine of oxlint's typed rules has it and oxlint does not know it yet, so the engine is asked by itself, in the way
// oxlint asks it. `node tools/lint/class-instances.mjs [FILE…]`
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const RULE = 'no-unsafe-class-instance-assignment';
/** Says, on the line before, that a finding is meant. */
const ALLOWED = `// allowed: ${RULE}`;
/** Bytes before each message: its length, and its kind. */
const HEADER = 5;
const ENGINE = join(
  createRequire(import.meta.url).resolve('oxlint-tsgolint/package.json'),
  '../../@oxlint-tsgolint',
  `${process.platform}-${process.arch}`,
  process.platform === 'win32' ? 'tsgolint.exe' : 'tsgolint',
);

const given = process.argv.slice(2);
const sources = ['libs/*/src/**/*.ts', 'services/*/src/**/*.ts', 'apps/*/src/**/*.{ts,tsx}'];
// A test's double has the part of a class that its test needs.
const tests = /\.test\.tsx?$|\/(?:testing-[^/]*|(?:contract-suite|e2e|generated)\/.*)$|^libs\/testing\//;
const files =
  given.length > 0
    ? given.map((path) => resolve(path))
    : globSync(sources, { cwd: ROOT })
        .filter((path) => !tests.test(path))
        .map((path) => join(ROOT, path));

const asked = { version: 2, configs: [{ file_paths: files, rules: [{ name: RULE }] }] };
const { status, stdout, stderr, error } = spawnSync(ENGINE, ['headless'], {
  cwd: ROOT,
  input: JSON.stringify(asked),
  env: { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB', GOMAXPROCS: '1' },
  maxBuffer: 64 * 1024 * 1024,
});
if (error) throw error;
const problems = status === 0 && files.length > 0 ? [] : [`nothing was looked at: ${String(stderr)}`];
const allowed = new Set(
  files.flatMap((path) => (readFileSync(path, 'utf8').includes(ALLOWED) ? [relative(ROOT, path)] : [])),
);
for (const finding of findingsIn(stdout)) {
  const { file_path: path, range, message } = finding;
  if (range === undefined) {
    problems.push(JSON.stringify(finding));
    continue;
  }
  const before = Buffer.from(readFileSync(path)).subarray(0, range.pos).toString().split('\n');
  if (before.at(-2)?.trim() === ALLOWED) allowed.delete(relative(ROOT, path));
  else problems.push(`${relative(ROOT, path)}:${String(before.length)} ${message.description}`);
}
for (const path of allowed) problems.push(`${path} allows ${RULE}, which nothing there needs`);
for (const problem of problems) console.error(problem);
console.log(`${String(files.length)} files, ${String(problems.length)} problems with instances of classes`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Reads what the engine says: each message as JSON behind its header. */
function findingsIn(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + HEADER + bytes.readUInt32LE(at);
    found.push(JSON.parse(bytes.subarray(at + HEADER, end).toString()));
    at = end;
  }
  return found;
}
