import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { deployMigrations } from '../../migrations/deploy-migrations.js';
import { readMigrations } from '../../migrations/read-migrations.js';
import { checkBackup, writeBackup } from '../backup.js';
import { FOLDER, PERSON, directory, postgres, migrated, query, backUp, restore } from './open-postgres.js';

/** Tests that a backup brings back what was there, or is refused in words. */
export function wholeBackup(): void {
  describe('a backup', () => {
    it('brings back every row as it was, with odd characters, and leaves the index to be rebuilt', async () => {
      const [from, to] = [await migrated('kith_from'), await migrated('kith_to')];
      const text = 'tabs\tand\nlines\r\nand\u2028separators \\. “quotes” 🦉';
      await query(from, `INSERT INTO people (person_id, display_name) VALUES ($1, $2)`, [PERSON, text]);
      await query(
        from,
        `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at, quote, nickname, pictures)
       SELECT $1, $1, 'http', 'm' || n, $2, now(), to_jsonb($2::text), $2, '[]' FROM generate_series(1, 500) n`,
        [PERSON, text],
      );
      await query(
        from,
        `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at, sources, indexed_in)
       VALUES ($1, $1, 'mira', 'episode', $2, 'h', 'direct', 'person', 5, now(), ARRAY['a,b', '"c"'], 'lexical')`,
        [PERSON, text],
      );
      await query(
        from,
        `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text)
       VALUES ($1, $1, $1, $1, 'discord', '{}', $2)`,
        [PERSON, text],
      );
      await query(
        to,
        `INSERT INTO people (person_id, display_name) VALUES (gen_random_uuid(), 'to be replaced')`,
      );
      const { file, written } = await backUp(from);
      expect(await checkBackup(createReadStream(file), FOLDER)).toEqual({
        createdAt: expect.stringMatching(/^\d{4}-/),
        counts: written,
      });
      const restored = await restore(to, file);
      expect(restored).toEqual(written);
      expect(restored).toMatchObject({ people: 1, inbox: 500, memories: 1 });
      expect(await query(to, 'SELECT display_name FROM people')).toEqual([{ display_name: text }]);
      expect(await query(to, 'SELECT sources, indexed_in FROM memories')).toEqual([
        { sources: ['a,b', '"c"'], indexed_in: null },
      ]);
      // What was under way then is not done a second time, and says why. With it goes what was for its turn alone.
      expect(
        await query(to, 'SELECT DISTINCT outcome, outcome_reason, quote, nickname, pictures FROM inbox'),
      ).toEqual([
        { outcome: 'dropped', outcome_reason: 'restored', quote: null, nickname: null, pictures: null },
      ]);
      expect(await query(to, 'SELECT status, last_error FROM outbox')).toEqual([
        { status: 'failed', last_error: expect.stringContaining('restored') },
      ]);
      // The next message gets a number of its own.
      const [next] = await query(to, `SELECT nextval(pg_get_serial_sequence('inbox', 'id')) AS id`);
      expect(Number(next!['id'])).toBeGreaterThan(500);
    });

    it('that was not written to its end, or by a newer version, is told before anything is read', async () => {
      const { file } = await backUp(await migrated('kith_whole'));
      const whole = await readFile(file);
      const check = (bytes: Buffer) => checkBackup(Readable.from([bytes]), FOLDER);
      await expect(check(whole.subarray(0, whole.length - 20))).rejects.toThrow('broken off or damaged');
      await expect(check(Buffer.from('nonsense'))).rejects.toThrow('not a Kith backup');
      const lines = gunzipSync(whole).toString().split('\n');
      await expect(check(gzipSync(lines.slice(0, -2).join('\n')))).rejects.toThrow('breaks off in');
      const newer = lines[0]!.replace('"migrations":[', '"migrations":["29991231000000_robots",');
      await expect(check(gzipSync([newer, ...lines.slice(1)].join('\n')))).rejects.toThrow(
        'newer version: this one lacks 29991231000000_robots',
      );
    });

    it('of an earlier version becomes what its rows would have become here', async () => {
      // Keys had no scope for outreach, and a companion's notes looked like lines that were brought along.
      const earlier = (await readMigrations(FOLDER))
        .map(({ name }) => name)
        .filter((name) => name < '20261122064811');
      const [from, to] = [postgres.ownerUrl('kith_earlier'), await migrated('kith_later')];
      await deployMigrations(from, FOLDER, earlier);
      await query(from, `INSERT INTO people (person_id, display_name) VALUES ($1, 'Ann')`, [PERSON]);
      await query(
        from,
        `INSERT INTO api_keys (id, person_id, name, hash, scopes) VALUES (gen_random_uuid(), $1, 'k', 'k', '{chat}')`,
        [PERSON],
      );
      // A column that is unknown here, as of a version between.
      await query(from, `ALTER TABLE people ADD COLUMN shoe_size bigint`);
      const { file } = await backUp(from);
      await expect(restore(to, file)).rejects.toThrow('shoe_size');
      await query(from, `ALTER TABLE people DROP COLUMN shoe_size`);
      await writeBackup(from, createWriteStream(file), new Date());
      await query(to, `INSERT INTO people (person_id, display_name) VALUES (gen_random_uuid(), 'replaced')`);
      await query(to, `CREATE DATABASE kith_later_upgrading`); // a restore that was cut off, and is still at work
      const atWork = new pg.Client({ connectionString: postgres.ownerUrl('kith_later_upgrading') });
      atWork.on('error', () => undefined);
      await atWork.connect();
      expect(await restore(to, file)).toMatchObject({ people: 1, api_keys: 1 });
      expect(await query(to, 'SELECT display_name FROM people')).toEqual([{ display_name: 'Ann' }]);
      expect(await query(to, 'SELECT scopes FROM api_keys')).toEqual([{ scopes: ['chat', 'outreach'] }]);
      expect(await query(to, `SELECT datname FROM pg_database WHERE datname LIKE '%upgrading'`)).toEqual([]);
    });

    it('of an earlier version is taken beside a database with the longest name', async () => {
      const url = await migrated('k'.repeat(63));
      const first = (await readMigrations(FOLDER))
        .map(({ name }) => name)
        .filter((name) => name < '20261122064811');
      const from = postgres.ownerUrl('kith_short');
      await deployMigrations(from, FOLDER, first);
      const { file } = await backUp(from);
      expect(await restore(url, file)).toMatchObject({ people: 0 });
    });

    it('with a row that Postgres refuses is refused in one line, and nothing changes', async () => {
      const url = await migrated('kith_refused_row');
      await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'still here')`, [PERSON]);
      await query(
        url,
        `INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at)
       SELECT $1, $1, 'http', 'm' || n, repeat('word ', 100), now() FROM generate_series(1, 5000) n`,
        [PERSON],
      );
      const { file } = await backUp(url);
      const lines = gunzipSync(await readFile(file)).toString();
      const damaged = gzipSync(lines.replaceAll('\thttp\tm1\t', '\thttp\tm1\tone column too many\t'));
      const cli = spawn(
        process.execPath,
        [join(import.meta.dirname, '../../../dist/backup-cli.js'), 'read'],
        { env: { ...process.env, DATABASE_OWNER_URL: url } },
      );
      cli.stdin.on('error', () => undefined).end(damaged);
      const ended = once(cli, 'exit') as Promise<[number]>;
      const [said, [code]] = await Promise.all([text(cli.stderr), ended]);
      expect(said).toBe('extra data after last expected column\n');
      expect(code).toBe(1);
      expect(await query(url, 'SELECT display_name FROM people')).toEqual([{ display_name: 'still here' }]);
    });

    it('is whole where the owner of the tables is no superuser', async () => {
      await query(
        postgres.ownerUrl('postgres'),
        `CREATE ROLE ordinary LOGIN CREATEDB CREATEROLE PASSWORD 'ordinary';
       GRANT SET ON PARAMETER "app.scope" TO ordinary`,
      );
      const url = new URL(postgres.ownerUrl('kith_ordinary'));
      Object.assign(url, { username: 'ordinary', password: 'ordinary' });
      await deployMigrations(url.href, FOLDER);
      await query(
        postgres.ownerUrl('kith_ordinary'),
        `INSERT INTO people (person_id, display_name) VALUES (gen_random_uuid(), 'Ann'), (gen_random_uuid(), 'Bo')`,
      );
      const { written } = await backUp(url.href);
      expect(written).toMatchObject({ people: 2 });
    });

    it('that can not be read is told with the reason', async () => {
      const gone = new Readable({
        read() {
          this.destroy(new Error('the disk is gone'));
        },
      });
      await expect(checkBackup(gone, FOLDER)).rejects.toThrow('the disk is gone');
    });

    it('fails with the reason where its destination takes no more', async () => {
      const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) });
      const url = await migrated('kith_full_disk');
      await expect(writeBackup(url, full, new Date())).rejects.toThrow('the disk is full');
    });

    it('that is none is refused in words, and nothing changes', async () => {
      const url = await migrated('kith_refuse');
      await query(url, `INSERT INTO people (person_id, display_name) VALUES ($1, 'still here')`, [PERSON]);
      const file = join(directory, 'nonsense.gz');
      await writeFile(file, 'nonsense');
      const cli = spawn(
        process.execPath,
        [join(import.meta.dirname, '../../../dist/backup-cli.js'), 'read'],
        { env: { ...process.env, DATABASE_OWNER_URL: url }, stdio: ['pipe', 'pipe', 'pipe'] },
      );
      createReadStream(file).pipe(cli.stdin);
      const [code] = (await once(cli, 'exit')) as [number];
      expect(code).toBe(1);
      expect(await query(url, 'SELECT display_name FROM people')).toEqual([{ display_name: 'still here' }]);
    });
  });
}
