// Preloaded by loaded-packages.test.ts and growth.e2e.test.ts: prints each package that the process loads, with who asked for
// it first.
import { registerHooks } from 'node:module';

const packageOf = (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
const askedBy = {};
let files = 0;
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const name = packageOf(found.url);
    if (name) askedBy[name] ??= context.parentURL ?? 'the start';
    return found;
  },
  load(url, context, next) {
    if (packageOf(url)) files += 1;
    return next(url, context);
  },
});
process.on('exit', () => console.log(JSON.stringify({ askedBy, files })));
