import { setSourceMapsSupport } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Loads built modules and notes each regular expression that is built meanwhile, by its place in the source. So what
 * is put together from pieces is checked as it will run, however it is put together.
 * @param {readonly string[]} modules paths of built modules
 * @returns {Promise<Map<string, { source: string, flags: string }[]>>} by `path:line:column`
 */
export async function recordBuilt(modules) {
  const byPlace = new Map();
  const note = (expression) => {
    const place = callerOf(new Error().stack);
    if (place === null) return expression;
    const { source, flags } = expression;
    byPlace.set(place, [...(byPlace.get(place) ?? []), { source, flags }]);
    return expression;
  };
  const real = globalThis.RegExp;
  setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
  globalThis.RegExp = new Proxy(real, {
    construct: (target, parts) => note(Reflect.construct(target, parts)),
    apply: (target, self, parts) => note(Reflect.apply(target, self, parts)),
  });
  try {
    for (const path of modules) await import(pathToFileURL(path).href);
  } finally {
    globalThis.RegExp = real;
  }
  return byPlace;
}

/** The line of a stack below `note` and the trap that called it. */
function callerOf(stack) {
  const [, path] = /([^\s(]+:\d+:\d+)\)?$/.exec(stack.split('\n')[3] ?? '') ?? [];
  return path === undefined || path.includes('node_modules') ? null : path.replace(/^file:\/\//, '');
}
