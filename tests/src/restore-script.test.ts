import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DOCKER, nodeOf, withScriptsAlone } from './scripts-alone.js';

describe('a restore', () => {
  const alone = withScriptsAlone();
  /** Node as the script sees it: a backup that is not sealed, and a check that may fail. */
  const node = (besides = '') =>
    alone.file(
      'bin/node',
      nodeOf(
        'linux-x64-24.21.0',
        `case "$1$2" in *is-sealed) exit 1 ;; *dist/*) echo "node \${1##*/} $2" >>asked ;; esac\n${besides}`,
      ),
    );
  const restore = () => alone.asked('restore', join(alone.folder, 'nightly'), '--yes');
  const started = (asked: readonly string[]) =>
    asked.filter((line) => /main.js up|compose (?:up|start)/.test(line));

  beforeEach(() => {
    for (const built of ['embedded/dist/seal-cli.js', 'database/dist/backup-cli.js'])
      alone.file(`libs/${built}`, '');
    for (const [name, text] of [
      ['nightly', ''],
      ['backup/settings.env', 'DISCORD_TOKEN=theirs\nCOMPOSE_PROJECT_NAME=theirs\n'],
      ['backup/database.gz', 'rows'],
    ] as const)
      alone.file(name, text);
    alone.file('bin/redis-server', '');
    alone.file('bin/tar', '#!/usr/bin/env bash\ncp -rp backup/. "$4"\n');
    rmSync(join(alone.folder, '.env'));
    node();
  });

  describe('on a new machine', () => {
    it('starts the stores alone until the backup is in them', () => {
      const { status, stderr, asked } = restore();
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const read = asked.findIndex((line) => line.endsWith('backup-cli.js read'));
      expect(asked[0]).toBe('node backup-cli.js check');
      expect(started(asked.slice(0, read))).toEqual(['docker compose up -d --wait postgres redis qdrant']);
      expect(asked.slice(0, read)).toContain('docker compose run --rm -T migrate');
      expect(started(asked.slice(read))).toEqual(['docker compose up -d --wait']);
      expect(readFileSync(join(alone.folder, '.env'), 'utf8')).toBe('DISCORD_TOKEN=theirs\n');
    });

    it('empties Redis of earlier jobs before the vectors are read, which takes a while', () => {
      alone.file('backup/vectors', 'vectors');
      const { asked } = restore();
      const read = asked.findIndex((line) => line.endsWith('backup-cli.js read'));
      expect(asked.slice(read + 1, read + 3)).toEqual([
        'docker compose exec -T redis redis-cli flushdb',
        expect.stringMatching(/snapshot-cli\.js read$/),
      ]);
    });

    it('does not say that nothing was restored where Redis can not be emptied', () => {
      alone.file('bin/docker', `${DOCKER}case "$*" in *flushdb) exit 1 ;; esac\n`);
      expect(restore()).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('the database is restored, but '),
      });
    });

    it.each(['ours', '"ours" # in Docker\r', "'ours'"])(
      'keeps the name in Docker that it had here: %s',
      (name) => {
        alone.file('.kith/was-in-docker', 'ours\n');
        alone.file('backup/settings.env', `COMPOSE_PROJECT_NAME=${name}\n`);
        expect(restore().status).toBe(0);
        expect(alone.run('setting', 'COMPOSE_PROJECT_NAME').stdout).toBe('ours\n');
      },
    );

    it('takes no settings of the shell, whose names Compose would prefer', () => {
      alone.shell = { DISCORD_TOKEN: 'of another bot' };
      alone.file('bin/docker', `${DOCKER}echo "\${DISCORD_TOKEN-unset}" >>told\n`);
      expect(restore().status).toBe(0);
      const told = readFileSync(join(alone.folder, 'told'), 'utf8').trim().split('\n');
      expect([...new Set(told)]).toEqual(['unset']);
    });

    it('takes over settings whole or not at all, such as where the disk is full', () => {
      const sed = readlinkSync(join(alone.folder, 'bin/sed'));
      const half = 'case $1 in -E) echo DISCORD_TOKEN=th; exit 1 ;; esac';
      alone.file('bin/sed', `#!/usr/bin/env bash\n${half}\nexec '${sed}' "$@"\n`);
      expect(restore().status).not.toBe(0);
      expect(readdirSync(alone.folder)).not.toContain('.env');
    });

    it('starts no service without Docker either', () => {
      rmSync(join(alone.folder, 'bin/docker'));
      const { status, stderr, asked } = restore();
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(asked).toEqual([
        'node backup-cli.js check',
        'node main.js restore',
        'node main.js up',
        'node url-cli.js',
      ]);
    });

    it.each([[['orla.json']], [[]]])(
      'makes the folder of own companions before a container engine would, as root: %j',
      (companions) => {
        const own = join(alone.folder, 'my companions');
        alone.file('backup/settings.env', `COMPANIONS_DIR="${own}"\n`);
        for (const name of companions) alone.file(`backup/companions/${name}`, '{}');
        const engine = `case "$*" in "compose up -d --wait") [ -d '${own}' ] || echo made by the engine >>asked ;; esac\n`;
        alone.file('bin/docker', DOCKER + engine);
        // As an earlier version backed them up.
        for (const name of companions) chmodSync(join(alone.folder, 'backup/companions', name), 0o600);
        const { status, asked } = restore();
        expect(status).toBe(0);
        expect(asked).not.toContain('made by the engine');
        expect(readdirSync(own)).toEqual(companions);
        const modes = [own, ...companions.map((name) => join(own, name))].map((path) => statSync(path).mode);
        expect(modes.map((mode) => mode & 0o044)).toEqual(modes.map(() => 0o044));
      },
    );

    it('changes nothing for a backup that is not whole, and says so', () => {
      node('case "$2" in check) exit 1 ;; esac\n');
      expect(restore()).toMatchObject({
        status: 1,
        asked: ['node backup-cli.js check'],
        stderr: 'nothing was changed\n',
      });
      expect(readdirSync(alone.folder)).not.toContain('.env');
    });

    it('takes no backup that was cut off between its parts', () => {
      rmSync(join(alone.folder, 'backup/settings.env'));
      const stderr = expect.stringContaining('not a Kith backup, or a part of one, so nothing was changed');
      expect(restore()).toMatchObject({ status: 1, asked: [''], stderr });
    });

    it('takes no folder for a backup', () => {
      rmSync(join(alone.folder, 'nightly'));
      mkdirSync(join(alone.folder, 'nightly'));
      const stderr = expect.stringContaining('nightly is not a file that you can read');
      expect(restore()).toMatchObject({ status: 2, asked: [''], stderr });
    });

    it.each([
      ['This does not look like a tar archive', 'is not a Kith backup'],
      ['Unexpected EOF in archive', 'is cut off or damaged, so nothing was changed'],
      ['Skipping to next header', 'is cut off or damaged, so nothing was changed'],
      ['Truncated input file (needed 512 bytes, only 0 available)', 'is cut off or damaged'],
      ['Cannot write: No space left on device', 'No space left on device'],
      ['Cannot write: No space left on device', 'TMPDIR=FOLDER'],
    ])('says what keeps a backup from being unpacked: %s', (said, told) => {
      alone.file('bin/tar', `#!/usr/bin/env bash\necho 'tar: ${said}' >&2\nexit 2\n`);
      expect(restore()).toMatchObject({ status: 1, stderr: expect.stringContaining(told), asked: [''] });
    });

    it.each([
      'case "$2" in open) echo rows ;; esac',
      'case "$2" in open) echo a wrong passphrase >&2; exit 1 ;; esac',
    ])('says alone why a sealed backup is not opened: %s', (open) => {
      const [opens, told] = open.includes('exit 1') ? [1, 'a wrong passphrase\n'] : [0, ''];
      alone.file('bin/node', nodeOf('linux-x64-24.21.0', `${open}\n`));
      alone.file(
        'bin/tar',
        '#!/usr/bin/env bash\ncp -rp backup/. "$4"; read -r _ || { echo no tar archive >&2; exit 2; }\n',
      );
      expect(restore()).toMatchObject({ status: opens, stderr: told });
    });

    it('stops the stores in Docker again where the backup does not fit', () => {
      const reads =
        'case "$*" in *"backup-cli.js read") exit 1 ;; "compose up"*) echo "$PWD" >containers ;; esac\n';
      alone.file('bin/docker', DOCKER + reads);
      const { status, asked } = restore();
      expect([status, asked.at(-1)]).toEqual([1, 'docker compose down']);
    });

    it('starts no suite where the backup does not fit', () => {
      node('case "$2" in restore) exit 1 ;; esac\n');
      rmSync(join(alone.folder, 'bin/docker'));
      const { status, asked } = restore();
      expect([status, started(asked)]).toEqual([1, []]);
    });
  });

  describe('where a suite is', () => {
    beforeEach(() => alone.file('.env', ''));

    it.each([
      ['nx', 'embedded'],
      ['npm', 'embedded'],
      ['nx', 'docker'],
      ['npm', 'docker'],
      ['docker', 'docker'],
    ])('leaves it running where what it needs cannot be had: no %s, %s', (program, place) => {
      alone.file('.kith/runs-in', `${place}\n`);
      if (place === 'embedded') alone.file('.kith/supervisor.pid', '{}');
      else alone.file('containers', `${alone.folder}\n`);
      rmSync(join(alone.folder, 'node_modules/.kith-lock'));
      const fails = { nx: 'exit 1', npm: 'exit 1', docker: 'case "$2" in build) exit 1 ;; esac' }[program];
      alone.file(`bin/${program}`, `${program === 'docker' ? DOCKER : '#!/usr/bin/env bash\n'}${fails}\n`);
      const { status, asked } = restore();
      expect(status).not.toBe(0);
      expect(asked[0]).toBe('node backup-cli.js check');
      expect(asked.filter((line) => /main.js (?!secrets)| (?:stop|down|up|run)\b/.test(line))).toEqual([]);
    });

    it('starts the suite that was there again as it was where the backup does not fit', () => {
      node('case "$2" in restore) exit 1 ;; esac\n');
      alone.file('.env', `COMPANIONS_DIR=${alone.folder}/own\n`);
      alone.file('own/orla.json', 'ours');
      alone.file('backup/companions/orla.json', 'theirs');
      for (const name of ['runs-in', 'supervisor.pid']) alone.file(`.kith/${name}`, 'embedded\n');
      const { status, asked } = restore();
      expect(status).toBe(1);
      expect(asked.filter((line) => line.startsWith('node'))).toEqual([
        'node backup-cli.js check',
        'node main.js down',
        'node main.js restore',
        'node main.js up',
        'node url-cli.js',
      ]);
      expect(readFileSync(join(alone.folder, 'own/orla.json'), 'utf8')).toBe('ours');
    });

    it.each([
      ['node', 'nothing was restored: what was here before is unchanged'],
      [
        'chmod',
        'the database is restored, but vectors and own companions may be missing: run the restore again',
      ],
    ])('says last what came of it where it is interrupted while it waits for %s', (program, told) => {
      const interrupt = 'kill -INT "$PPID" $$';
      for (const name of ['runs-in', 'supervisor.pid']) alone.file(`.kith/${name}`, 'embedded\n');
      alone.file('.env', `COMPANIONS_DIR=${alone.folder}/own\n`);
      alone.file('backup/companions/orla.json', 'theirs');
      node(`case "$2" in up) echo all well >&2 ;; restore) ${program === 'node' ? interrupt : ''} ;; esac\n`);
      if (program !== 'node') alone.file(`bin/${program}`, `#!/usr/bin/env bash\n${interrupt}\n`);
      const { status, stderr, asked } = restore();
      expect({ status, stderr, last: asked.at(-1) }).toEqual({
        status: 130,
        stderr: `all well\n${told}\n`,
        last: 'node url-cli.js',
      });
    });

    it.each([
      [1, ''],
      [2, ''],
      [3, ''],
      [3, '2>&1'],
    ])(
      'starts the suite again although nobody reads more than %i lines of what it says %s',
      (lines, also) => {
        for (const name of ['runs-in', 'supervisor.pid']) alone.file(`.kith/${name}`, 'embedded\n');
        const step = lines === 1 ? 'restore' : 'up';
        const says = 'echo up; echo up >&2; echo "up goes on" >>asked';
        node(
          `case "$2" in ${step}) until [ -e unread ]; do :; done ;; esac\ncase "$2" in up) ${says} ;; esac\n`,
        );
        const leaves = `{ ${'read -r _; '.repeat(lines)}exec <&-; : >unread; }`;
        alone.file(
          'scripts/leave',
          `#!/usr/bin/env bash\n./scripts/restore nightly --yes ${also} | ${leaves}\n`,
        );
        const { asked } = alone.asked('leave');
        expect(asked.slice(asked.indexOf('node main.js up'))).toEqual([
          'node main.js up',
          'up goes on',
          'node url-cli.js',
        ]);
      },
    );

    it('says why the suite does not start again, also where only its errors are read', () => {
      for (const name of ['runs-in', 'supervisor.pid']) alone.file(`.kith/${name}`, 'embedded\n');
      node(
        'case "$2" in restore) until [ -e unread ]; do :; done ;; up) echo it did not start >&2; exit 3 ;; esac\n',
      );
      alone.file('unread', '');
      expect(restore()).toMatchObject({ status: 3, stderr: 'it did not start\n' });
      rmSync(join(alone.folder, 'unread'));
      alone.file(
        'scripts/leave',
        '#!/usr/bin/env bash\n./scripts/restore nightly --yes | { read -r _; exec <&-; : >unread; }\n',
      );
      expect(alone.asked('leave').stderr).toBe('it did not start\n');
    });

    it('says what it says at the start, and no more', () => {
      for (const name of ['runs-in', 'supervisor.pid']) alone.file(`.kith/${name}`, 'embedded\n');
      expect(restore().stdout).toMatch(/^building…\nrestored\. .*\nbuilding…\nstarting…\n/);
    });
  });
});
