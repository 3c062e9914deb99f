import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { TYPED } from '../../oxlint.config.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A violation of each rule that asks for types. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'await-thenable': 'export async function f() { await 1; }',
  'no-array-delete': 'export function f(a: number[]) { delete a[0]; }',
  'no-base-to-string': 'export const f = (o: object) => `${String(o)}`;',
  'no-confusing-void-expression': 'declare const g: () => void;\nexport const x = [g()];',
  'no-deprecated': '/** @deprecated use another */\ndeclare const old: () => void;\nold();\nexport {};',
  'no-duplicate-type-constituents': "export type T = 'a' | 'a';",
  'no-floating-promises': 'Promise.resolve(1);\nexport {};',
  'no-for-in-array': 'export function f(a: number[]) { for (const k in a) console.log(k); }',
  'no-generated-empty-object-type':
    'type Pick0<T, K extends keyof T> = { [P in K]: T[P] };\nexport type E = Pick0<{ a: 1 }, never>;',
  'no-implied-eval': "setTimeout('alert(1)', 1);\nexport {};",
  'no-meaningless-void-operator': 'declare const g: () => void;\nvoid g();\nexport {};',
  'no-misused-promises': 'export function f(p: Promise<boolean>) { if (p) return 1; return 2; }',
  'no-misused-spread': 'export const f = (m: Map<string, number>) => ({ ...m });',
  'no-mixed-enums': "export enum E { A = 1, B = 'b' }",
  'no-redundant-type-constituents': 'export type T = unknown | string;',
  'no-unnecessary-boolean-literal-compare': 'export const f = (b: boolean) => b === true;',
  'no-unnecessary-condition': 'export const f = (s: { a: number }) => (s ? 1 : 2);',
  'no-unnecessary-template-expression': 'export const f = (s: string) => `${s}`;',
  'no-unnecessary-type-arguments':
    'function g<T = number>(t?: T) { return t; }\nexport const x = g<number>();',
  'no-unnecessary-type-assertion': 'export const f = (s: string) => s as string;',
  'no-unnecessary-type-conversion': 'export const f = (s: string) => String(s);',
  'no-unnecessary-type-parameters': 'export function f<T>(t: T): void { console.log(t); }',
  'no-unsafe-argument': 'declare const a: any;\nexport const f = (s: string) => s;\nf(a);',
  'no-unsafe-assignment': 'declare const a: any;\nexport const x = a;',
  'no-unsafe-call': 'declare const a: any;\na();\nexport {};',
  'no-unsafe-enum-assignment': 'enum E { A = 1, B = 2 }\nexport const e: E = 1;',
  'no-unsafe-enum-comparison': 'enum E { A = 1 }\nexport const f = (e: E) => e === 1;',
  'no-unsafe-member-access': 'declare const a: any;\na.b;\nexport {};',
  'no-unsafe-return': 'declare const a: any;\nexport function f() { return a; }',
  'no-unsafe-unary-minus': 'export const f = (s: string) => -s;',
  'no-useless-default-assignment': "export const f = ({ a = 'x' }: { a: string }) => a;",
  'only-throw-error': "export function f() { throw 'text'; }",
  'prefer-promise-reject-errors': "export const f = () => Promise.reject('text');",
  'prefer-reduce-type-parameter':
    'export const f = (a: number[]) => a.reduce((s, n) => s.concat(n), [] as number[]);',
  'prefer-return-this-type': 'export class A { set(): A { return this; } }',
  'related-getter-setter-pairs': 'export interface A { get v(): string; set v(to: number); }',
  'require-array-sort-compare': 'export const f = (a: number[]) => a.sort();',
  'require-await': 'export async function f() { return 1; }',
  'restrict-plus-operands': 'export const f = (a: number, b: string) => a + b;',
  'restrict-template-expressions': 'export const f = (o: object) => `${o}`;',
  'return-await': 'export async function f(p: Promise<number>) { try { return p; } catch { return 1; } }',
  'switch-exhaustiveness-check':
    "export function f(a: 'x' | 'y') { switch (a) { case 'x': return 1; } return 2; }",
  'unbound-method': 'class A { m() { return this; } }\nexport const f = new A().m;',
  'use-unknown-in-catch-callback-variable':
    'export const f = (p: Promise<number>) => p.catch((e) => { console.log(e); });',
};
const COMPILER = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM'],
  module: 'NodeNext',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
};

/** Gives what oxlint finds in a folder. It ends with 1 where it finds something. */
function findingsIn(folder: string): Promise<{ filename: string; code: string; message: string }[]> {
  const args = ['node_modules/oxlint/bin/oxlint', '-c', 'oxlint.config.ts', '-f', 'json', folder];
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(ROOT, 'tools/lint/typed-engine.mjs') };
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: ROOT, env }, (_, stdout) => {
      resolve((JSON.parse(stdout) as { diagnostics: never[] }).diagnostics);
    }),
  );
}

it('finds a violation of each rule that asks for types, and of the one that oxlint does not know', async () => {
  const rules = Object.keys(TYPED).map((rule) => rule.slice(rule.indexOf('/') + 1));
  expect(Object.keys(VIOLATIONS).sort()).toEqual(rules.sort());

  const folder = await mkdtemp(join(tmpdir(), 'kith-rules-'));
  try {
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }));
    for (const [rule, text] of Object.entries(VIOLATIONS)) await writeFile(join(folder, `${rule}.ts`), text);
    await writeFile(
      join(folder, 'instance.ts'),
      'class A { constructor(readonly x: number) {} }\nexport const a: A = { x: 1 };',
    );
    const found = await findingsIn(folder);
    const missed = rules.filter(
      (rule) =>
        !found.some(({ filename, code }) => filename.endsWith(`/${rule}.ts`) && code.includes(`(${rule})`)),
    );
    expect(missed).toEqual([]);
    expect(found).toContainEqual(
      expect.objectContaining({
        filename: expect.stringContaining('/instance.ts'),
        message: expect.stringContaining('an instance of class `A` is expected'),
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
