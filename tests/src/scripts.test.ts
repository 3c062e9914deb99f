import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DOCKER, nodeOf, SEAL, withScriptsAlone } from './scripts-alone.js';

describe('scripts', () => {
  const alone = withScriptsAlone();
  const file = (path: string, text: string) => alone.file(path, text);
  const run = (script: string, ...args: string[]) => alone.run(script, ...args);

  it('start the suite with Docker where no redis-server is, and remember it', () => {
    const { stdout, status } = run('up');
    expect([status, stdout]).toEqual([0, expect.stringContaining('https://kith.test/docs')]);
    expect(readFileSync(join(alone.folder, '.kith/runs-in'), 'utf8')).toBe('docker\n');
    expect(run('up', '--embedded')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('redis-server is needed'),
    });
    expect(run('runs-in').stdout).toBe('docker\n');
  });

  it.each([
    ['one project at a time and from an empty cache with little memory', true, ['.kith/npm-cache', '1']],
    ['as npm and nx do by themselves with more', false, ['its own', 'its own']],
  ])('install and build %s', (_, isLittle, expected) => {
    const memory = `#!/usr/bin/env bash\ncase "$2" in *totalmem*) echo ${isLittle}; exit ;; esac\n`;
    file('bin/node', memory + nodeOf('linux-x64-24.21.0'));
    const ci = [
      'case $1 in ci)',
      'echo "${npm_config_cache-its own}" >>told; [ ! -e .kith/npm-cache ] || echo full >>told',
      'mkdir -p node_modules .kith/npm-cache; echo >>.kith/npm-cache/package',
      'esac\n',
    ];
    file('bin/npm', ['#!/usr/bin/env bash', ...ci].join('\n'));
    file('bin/nx', '#!/usr/bin/env bash\necho "${NX_PARALLEL-its own}" >>told\n');
    file('.kith/npm-cache/of-one-that-was-killed', '');
    file('node_modules/.kith-lock', 'of another version');
    expect(run('build', '--docker')).toMatchObject({ status: 0, stderr: '' });
    const told = readFileSync(join(alone.folder, 'told'), 'utf8').replaceAll(`${alone.folder}/`, '');
    expect(told.trim().split('\n')).toEqual(expected);
    expect(existsSync(join(alone.folder, '.kith/npm-cache'))).toBe(false);
  });

  describe('that start the suite elsewhere', () => {
    const asked = (...how: string[]) => {
      const { status, stdout, stderr, asked: all } = alone.asked('up', ...how);
      const ended = all.filter((line) => / (?:build|down|up)\b/.test(line));
      return { status, stopping: /stopping.*/.exec(stdout)?.[0], stderr, ended };
    };
    beforeEach(() => {
      file('bin/redis-server', '');
      file(
        'bin/node',
        nodeOf('linux-x64-24.21.0', 'case "$1" in *main.js) echo "main.js $2" >>asked ;; esac\n'),
      );
    });

    it('stop the one without Docker', () => {
      file('.kith/runs-in', 'embedded\n');
      file('.kith/supervisor.pid', '{}');
      const stopping = 'stopping the suite that runs without Docker…';
      const ended = ['docker compose build', 'main.js down', 'docker compose up -d --wait'];
      expect(asked('--docker')).toEqual({ status: 0, stderr: '', stopping, ended });
    });

    it.each([
      ['no engine answers', '#!/usr/bin/env bash\nexit 1\n'],
      ['no image can be built', `${DOCKER}case "$2" in build) exit 1 ;; esac\n`],
    ])('leave the one without Docker running where %s', (_, docker) => {
      file('.kith/runs-in', 'embedded\n');
      file('.kith/supervisor.pid', '{}');
      file('bin/docker', docker);
      const { status, ended } = asked('--docker');
      expect(status).toBe(1);
      expect(ended).not.toContain('main.js down');
      expect(run('runs-in').stdout).toBe('embedded\n');
    });

    it('stop the one in Docker', () => {
      file('.kith/runs-in', 'docker\n');
      file('containers', `${alone.folder}\n`);
      const stopping = 'stopping the suite that runs in Docker…';
      const ended = ['docker compose down', 'main.js up'];
      expect(asked('--embedded')).toEqual({ status: 0, stderr: '', stopping, ended });
      // Also one that the engine brought back meanwhile.
      expect(asked()).toEqual({ status: 0, stderr: '', stopping, ended });
    });

    it('leave one in Docker alone that is of another checkout of the same name', () => {
      file('containers', '/opt/kith\n');
      const ended = ['main.js up'];
      expect(asked('--embedded')).toEqual({ status: 0, stderr: '', stopping: undefined, ended });
      file('.kith/runs-in', 'docker\n');
      expect(alone.asked('down')).toMatchObject({ stdout: 'the suite is not running\n', asked: [] });
    });

    it('say that the one in Docker comes back with its engine', () => {
      file('.kith/runs-in', 'docker\n');
      rmSync(join(alone.folder, 'bin/docker'));
      expect(asked('--embedded')).toEqual({
        status: 0,
        stopping: undefined,
        ended: ['main.js up'],
        stderr: expect.stringContaining('docker compose down'),
      });
    });
  });

  it('tell the settings by which a service in Docker does not start', () => {
    const refusal =
      "scheduler-1  | scheduler can't start, its settings are wrong:\nscheduler-1  | NIGHT_AT: an hour such as 03:30\n";
    file('said', `gateway-1  | {"level":"info"}\n${refusal}${refusal}`);
    file('bin/docker', `${DOCKER}case "$2" in up) exit 1 ;; logs) cat said ;; esac\n`);
    const end = 'the suite did not start: ./scripts/logs says more\n';
    expect(run('up', '--docker')).toMatchObject({ status: 1, stderr: `${refusal}${end}` });
  });

  it.each(['up', 'status', 'logs', 'backup', 'down'])(
    'give Compose the settings of .env alone, whatever the shell has by their names: %s',
    (script) => {
      alone.shell = { GEMINI_API_KEY: 'theirs', COMPANIONS_DIR: '/theirs', COMPOSE_FILE: 'ours' };
      file('containers', `${alone.folder}\n`);
      file('bin/node', nodeOf('linux-x64-24.21.0', SEAL));
      file('bin/tar', '#!/usr/bin/env bash\n');
      const told = '${GEMINI_API_KEY-unset} ${COMPANIONS_DIR-unset} $COMPOSE_FILE';
      file('bin/docker', `${DOCKER}echo "${told}" >>told\n`);
      expect(run(script)).toMatchObject({ status: 0, stderr: '' });
      const lines = readFileSync(join(alone.folder, 'told'), 'utf8').trim().split('\n');
      expect([...new Set(lines)]).toEqual(['unset unset ours']);
    },
  );

  it('act where the suite ran last, whatever is left of another', () => {
    file('.kith/runs-in', 'docker\n');
    file('containers', `${alone.folder}\n`);
    for (const left of ['supervisor.pid', 'postgres/postmaster.pid', 'logs/kith.log'])
      file(`.kith/${left}`, '');
    file('bin/node', nodeOf('', `${SEAL}case "$1" in *main.js) echo "main.js $2" >>asked ;; esac\n`));
    file('bin/tar', '#!/usr/bin/env bash\n');
    const asked = (script: string) => {
      const outcome = alone.asked(script);
      expect(outcome).toMatchObject({ status: 0, stderr: '' });
      return outcome.asked;
    };
    expect(asked('down')).toEqual(['docker compose down']);
    expect(asked('status')).toEqual(['docker compose ps']);
    expect(asked('logs')).toEqual(['docker compose logs --tail 50 -f']);
    expect(asked('backup')).toEqual([
      expect.stringContaining('docker compose run --rm -T migrate'),
      expect.stringContaining('docker compose run --rm -T --no-deps memory'),
    ]);
    file('.kith/runs-in', 'embedded\n');
    expect(asked('down')).toEqual(['main.js down']);
    expect(asked('status')).toEqual(['main.js status']);
  });

  it.each([
    ['encrypted', []],
    ['unencrypted', ['--unencrypted']],
  ])('write a backup, %s, in the place of an earlier one only once it is whole', (_, how) => {
    file('.kith/supervisor.pid', '{}');
    file('bin/node', nodeOf('', SEAL));
    const tar = (words: string, status: number) =>
      file(
        'bin/tar',
        `#!/usr/bin/env bash\nif [ "$1" = -cf ]; then exec >"$2"; fi; echo ${words}; exit ${status}\n`,
      );
    mkdirSync(join(alone.folder, 'kept'));
    const kept = join(alone.folder, 'kept/nightly');
    const outcome = () => [readdirSync(join(alone.folder, 'kept')), readFileSync(kept, 'utf8')];
    tar('first', 0);
    expect(run('backup', ...how, kept)).toMatchObject({ status: 0, stderr: '' });
    expect(outcome()).toEqual([['nightly'], 'first\n']);
    tar('half', 1);
    expect(run('backup', ...how, kept).status).toBe(1);
    expect(outcome()).toEqual([['nightly'], 'first\n']);
    tar('second', 0);
    expect(run('backup', ...how, kept).status).toBe(0);
    expect(outcome()).toEqual([['nightly'], 'second\n']);
    tar('"${!#}"', 0); // the last part: a file that ends before it was cut off
    expect([run('backup', ...how, kept).status, outcome()[1]]).toEqual([0, 'settings.env\n']);
  });

  const scripts = [
    'up',
    'down',
    'status',
    'logs',
    'backup',
    'restore',
    'setup',
    'build',
    'setting',
    'own-volumes',
    'test',
    'runs-in',
  ];
  it.each(scripts)('tell their usage when asked, and take no option that they do not know: %s', (script) => {
    // Whatever a script would do instead leaves a mark.
    for (const tool of ['node', 'npm', 'nx', 'docker', 'tar'])
      file(`bin/${tool}`, `#!/usr/bin/env bash\ntouch '${join(alone.folder, 'done')}'\n`);
    file('.kith/supervisor.pid', '{}');
    for (const flag of ['-h', '--help'])
      expect(run(script, flag)).toEqual({ status: 0, stderr: '', stdout: expect.stringMatching(/\w+ \w+/) });
    expect(run(script, '--foo')).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/--foo|usage/),
    });
    expect(readdirSync(alone.folder)).not.toContain('done');
    expect(readdirSync(alone.folder).filter((name) => name.startsWith('-'))).toEqual([]);
  });

  it('name the logs there are, those of services that share one too', () => {
    file('.kith/runs-in', 'embedded\n');
    file('.kith/logs/kith.log', '');
    const { status, stderr } = run('logs', 'gatway');
    const names = 'gateway embedding personality memory proactive-scheduler discord-bot, and by file: kith';
    expect([status, stderr]).toEqual([2, `no log of that name; there is: ${names}\n`]);
  });

  it('name the file that is to be restored and is not there', () => {
    expect(run('restore', '/none', '--yes')).toMatchObject({ status: 2, stderr: 'no such file: /none\n' });
    expect(run('restore')).toMatchObject({ status: 2, stderr: expect.stringContaining('usage') });
  });

  it.each(['COMPANIONS_DIR="FOLDER"', 'COMPANIONS_DIR=FOLDER # ours', 'COMPANIONS_DIR=FOLDER\r'])(
    'back up own companions and the database where the settings say they are: %s',
    (line) => {
      const folder = join(alone.folder, line.includes('"') ? 'my companions' : 'companions');
      file('.env', `${line.replace('FOLDER', folder)}\nKITH_POSTGRES_PORT="5440"\n`);
      file('.kith/supervisor.pid', '{}');
      const write = 'case "$1$2" in *backup-cli.jswrite) echo "$DATABASE_OWNER_URL" ;; esac\n';
      file('bin/node', nodeOf('', SEAL + write));
      file('bin/tar', '#!/usr/bin/env bash\ncat "$3/companions/orla.json" "$3/database.gz"\n');
      const kept = join(alone.folder, 'nightly');
      expect(run('backup', kept)).toMatchObject({ status: 1, stderr: expect.stringContaining(folder) });
      expect(readdirSync(alone.folder)).not.toContain('nightly');
      file(`${basename(folder)}/orla.json`, 'Orla ');
      expect(run('backup', kept)).toMatchObject({ status: 0, stderr: '' });
      expect(readFileSync(kept, 'utf8')).toBe('Orla postgres://postgres@127.0.0.1:5440/kith\n');
    },
  );

  it.each(['docker', 'embedded'])('start nothing for a backup, where the suite is stopped: %s', (place) => {
    file('.kith/runs-in', place);
    expect(alone.asked('backup', '--unencrypted')).toMatchObject({
      status: 1,
      asked: [],
      stderr: 'the suite is not running: ./scripts/up\n',
    });
  });

  it('back up what links to own companions lead to', () => {
    file('kept/companions/orla.json', 'Orla');
    file('kept/wren.json', 'Wren');
    symlinkSync('../wren.json', join(alone.folder, 'kept/companions/wren.json'));
    symlinkSync('kept/companions', join(alone.folder, 'linked'));
    file('.env', `COMPANIONS_DIR=${alone.folder}/linked\n`);
    file('.kith/supervisor.pid', '{}');
    file('bin/node', nodeOf('', SEAL));
    const companions = join(alone.folder, 'archived');
    file('bin/tar', `#!/usr/bin/env bash\ncp -rp "$3/companions" '${companions}'\n`);
    chmodSync(join(alone.folder, 'kept/companions/orla.json'), 0o640);
    expect(run('backup')).toMatchObject({ status: 0, stderr: '' });
    const kept = ['orla.json', 'wren.json'].map((name) => {
      const { mode } = lstatSync(join(companions, name));
      return [readFileSync(join(companions, name), 'utf8'), mode & 0o777];
    });
    expect(kept).toEqual([
      ['Orla', 0o640],
      ['Wren', 0o755],
    ]);
  });

  it.each([
    ['COMPANIONS_DIR=~/companions', 'HOME/companions'],
    ['COMPANIONS_DIR="$HOME/my companions"', 'HOME/my companions'],
    ['COMPANIONS_DIR=${HOME}', 'HOME'],
    ['COMPANIONS_DIR=~ada/companions', '~ada/companions'],
    ['COMPANIONS_DIR=/srv/~/companions', '/srv/~/companions'],
    ['POSTGRES_PASSWORD=~/$HOME', '~/$HOME'],
    ['POSTGRES_PASSWORD=', ''],
  ])('read a folder of home by its whole path: %s', (line, value) => {
    file('.env', `${line}\n`);
    const { stdout, stderr } = run('setting', line.replace(/=.*/, ''));
    expect({ stdout, stderr }).toEqual({ stdout: `${value.replace(/^HOME/, alone.folder)}\n`, stderr: '' });
  });

  it.each(['backup', 'restore nightly --yes', 'up --embedded'])(
    'remove what people said and a killed backup left unencrypted: %s',
    (next) => {
      for (const path of ['.kith/supervisor.pid', 'bin/redis-server', 'tmp/of-others', 'kept/of-others'])
        file(path, '');
      alone.shell = { TMPDIR: join(alone.folder, 'tmp') };
      file('bin/node', nodeOf('linux-x64-24.21.0', `${SEAL}case "$2" in write) echo words ;; esac\n`));
      file('bin/tar', '#!/usr/bin/env bash\necho words >"$2"\nkill -KILL "$PPID"\n');
      expect(run('backup', '--unencrypted', 'kept/nightly').status).toBe(null);
      const left = () => ['tmp', 'kept'].flatMap((folder) => readdirSync(join(alone.folder, folder)));
      expect(left()).toHaveLength(4);
      file('bin/tar', '#!/usr/bin/env bash\n');
      file('nightly', '');
      run(next.split(' ')[0] ?? '', ...next.split(' ').slice(1));
      expect(left()).toEqual(['of-others', 'of-others']);
      expect(
        readdirSync(join(alone.folder, '.kith')).filter((name) => name.startsWith('unfinished')),
      ).toEqual([]);
    },
  );

  it('remember what a killed backup left and they may not remove, such as that of another user', () => {
    const [link, note] = [join(alone.folder, 'bin/rm'), join(alone.folder, '.kith/unfinished-99999999-x')];
    const rm = readlinkSync(link);
    for (const path of ['tmp/of-root', '.kith/runs-in']) file(path, '');
    symlinkSync(join(alone.folder, 'tmp/of-root'), note);
    const each = `case $path in -*) ;; *of-root) code=1 ;; *) '${rm}' -rf "$path" ;; esac`;
    file('bin/rm', `#!/usr/bin/env bash\ncode=0\nfor path; do ${each}; done\nexit $code\n`);
    run('up', '--embedded');
    expect(readlinkSync(note)).toMatch(/of-root$/);
    rmSync(link);
    symlinkSync(rm, link);
    run('up', '--embedded');
    expect(readdirSync(join(alone.folder, 'tmp'))).toEqual([]);
  });

  it('leave alone what a process of another user is at work on', () => {
    file('kept/of-root', 'words');
    mkdirSync(join(alone.folder, '.kith'));
    symlinkSync(join(alone.folder, 'kept/of-root'), join(alone.folder, '.kith/unfinished-1-x'));
    run('up', '--embedded');
    expect(readFileSync(join(alone.folder, 'kept/of-root'), 'utf8')).toBe('words');
  });

  it('write no backup to a device', () => {
    expect(run('backup', '/dev/stdout')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('name a file'),
    });
  });

  it('write no backup where it could not be put in its place, and ask for nothing before', () => {
    file('.kith/supervisor.pid', '{}');
    symlinkSync('nowhere/at/all', join(alone.folder, 'linked'));
    for (const [place, told] of [
      ['nowhere/nightly', `${alone.folder}/nowhere is not a folder that you can write to\n`],
      ['linked', 'that link leads to a folder that is not there\n'],
    ] as const)
      expect(alone.asked('backup', place)).toMatchObject({ status: 2, stderr: told, asked: [''] });
  });

  it('ask for the settings of a suite whose .env is gone, which up would make anew', () => {
    rmSync(join(alone.folder, '.env'));
    expect(run('backup').stderr).toContain('./scripts/up');
    file('.kith/runs-in', 'embedded\n');
    expect(run('backup').stderr).toMatch(
      /^\.env is gone.* put it back\. A backup has it as settings\.env\n$/,
    );
  });

  it.each(['seal', 'write'])(
    'keep the backup of before where the disk is full at the last piece: %s',
    (full) => {
      file('.kith/supervisor.pid', '{}');
      file('kept/nightly', 'of before');
      file('bin/tar', '#!/usr/bin/env bash\n');
      // Node itself: its output takes a write that was cut short for a whole one.
      const writing = `exec '${process.execPath}' -e 'process.stdout.write("x".repeat(20_000))'`;
      file('bin/node', nodeOf('', `case "$2" in ${full}) ${writing} ;; esac\n`));
      // What is longer is cut off there, as on a disk with so many kilobytes left.
      file('scripts/on-full-disk', '#!/usr/bin/env bash\nulimit -f 12\nexec ./scripts/backup "$@"\n');
      expect(run('on-full-disk', 'kept/nightly').status).not.toBe(0);
      expect(readdirSync(join(alone.folder, 'kept'))).toEqual(['nightly']);
      expect(readFileSync(join(alone.folder, 'kept/nightly'), 'utf8')).toBe('of before');
    },
  );

  it('write no backup over what is not a file', () => {
    mkdirSync(join(alone.folder, 'kept'));
    expect(run('backup', join(alone.folder, 'kept'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('not a file'),
    });
  });

  it.each([
    ['linux-x64-20.19.0', 0],
    ['linux-x64-22.0.0', 0],
    ['linux-x64-20.18.3', 1],
    ['darwin-arm64-24.9.0', 0],
    ['darwin-arm64-24.8.0', 1],
    ['linux-arm64-20.19.0', 1],
  ])('take a Node that can run the suite: %s ends with %i', (told, status) => {
    file('bin/node', nodeOf(told));
    expect(run('setup', '--npm').status).toBe(status);
  });

  it.each([
    ['fails', 'exit 1', 1],
    ['is interrupted', 'kill -INT "$PPID"', 130],
  ])('go on with the packages that were there, where an installation %s', (_, ends, code) => {
    const packages = ['node_modules/old', 'apps/cli/node_modules/old'];
    for (const path of [...packages, 'node_modules/.kith-lock']) file(path, 'of before');
    const install = 'mkdir -p node_modules services/memory/node_modules && cp .env node_modules/new';
    file('bin/npm', `#!/usr/bin/env bash\n${install}\n${ends}\n`);
    mkdirSync(join(alone.folder, 'services/memory'), { recursive: true });
    expect(run('setup', '--npm').status).toBe(code);
    const here = (path: string) => readdirSync(join(alone.folder, path)).toSorted();
    expect(here('node_modules')).toEqual(['.kith-lock', 'old']);
    expect(here('apps/cli/node_modules')).toEqual(['old']);
    expect([...here('services/memory'), ...here('.kith')]).toEqual([]);
    file('bin/npm', `#!/usr/bin/env bash\n${install}\n`);
    expect(run('setup', '--npm')).toMatchObject({ status: 0, stderr: '' });
    expect(here('node_modules')).toEqual(['.kith-lock', 'new']);
    expect([...here('apps/cli'), ...here('.kith')]).toEqual([]);
  });

  it.each(['--docker', '--embedded'])('tell the address by which kith finds the suite: %s', (place) => {
    file('bin/redis-server', '');
    file('bin/node', nodeOf('linux-x64-24.21.0', 'case "$2" in login) exit 1 ;; esac\n'));
    const { stdout } = run('up', place);
    expect(stdout).toContain('API       https://kith.test/docs');
    expect(stdout).toContain('console   https://kith.test   (npx kith login');
  });
});
