import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { withScriptsAlone } from './scripts-alone.js';

describe('scripts that build or install', () => {
  const alone = withScriptsAlone();
  beforeEach(() => {
    alone.file('bin/redis-server', '');
    alone.file('nightly', '');
    mkdirSync(join(alone.folder, '.kith'));
  });
  const turnOf = (holder: string) => symlinkSync(holder, join(alone.folder, '.kith/turn'));

  /** Has one script started beside another one that is at work. */
  const beside = (script: string) =>
    `[ -e second ] || { env -u KITH_TURN ./scripts/${script} >second 2>&1 || echo "ended with $?" >>second; }`;
  const expectRefusal = (first: string) => {
    expect(readFileSync(join(alone.folder, 'second'), 'utf8').replace(/\d+/, 'N')).toBe(
      `./scripts/${first} (process N) is at work in this checkout: wait until it has ended\nended with 1\n`,
    );
    expect(readdirSync(join(alone.folder, '.kith'))).not.toContain('turn');
  };

  it.each(['up --embedded', 'build --embedded', 'setup', 'restore nightly --yes'])(
    'leave one that is at work alone, and say so: %s',
    (second) => {
      alone.file('bin/nx', `#!/usr/bin/env bash\n${beside(second)}\n`);
      expect(alone.run('up', '--embedded')).toMatchObject({ status: 0, stderr: '' });
      expectRefusal('up');
    },
  );

  it('leave a build for the tests alone', () => {
    alone.file('bin/npm', `#!/usr/bin/env bash\ncase $* in *build:whole) ${beside('setup')} ;; esac\n`);
    alone.run('test');
    expectRefusal('test');
  });

  it('go on where one was killed, also where its process id is another’s by now', () => {
    rmSync(join(alone.folder, 'node_modules/.kith-lock'));
    alone.file('bin/npm', '#!/usr/bin/env bash\ncase $1 in ci) kill -KILL "$PPID" ;; esac\n');
    expect(alone.run('setup', '--npm').status).toBe(null);
    expect(readdirSync(join(alone.folder, '.kith'))).toContain('turn');
    alone.file('bin/npm', '#!/usr/bin/env bash\nmkdir -p node_modules\n');
    expect(alone.run('setup', '--npm')).toMatchObject({ status: 0, stderr: '' });
    turnOf(`${process.pid} up 1`);
    expect(alone.run('up', '--embedded')).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(join(alone.folder, '.kith')).filter((name) => name.startsWith('turn'))).toEqual([]);
  });

  it('say what keeps them from taking the turn of one that was killed', () => {
    turnOf(`${process.pid} up 1`);
    alone.file('bin/mv', '#!/usr/bin/env bash\necho "mv: Permission denied" >&2\nexit 1\n');
    expect(alone.run('setup')).toMatchObject({ status: 1, stderr: 'mv: Permission denied\n' });
  });

  it('know a process by what ps tells where there is no /proc, such as on macOS', () => {
    const inTurn = join(alone.folder, 'scripts/in-turn');
    writeFileSync(inTurn, readFileSync(inTurn, 'utf8').replaceAll('/proc/', '/nowhere/'));
    alone.file('bin/ps', '#!/usr/bin/env bash\necho "Mon Nov  2 02:01:53 2026    "\n');
    turnOf('7 up Mon Nov 2 02:01:53 2026');
    expect(alone.run('setup')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^\.\/scripts\/up \(process 7\) is at work/),
    });
  });
});
