import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DOCKER, withScriptsAlone } from './scripts-alone.js';

describe('where the suite runs, the scripts', () => {
  const alone = withScriptsAlone();
  const file = (path: string, text: string) => alone.file(path, text);
  const run = (script: string, ...args: string[]) => alone.run(script, ...args);

  it('run where an engine answers, else on the machine itself', () => {
    expect(run('runs-in').stdout).toBe('docker\n');
    rmSync(join(alone.folder, 'bin/docker'));
    expect(run('runs-in').stdout).toBe('embedded\n');
  });

  it('take an engine without Compose for none', () => {
    file('bin/docker', `${DOCKER}case "$1" in compose) exit 1 ;; esac\n`);
    expect(run('runs-in').stdout).toBe('embedded\n');
  });

  it('go on without Docker where the suite ran so last', () => {
    file('.kith/postgres/PG_VERSION', '17');
    file('.kith/supervisor.pid', '{}');
    expect(run('runs-in').stdout).toBe('embedded\n');
    file('.kith/runs-in', 'embedded\n');
    rmSync(join(alone.folder, '.kith/supervisor.pid'));
    expect(run('runs-in').stdout).toBe('embedded\n');
  });

  it('say that the engine is missing where the suite ran with Docker last', () => {
    file('.kith/runs-in', 'docker\n');
    expect(run('runs-in').stdout).toBe('docker\n');
    rmSync(join(alone.folder, 'bin/docker'));
    for (const script of ['runs-in', 'up'])
      expect(run(script)).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('no engine answers'),
      });
  });

  it('ask where nobody knows which data the suite had last', () => {
    file('.kith/postgres/PG_VERSION', '17');
    expect(run('runs-in')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('--embedded'),
    });
    expect(run('up')).toMatchObject({ status: 1, stdout: '' });
    file('containers', `${alone.folder}\n`);
    expect(run('runs-in').stdout).toBe('docker\n');
  });

  it('find what is left of a start that failed', () => {
    file('.kith/postgres/PG_VERSION', '17');
    file('bin/docker', `${DOCKER}case "$*" in "compose up"*) exit 1 ;; esac\n`);
    expect(run('up', '--docker').status).toBe(1);
    expect(run('runs-in').stdout).toBe('docker\n');
  });

  describe('leave the data of another checkout of the same name alone', () => {
    const start = () => {
      const { status, stderr, asked } = alone.asked('up', '--docker');
      return { status, stderr, isStarted: asked.some((line) => line.startsWith('docker compose up')) };
    };
    const started = { status: 0, stderr: '', isStarted: true };
    const refused = (stderr: string) => ({
      status: 1,
      isStarted: false,
      stderr: expect.stringContaining(stderr),
    });

    it('where that one is there, until this one has a name of its own', () => {
      const other = join(alone.folder, 'other/kith');
      file('other/kith/.env', '');
      file('containers', `${other}\n`);
      expect(start()).toEqual(
        refused(`the suite in ${other} goes by the name of kith in Docker: COMPOSE_PROJECT`),
      );
      // Also where it was here first.
      file('.kith/runs-in', 'docker\n');
      expect(start()).toEqual(refused(other));
      // Its folder was moved here.
      rmSync(join(alone.folder, 'other'), { recursive: true });
      expect(start()).toEqual(started);
    });

    it('where that one is down, and nobody said that the data is this one’s', () => {
      file('volumes', 'kith_postgres\n');
      expect(start()).toEqual(refused('COMPOSE_PROJECT_NAME=kith goes on with that data'));
      file('.kith/runs-in', 'embedded\n');
      expect(start()).toEqual(refused('data of another suite by the name of kith'));
      file('.env', 'COMPOSE_PROJECT_NAME=kith\n');
      expect(start()).toEqual(started);
    });

    it('and know their own again', () => {
      file('volumes', 'kith_postgres\n');
      file('.kith/runs-in', 'docker\n');
      expect(start()).toEqual(started);
      file('.kith/runs-in', 'embedded\n');
      expect(start()).toEqual(started);
      rmSync(join(alone.folder, '.kith'), { recursive: true });
      file('containers', `${alone.folder}\n`);
      expect(start()).toEqual(started);
    });
  });

  it('act on what runs, where it was started by hand elsewhere', () => {
    file('.kith/runs-in', 'embedded\n');
    file('.kith/logs/kith.log', '');
    file('containers', `${alone.folder}\n`);
    const by = (script: string) => alone.asked(script).asked;
    expect(by('status')).toEqual(['docker compose ps']);
    expect(by('logs')).toEqual(['docker compose logs --tail 50 -f']);
    expect(by('down')).toEqual(['docker compose down']);
    file('.kith/supervisor.pid', '{}');
    expect(run('runs-in').stdout).toBe('embedded\n');
    rmSync(join(alone.folder, '.kith/supervisor.pid'));
    file('containers', '');
    expect(run('runs-in').stdout).toBe('embedded\n');
  });

  it('know a PostgreSQL that runs from one that a crash of the machine has ended', () => {
    file('.kith/postgres/postmaster.pid', `${process.pid}\n/kith/.kith/postgres\n`);
    expect(run('runs-in', '--embedded').status).toBe(0);
    const { pid } = spawnSync('true');
    file('.kith/postgres/postmaster.pid', `${pid}\n/kith/.kith/postgres\n`);
    expect(run('runs-in', '--embedded')).toEqual({ status: 1, stdout: '', stderr: '' });
    expect(run('up', '--docker').stdout).not.toContain('stopping');
  });
});
