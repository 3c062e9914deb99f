#!/usr/bin/env node
// Stands between oxlint and the engine of its typed rules, and asks for one more rule of the engine's that oxlint does not
// know yet: no-unsafe-class-instance-assignment, against something that is no instance of a class and is passed for one.
// Asked by itself, the engine would read the whole program a second time. This goes when oxlint knows the rule.
//   OXLINT_TSGOLINT_PATH=tools/lint/typed-engine.mjs oxlint [FILE…]
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { json } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../..');
const ENGINE = join(
  createRequire(import.meta.resolve('oxlint')).resolve('oxlint-tsgolint/package.json'),
  '../../@oxlint-tsgolint',
  `${process.platform}-${process.arch}`,
  process.platform === 'win32' ? 'tsgolint.exe' : 'tsgolint',
);
const ADDED = 'no-unsafe-class-instance-assignment';
/** The rule in whose name oxlint tells what is found, and by which a line is excused: it must know it, and have it on. */
const TOLD_AS = 'no-unsafe-assignment';
/** A test's double has the part of a class that its test needs; tools and benches pass what they have made themselves. */
const EXCUSED =
  /^(?:bench|tests|tools|libs\/testing)\/|\.test\.tsx?$|\/(?:testing-[^/]*|(?:contract-suite|e2e|generated)\/.*)$/;
/** Bytes before each message of the engine: its length, and its kind. */
const HEADER = 5;

const asked = await json(process.stdin);
if (asked.version !== 2) throw new Error(`oxlint asks in version ${asked.version}, which is not known here`);
asked.configs = asked.configs.flatMap(({ file_paths, rules }) => {
  const isRead = (path) => rules.length > 0 && !EXCUSED.test(relative(ROOT, path));
  return [
    { file_paths: file_paths.filter(isRead), rules: [...rules, { name: ADDED }] },
    { file_paths: file_paths.filter((path) => !isRead(path)), rules },
  ].filter((config) => config.file_paths.length > 0);
});
const engine = spawn(ENGINE, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
engine.on('close', (status) => (process.exitCode = status ?? 1));
engine.stdin.end(JSON.stringify(asked));
let unread = Buffer.alloc(0);
for await (const bytes of engine.stdout) {
  unread = Buffer.concat([unread, bytes]);
  while (unread.length >= HEADER && unread.length >= HEADER + unread.readUInt32LE(0)) {
    const end = HEADER + unread.readUInt32LE(0);
    process.stdout.write(renamed(unread.subarray(0, end)));
    unread = unread.subarray(end);
  }
}

/** Gives a message of the engine as it is, or in the name of the rule that oxlint knows. */
function renamed(message) {
  const said = message.toString('utf8', HEADER);
  if (!said.includes(`"${ADDED}"`)) return message;
  const finding = JSON.parse(said);
  if (finding.rule !== ADDED) return message;
  const text = Buffer.from(JSON.stringify({ ...finding, rule: TOLD_AS }));
  const header = Buffer.from(message.subarray(0, HEADER));
  header.writeUInt32LE(text.length);
  return Buffer.concat([header, text]);
}
