import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
/** Programs of the system that the scripts call here: neither redis-server nor a package manager is among them. */
const TOOLS =
  'awk bash cat chmod cmp cp date dirname env grep id ln mkdir mktemp mv readlink rm sed sync tail touch'.split(
    ' ',
  );
/** Their paths, asked for once: each new process of a grown worker costs milliseconds. */
const PROGRAMS = execFileSync('which', TOOLS, { encoding: 'utf8' }).trim().split('\n');
/** Docker as a script sees it: an engine that answers, with containers of the folders that a test names. Notes what it is asked. */
export const DOCKER = `#!/usr/bin/env bash
echo "docker $*" >>asked
case "$*" in
  "ps "*com.docker.compose.project.working_dir*) cat containers ;;
  "volume ls"*com.docker.compose.project=kith) cat volumes ;;
  "compose config") echo "name: kith" ;;
esac
`;
/** Node as a script sees it: what it says of itself, settings, where the suite is, and what a test has it do besides. */
export const nodeOf = (told: string, besides = '') =>
  `#!/usr/bin/env bash\ncase "$1$#" in -p3) exec '${process.execPath}' "$@" ;; -p*) echo ${told} ;; *url-cli.js1) echo https://kith.test ;; esac\n${besides}`;
/** Seals a backup by leaving it as it is. */
export const SEAL = 'case "$2" in seal) cat ;; esac\n';

/** A checkout with the scripts alone, and programs that stand for those they call. */
class ScriptsAlone {
  folder = '';
  /** Variables of the operator's shell. */
  shell: Record<string, string> = {};

  make(): void {
    this.shell = {};
    this.folder = mkdtempSync(join(tmpdir(), 'kith-scripts-'));
    for (const part of ['scripts', '.env.example'])
      cpSync(join(root, part), join(this.folder, part), { recursive: true });
    mkdirSync(join(this.folder, 'bin'));
    for (const program of PROGRAMS) symlinkSync(program, join(this.folder, 'bin', basename(program)));
    for (const lock of ['package-lock.json', 'node_modules/.kith-lock']) this.file(lock, '{}');
    for (const name of ['npm', 'nx']) this.file(`bin/${name}`, '#!/usr/bin/env bash\n');
    this.file('bin/node', nodeOf('linux-x64-24.21.0'));
    this.file('bin/docker', DOCKER);
    this.file('containers', '');
    this.file('volumes', '');
    this.file('.env', '');
  }

  /** Writes a file, in the place of a link: through one, a test would write over a program of the system. */
  file(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    rmSync(join(this.folder, path), { force: true });
    writeFileSync(join(this.folder, path), text, { mode: 0o755 });
  }

  run(script: string, ...args: string[]) {
    const own = { PATH: join(this.folder, 'bin'), HOME: this.folder, KITH_BACKUP_PASSPHRASE: 'of a backup' };
    const { stdout, stderr, status } = spawnSync(join(this.folder, 'scripts', script), args, {
      encoding: 'utf8',
      env: { ...this.shell, ...own },
      cwd: this.folder,
    });
    return { stdout, stderr, status };
  }

  /** Runs a script. Returns what it asked of the programs that note it, too. */
  asked(script: string, ...args: string[]) {
    this.file('asked', '');
    const outcome = this.run(script, ...args);
    const lines = readFileSync(join(this.folder, 'asked'), 'utf8').trim().split('\n');
    return {
      ...outcome,
      asked: lines.filter((line) => !/^docker (?:info|ps|volume|compose (?:config|version))\b/.test(line)),
    };
  }
}

/** Gives each test of a file a checkout with the scripts alone. */
export function withScriptsAlone(): ScriptsAlone {
  const alone = new ScriptsAlone();
  beforeEach(() => alone.make());
  // A process that a script left behind may still write its last file there.
  afterEach(() => rmSync(alone.folder, { recursive: true, maxRetries: 10 }));
  return alone;
}
