import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { readTypeScript, sourceMaps } from './typescript-hooks.mjs';
import { setTestApi } from './test-api.mjs';

const require = createRequire(import.meta.url);

readTypeScript(new URL('test-api.mjs', import.meta.url).href);

/**
 * Loads test files as Node loads any program, once for all files of a worker. Jest's own runtime builds a world of its own
 * for each file and reads every module into it anew, which took longer than most tests.
 *
 * Only what Jest asks of a runtime for ES modules is here; mocks of modules are not (Kith mocks none).
 */
export default class NativeRuntime {
  constructor(_config, environment, _resolver, _transformer, _files, _coverage, _path, options) {
    if (options.watch || options.watchAll) {
      throw new Error(
        "Modules are read once in a run. This runs anew: npx -c 'node --watch-path=src $(which jest) NAME'",
      );
    }
    if (options.collectCoverage)
      throw new Error(
        'Jest does not load the modules: set NODE_V8_COVERAGE to a folder for Node to count in.',
      );
    this.environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  requireModule(path) {
    return require(path);
  }

  /** Jest's framework for one file: it holds the file's tests, so each file has one of its own. */
  requireInternalModule(path) {
    Reflect.deleteProperty(require.cache, path);
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    setTestApi({ ...globals, jest: this.environment.jest });
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
