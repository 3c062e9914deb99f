import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swc from '@swc/core';

const ROOT = join(import.meta.dirname, '../..');
// Not in the folder for what passes, which is another one at each run of scripts/test.
const CACHE = join(ROOT, 'node_modules/.cache/jest-sources');
const SOURCE = /\.tsx?$/;

/** The map of each compiled file, by the file's address: what turns a stack's lines into those of the source. */
export const sourceMaps = new Map();

const OPTIONS = {
  swcrc: false,
  configFile: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    // Nest finds what to inject by the types that decorators leave behind.
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
};
const COMPONENT_OPTIONS = {
  ...OPTIONS,
  jsc: {
    ...OPTIONS.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};
const COMPILER = `${swc.version} ${JSON.stringify([OPTIONS, COMPONENT_OPTIONS])}`;

/**
 * Makes Node read TypeScript, with decorators, and the sources of the workspace's own packages in place of what was built
 * of them. `testApi` is the address of the module that stands for `@jest/globals`.
 */
export function readTypeScript(testApi) {
  mkdirSync(CACHE, { recursive: true });
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@jest/globals') return { url: testApi, shortCircuit: true };
      const conditions = ['@kith/source', ...context.conditions];
      const source = sourceBeside(specifier, context.parentURL);
      return source === undefined
        ? next(specifier, { ...context, conditions })
        : { url: source, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith('file:')) return next(url, context);
      const path = fileURLToPath(url);
      if (!SOURCE.test(path) || path.includes('/node_modules/')) return next(url, context);
      return { format: 'module', source: compiled(path, url), shortCircuit: true };
    },
  });
}

/** The TypeScript file that a relative import of `./name.js` means, if there is one. */
function sourceBeside(specifier, parent) {
  if (!specifier.startsWith('.') || !specifier.endsWith('.js') || !SOURCE.test(parent ?? ''))
    return undefined;
  const base = new URL(specifier, parent).href.slice(0, -'.js'.length);
  return ['.ts', '.tsx'].map((ending) => base + ending).find((url) => existsSync(fileURLToPath(url)));
}

function compiled(path, url) {
  const text = readFileSync(path, 'utf8');
  const key = hash('sha256', `${COMPILER}\0${path}\0${text}`);
  const kept = join(CACHE, key);
  sourceMaps.set(url, `${kept}.map`);
  if (!existsSync(kept)) {
    const { code, map } = swc.transformSync(text, {
      ...(path.endsWith('x') ? COMPONENT_OPTIONS : OPTIONS),
      filename: path,
    });
    // The code last: where it is, its map is too.
    writeWhole(`${kept}.map`, map);
    writeWhole(kept, code);
  }
  return readFileSync(kept, 'utf8');
}

/** Writes a file that several workers may write at once. */
function writeWhole(path, text) {
  const part = `${path}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, path);
}
