import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { CONNECTION_WAIT_MS, Connections } from './connections.js';
import { Database } from './database.js';
import { readOfEach } from '../rows/people.js';
import { PersonRows } from '../rows/person-rows.js';
import { lockUntilEnd } from '../transactions/lock-until-end.js';
import type { Reader, Writer } from '../transactions/transaction.js';
import { TurnLedger } from '../rows/turn-ledger.js';

const APP_ROLE = 'kith_app';
const MIGRATIONS = join(import.meta.dirname, '../../../../prisma/migrations');
let directory: string;
let postgres: RunningPostgres;
let owner: pg.Client;
let database: Database;
let appUrl: string;
const ALICE = '00000000-0000-7000-8000-00000000000a';
const BOB = '00000000-0000-7000-8000-00000000000b';

function deployMigrations(settings: Record<string, string>) {
  const cli = join(import.meta.dirname, '../../dist/migrate-cli.js');
  return promisify(execFile)(process.execPath, [cli, 'deploy'], { env: { ...process.env, ...settings } });
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-database-'));
  const password = randomUUID();
  postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password,
    durable: false,
  });
  const ownerUrl = postgres.ownerUrl('kith_test');
  const app = new URL(ownerUrl);
  app.username = APP_ROLE;
  appUrl = app.href;
  await deployMigrations({ DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: app.href });
  owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  database = new Database({ url: app.href, poolSize: 5 });
  await database.asSystem((tx) =>
    tx.person.createMany({
      data: [
        { id: ALICE, displayName: 'Alice' },
        { id: BOB, displayName: 'Bob' },
      ],
    }),
  );
});

afterAll(async () => {
  await database.close();
  await owner.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

it('says at a migration which .env it needs, where the password is not the database’s', async () => {
  const other = new URL(postgres.ownerUrl('kith_test'));
  other.password = 'of another .env';
  await expect(deployMigrations({ DATABASE_OWNER_URL: other.href })).rejects.toMatchObject({
    stderr: expect.stringMatching(/^migrate: password authentication failed.*put that \.env back\n$/),
  });
});

describe('row-level security', () => {
  it('is forced, with a policy, on every table that has a person column', async () => {
    const { rows: open } = await owner.query<{ relname: string }>(`
      SELECT c.relname FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'person_id' AND NOT a.attisdropped
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
        AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                 AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid))`);
    expect(open.map((row) => row.relname)).toEqual([]);
  });

  it('lets the application role in as neither owner, superuser nor BYPASSRLS', async () => {
    const { rows } = await owner.query(
      `SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,
              EXISTS (SELECT 1 FROM pg_class WHERE relowner = r.oid) AS owns
       FROM pg_roles r WHERE rolname = $1`,
      [APP_ROLE],
    );
    expect(rows[0]).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreatedb: false,
      rolcreaterole: false,
      owns: false,
    });
  });

  it('shows a person their own rows alone', async () => {
    const seen = await database.asPerson(ALICE, (tx) => tx.person.findMany());
    expect(seen.map((person) => person.displayName)).toEqual(['Alice']);
  });

  it('reads a person’s own rows alone, past Prisma, and writes nothing there', async () => {
    const names = () =>
      database.read(
        { personId: ALICE },
        (reader) => reader.$queryRaw<{ name: string; at: Date }[]>`
          SELECT display_name AS name, now() AS at FROM people WHERE display_name = ANY (${['Alice', 'Bob']})`,
      );
    expect(await names()).toEqual([{ name: 'Alice', at: expect.any(Date) }]);
    const write = database.read({ personId: ALICE }, (reader) => reader.$queryRaw`DELETE FROM people`);
    await expect(write).rejects.toMatchObject({ code: 'unavailable' });
    // The connection is in order again, and so is the next transaction.
    expect(await Promise.all(Array.from({ length: 20 }, names))).toHaveLength(20);
    await expect(
      database.read({ personId: ALICE }, () => Promise.reject(new Error('my own'))),
    ).rejects.toThrow('my own');
    expect(await names()).toHaveLength(1);
  });

  describe('readings that begin in the same moment', () => {
    const named = (reader: Reader) =>
      reader.$queryRaw<{ name: string; at: Date; pid: number }[]>`
        SELECT display_name AS name, now() AS at, pg_backend_pid() AS pid FROM people ORDER BY 1`;

    it('are one transaction where they are of the same person, and otherwise not', async () => {
      const of = (personId: string) => database.read({ personId }, named);
      const [first, second, other] = await Promise.all([of(ALICE), of(ALICE), of(BOB)]);
      expect(first).toEqual(second);
      expect([first[0]?.name, other[0]?.name]).toEqual(['Alice', 'Bob']);
      expect(other[0]?.pid).not.toBe(first[0]?.pid);
    });

    const unsendable = {
      toPostgres: () => {
        throw new Error('no such value');
      },
    };
    it.each([
      ['its values', (reader: Reader) => reader.$queryRaw`SELECT 1 / ${0}::int`, 'division by zero'],
      ['what can’t be sent', (reader: Reader) => reader.$queryRaw`SELECT ${unsendable}`, 'no such value'],
      // Postgres refuses it as a standby does, which counts as trouble with the connection.
      ['writing', (reader: Reader) => reader.$queryRaw`DELETE FROM people`, 'Postgres is out of reach'],
    ])('do not fail because one beside them does for %s', async (_, failing, message) => {
      const scope = { personId: ALICE };
      const [good, bad, alsoGood] = await Promise.allSettled([
        database.read(scope, named),
        database.read(scope, failing),
        database.read(scope, named),
      ]);
      expect(bad).toMatchObject({ status: 'rejected', reason: { message } });
      for (const one of [good, alsoGood]) expect(one).toMatchObject({ value: [{ name: 'Alice' }] });
    });

    it('see their own person alone, also beside one that goes from person to person', async () => {
      const whose = [ALICE, BOB, ALICE].map((personId) => ({ personId }));
      const rounds = Array.from({ length: 20 }, () =>
        Promise.all([
          ...whose.map(async ({ personId }) => database.read({ personId }, named)),
          readOfEach(database, whose, named).then((read) => read.flat()),
          database.read('system', named),
        ]),
      );
      for (const read of await Promise.all(rounds))
        expect(read.map((rows) => rows.map(({ name }) => name))).toEqual([
          ['Alice'],
          ['Bob'],
          ['Alice'],
          ['Alice', 'Bob', 'Alice'],
          ['Alice', 'Bob'],
        ]);
    });

    it('refuse a statement after their end', async () => {
      let kept: Reader | undefined;
      await database.read({ personId: ALICE }, async (reader) => void (kept = reader));
      await expect(named(kept!)).rejects.toThrow('after its reading had ended');
    });
  });

  describe('statements past Prisma', () => {
    const nameOf = async (personId: string) => {
      const { rows } = await owner.query<{ name: string }>(
        'SELECT display_name AS name FROM people WHERE person_id = $1',
        [personId],
      );
      return rows[0]?.name;
    };
    const rename = (writer: Writer, personId: string, name: string) =>
      writer.$executeRaw`UPDATE people SET display_name = ${name} WHERE person_id = ${personId}::uuid`;

    it('write a person’s own rows alone, all of them or none', async () => {
      const renamed = await database.write({ personId: ALICE }, (writer) =>
        Promise.all([rename(writer, ALICE, 'Alice B.'), rename(writer, BOB, 'Mallory')]),
      );
      expect([renamed, await nameOf(ALICE), await nameOf(BOB)]).toEqual([[1, 0], 'Alice B.', 'Bob']);
      const broken = database.write({ personId: ALICE }, async (writer) => {
        await rename(writer, ALICE, 'Alice C.');
        throw new Error('my own');
      });
      await expect(broken).rejects.toThrow('my own');
      expect(await nameOf(ALICE)).toBe('Alice B.');
      await database.write({ personId: ALICE }, (writer) => rename(writer, ALICE, 'Alice'));
    });

    it('are carried out in the order they were given, each seeing the one before', async () => {
      const seen = await database.write({ personId: ALICE }, async (writer) => {
        const [, rows] = await Promise.all([
          rename(writer, ALICE, 'Alice D.'),
          writer.$queryRaw<{ name: string; big: bigint }[]>`
            SELECT display_name AS name, 9007199254740993::bigint AS big FROM people`,
          rename(writer, ALICE, 'Alice'),
        ]);
        return rows;
      });
      expect(seen).toEqual([{ name: 'Alice D.', big: 9007199254740993n }]);
      expect(await nameOf(ALICE)).toBe('Alice');
    });

    it('keep nothing of a transaction in which one failed, also where that was passed over', async () => {
      const passedOver = database.write({ personId: ALICE }, async (writer) => {
        await rename(writer, ALICE, 'Alice E.');
        await writer.$queryRaw`SELECT 1 / 0`.catch(() => undefined);
      });
      await expect(passedOver).rejects.toThrow('rolled back');
      expect(await nameOf(ALICE)).toBe('Alice');
    });

    it.each(['alone', 'after others'])('take the commit along where they are the last, %s', async (where) => {
      const change = (name: string, fails: boolean) =>
        database.write({ personId: ALICE }, async (writer) => {
          if (where === 'after others') await rename(writer, ALICE, `${name}, first`);
          const [count] = await writer.last(() =>
            Promise.all([
              rename(writer, ALICE, name),
              ...(fails ? [writer.$executeRaw`SELECT ${1}::int / ${0}::int`] : []),
            ]),
          );
          // Somebody else sees it at once.
          return [count, await nameOf(ALICE)];
        });
      expect(await change('Alice F.', false)).toEqual([1, 'Alice F.']);
      await expect(change('Alice G.', true)).rejects.toThrow('division by zero');
      await expect(change('Nul\0', false)).rejects.toThrow('invalid byte sequence');
      expect(await nameOf(ALICE)).toBe('Alice F.');
      expect(await change('Alice', false)).toEqual([1, 'Alice']);
    });

    it('take one round trip each where they are transactions of their own', async () => {
      const writer = database.writer({ personId: ALICE });
      const sent = jest.spyOn(pg.Client.prototype, 'query');
      try {
        expect(await rename(writer, ALICE, 'Alice J.')).toBe(1);
        expect(sent).toHaveBeenCalledTimes(1);
        await expect(writer.$executeRaw`SELECT 1 / 0`).rejects.toThrow('division by zero');
        expect(sent).toHaveBeenCalledTimes(2);
      } finally {
        sent.mockRestore();
      }
      expect(await nameOf(ALICE)).toBe('Alice J.');
      expect(await rename(writer, ALICE, 'Alice')).toBe(1);
    });

    it('are none of them kept where one of the last can’t even be sent', async () => {
      const unsendable = {
        toPostgres: () => {
          throw new Error('no value');
        },
      };
      const broken = database.write({ personId: ALICE }, (writer) =>
        writer.last(() =>
          Promise.all([
            rename(writer, ALICE, 'Alice H.'),
            writer.$executeRaw`SELECT ${unsendable as unknown as string}::text`,
          ]),
        ),
      );
      await expect(broken).rejects.toThrow();
      expect(await nameOf(ALICE)).toBe('Alice');
      // The connection is good for the next one.
      expect(await database.write({ personId: ALICE }, (writer) => rename(writer, ALICE, 'Alice'))).toBe(1);
    });

    it('are none of them kept where one of the last can’t even be given', async () => {
      const giveNone = async () => {
        throw new Error('no statement');
      };
      const broken = database.write({ personId: ALICE }, (writer) =>
        writer.last(() => Promise.all([rename(writer, ALICE, 'Alice I.'), giveNone()])),
      );
      await expect(broken).rejects.toThrow('no statement');
      expect(await nameOf(ALICE)).toBe('Alice');
    });

    it('keep their own scope within a transaction of Prisma’s, and so do those after them', async () => {
      for (let n = 0; n < 6; n += 1) {
        const names = await database.asPerson(ALICE, () =>
          database.write({ personId: BOB }, async (writer) => {
            const own = await writer.$queryRaw<{ name: string }[]>`SELECT display_name AS name FROM people`;
            return [own, await rename(writer, ALICE, 'Mallory')];
          }),
        );
        expect(names).toEqual([[{ name: 'Bob' }], 0]);
      }
      expect(await nameOf(ALICE)).toBe('Alice');
    });

    it('go on being prepared after one of them failed', async () => {
      const divide = (by: number) =>
        database.read({ personId: ALICE }, (reader) =>
          Promise.all([
            reader.$queryRaw<{ n: number }[]>`SELECT 6 / ${by}::int AS n`,
            reader.$queryRaw<{ n: number }[]>`SELECT 7 + ${by}::int AS n`,
          ]),
        );
      for (let n = 0; n < 12; n += 1) await expect(divide(0)).rejects.toThrow('division by zero');
      for (let n = 0; n < 12; n += 1) expect(await divide(2)).toEqual([[{ n: 3 }], [{ n: 9 }]]);
    });

    it('are planned once within a scope, whatever plan with their values Postgres would prefer', async () => {
      const single = new Database({ url: `${appUrl}?application_name=single`, poolSize: 1 });
      const plans = () =>
        single.read(
          { personId: ALICE },
          (reader) => reader.$queryRaw<{ custom: bigint; generic: bigint }[]>`
            SELECT sum(custom_plans)::bigint AS custom, sum(generic_plans)::bigint AS generic
            FROM pg_prepared_statements WHERE statement LIKE ${'%display_name%'}`,
        );
      for (let n = 0; n < 20; n += 1) {
        await single.read(
          { personId: ALICE },
          (reader) =>
            reader.$queryRaw`SELECT display_name FROM people WHERE person_id = ${ALICE}::uuid LIMIT ${n}`,
        );
      }
      expect(await plans()).toEqual([{ custom: 0n, generic: 20n }]);
      await single.close();
    });

    it('are never compiled, however dear Postgres thinks them', async () => {
      const settings = (reader: Pick<Reader, '$queryRaw'>) => reader.$queryRaw<{ jit: string }[]>`SHOW jit`;
      expect(await database.read('system', settings)).toEqual([{ jit: 'off' }]);
      expect(await database.write({ personId: ALICE }, settings)).toEqual([{ jit: 'off' }]);
      expect(await database.asSystem(settings)).toEqual([{ jit: 'off' }]);
    });

    it('give back what they hold when they are left alone, and wait for no lock longer than their connection', async () => {
      await owner.query('BEGIN');
      await owner.query(`UPDATE people SET display_name = 'Held' WHERE person_id = $1`, [ALICE]);
      const waiting = [
        database.write({ personId: ALICE }, (writer) => writer.last(() => rename(writer, ALICE, 'Late'))),
        database.asPerson(ALICE, (tx) => rename(tx, ALICE, 'Late')),
      ];
      const idle = database.write({ personId: BOB }, async (writer) => {
        await rename(writer, BOB, 'Idle');
        await setTimeout(13_000);
        await rename(writer, BOB, 'Idle again');
      });
      const ends = Promise.allSettled([...waiting, idle]);
      await Promise.allSettled(waiting);
      await owner.query('ROLLBACK');
      expect(await database.write({ personId: BOB }, (writer) => rename(writer, BOB, 'Bob'))).toBe(1);
      const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) };
      expect(await ends).toEqual([refused, refused, refused]);
      expect([await nameOf(ALICE), await nameOf(BOB)]).toEqual(['Alice', 'Bob']);
    });

    it('are refused after their transaction, rather than stand in another’s', async () => {
      let kept: Writer | undefined;
      await database.write({ personId: ALICE }, async (writer) => void (kept = writer));
      await expect(rename(kept!, ALICE, 'Mallory')).rejects.toThrow('after its transaction had ended');
      expect(await nameOf(ALICE)).toBe('Alice');
    });
  });

  it('shows nothing where no scope was stated', async () => {
    const conversationId = '00000000-0000-7000-8000-0000000000cc';
    expect(await database.read({ conversationId }, (reader) => reader.$queryRaw`SELECT FROM people`)).toEqual(
      [],
    );
  });

  it('refuses a row written in another person’s name', async () => {
    const forged = database.asPerson(ALICE, (tx) =>
      tx.identity.create({ data: { personId: BOB, door: 'http', subject: 'forged' } }),
    );
    await expect(forged).rejects.toThrow(/row-level security|42501|denied/i);
  });

  it('keeps two people apart over one pool under concurrent use', async () => {
    const names = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        database.asPerson(
          index % 2 ? ALICE : BOB,
          async (tx) => (await tx.person.findMany())[0]?.displayName,
        ),
      ),
    );
    expect(names.every((name, index) => name === (index % 2 ? 'Alice' : 'Bob'))).toBe(true);
  });
});

describe('a row with a time that nothing can hold', () => {
  it.each([
    ['10000-01-01 00:00:00+00', '2199-12-31T23:59:59.999Z'],
    ['infinity', '2199-12-31T23:59:59.999Z'],
    ['0001-01-01 00:00:00+00 BC', '1900-01-01T00:00:00.000Z'],
  ])('is read beside the others: %s', async (written, read) => {
    await owner.query(
      `INSERT INTO api_keys (id, person_id, name, hash, scopes, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, $2, gen_random_uuid()::text, '{}', now(), $2::text::timestamptz)`,
      [ALICE, written],
    );
    const where = { personId: ALICE };
    const listed = await database.asPerson(ALICE, (tx) => tx.apiKey.findMany({ where }));
    expect(listed.map(({ expiresAt }) => expiresAt?.toISOString())).toContain(read);
    const raw = await database.asPerson(
      ALICE,
      (tx) => tx.$queryRaw<{ at: Date }[]>`SELECT expires_at AS at FROM api_keys WHERE name = ${written}`,
    );
    expect(raw[0]!.at.toISOString()).toBe(read);
    const [fast] = await database.read(
      { personId: ALICE },
      (reader) =>
        reader.$queryRaw<{ at: Date }[]>`SELECT expires_at AS at FROM api_keys WHERE name = ${written}`,
    );
    expect(fast!.at.toISOString()).toBe(read);
  });

  it('is mended by the migration that brought the bounds', async () => {
    const name = '20261122062030_bounded_times';
    await owner.query(await readFile(join(MIGRATIONS, name, 'migration.sql'), 'utf8'));
    const { rows } = await owner.query(
      `SELECT 1 FROM api_keys WHERE expires_at > '2200-01-01' OR expires_at < '1900-01-01'`,
    );
    expect(rows).toEqual([]);
  });
});

describe('somebody who was erased', () => {
  const tombstone = (erasedId: string) =>
    database.asSystem(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(kith_erasure_lock(${erasedId}::uuid))`;
      await tx.erasure.create({ data: { erasedId, askedBy: 'operator' } });
    });
  const note = (personId: string, turnId = randomUUID()) =>
    database.asPerson(personId, (tx) => tx.memoryHandledTurn.create({ data: { turnId, personId } }));

  it('is refused by every table that has a person column', async () => {
    const { rows: open } = await owner.query<{ relname: string }>(`
      SELECT c.relname FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'person_id' AND NOT a.attisdropped
      WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'refuse_erased'
                        AND t.tgenabled = 'O')`);
    expect(open.map((row) => row.relname)).toEqual([]);
  });

  it('gets no new row, by an insert, an upsert or raw SQL, and others do', async () => {
    const personId = randomUUID();
    await note(personId);
    await tombstone(personId);
    const turnId = randomUUID();
    const refused = { code: 'not_found', details: { erased: true } };
    await expect(note(personId)).rejects.toMatchObject(refused);
    const upsert = database.asPerson(personId, (tx) =>
      tx.memoryHandledTurn.upsert({ where: { turnId }, create: { turnId, personId }, update: {} }),
    );
    await expect(upsert).rejects.toMatchObject(refused);
    const raw = database.asSystem(
      (tx) => tx.$executeRaw`
        INSERT INTO memory_handled_turns (turn_id, person_id) VALUES (${turnId}::uuid, ${personId}::uuid)
        ON CONFLICT DO NOTHING`,
    );
    await expect(raw).rejects.toMatchObject(refused);
    await note(BOB);

    const rows = new PersonRows(database, ['memory_handled_turns', 'people']);
    expect(await rows.count(personId)).toEqual({ memory_handled_turns: 1, people: 0 });
    await rows.erase(personId);
    expect(await rows.count(personId)).toEqual({ memory_handled_turns: 0, people: 0 });
    expect(await rows.count(BOB)).toEqual({ memory_handled_turns: 1, people: 1 });
  });

  it('loses all of its rows, also one that somebody changes as they go', async () => {
    const personId = randomUUID();
    for (let n = 0; n < 3; n += 1) await note(personId);
    const rows = new PersonRows(database, ['memory_handled_turns']);
    let erasing = Promise.resolve();
    await database.write({ personId }, async (tx) => {
      await tx.$executeRaw`
        UPDATE memory_handled_turns SET at = now()
        WHERE turn_id = (SELECT turn_id FROM memory_handled_turns LIMIT 1)`;
      erasing = rows.erase(personId);
      const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`;
      while ((await owner.query(waits)).rowCount === 0) await setTimeout(10);
    });
    await erasing;
    expect(await rows.count(personId)).toEqual({ memory_handled_turns: 0 });
  });

  it('is erased only once what is being written is written, so that nothing slips in between', async () => {
    const personId = randomUUID();
    const order: string[] = [];
    let written: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const writer = database.asPerson(personId, async (tx) => {
      await tx.memoryHandledTurn.create({ data: { turnId: randomUUID(), personId } });
      written();
      const waits = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
      while ((await owner.query(waits)).rowCount === 0) await setTimeout(10);
      order.push('written');
    });
    await isWritten;
    await Promise.all([writer, tombstone(personId).then(() => order.push('erased'))]);
    expect(order).toEqual(['written', 'erased']);
  });
});

describe('a ledger of handled turns', () => {
  it('knows what is missing in it, notes a turn once, and forgets what is old', async () => {
    const ledger = new TurnLedger(database, 'memory_handled_turns');
    const [done, open] = [randomUUID(), randomUUID()];
    const note = () => database.asPerson(ALICE, (tx) => ledger.note(tx, { turnId: done, personId: ALICE }));
    expect([await note(), await note()]).toEqual([true, false]);
    expect(await ledger.missing([done, open])).toEqual([open]);
    await ledger.prune();
    expect(await ledger.missing([done])).toEqual([]);
    await owner.query(`UPDATE memory_handled_turns SET at = now() - interval '31 days'`);
    await ledger.prune();
    expect(await ledger.missing([done])).toEqual([done]);
  });
});

describe('a lock', () => {
  it('is held by one at a time, and is free again after work that failed', async () => {
    const other = new Database({ url: appUrl, poolSize: 1 });
    try {
      const inside = await database.withLock('chore', async () => {
        expect(await other.withLock('chore', async () => undefined)).toBe(false);
        expect(await other.withLock('another', async () => undefined)).toBe(true);
      });
      expect(inside).toBe(true);
      const failing = database.withLock('chore', async () => {
        throw new Error('no luck');
      });
      await expect(failing).rejects.toThrow('no luck');
      expect(await other.withLock('chore', async () => undefined)).toBe(true);
    } finally {
      await other.close();
    }
  });
});

describe('the socket of an embedded server', () => {
  const addressOver = async (url: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ address: string | null }>(
      'SELECT inet_server_addr()::text AS address',
    );
    await client.end();
    return rows[0]?.address;
  };

  it('is what services connect to, with the same user and password', async () => {
    expect(await addressOver(postgres.overSocket(appUrl))).toBeNull();
    const wrong = new URL(appUrl);
    wrong.password = 'wrong';
    await expect(addressOver(postgres.overSocket(wrong.href))).rejects.toThrow('password');
  });

  it.each([
    ['gives way to the port where its path is too long for the system', 'd'.repeat(110), '127.0.0.1/32'],
    ['is in a folder whose name has commas', 'Doe, Jane', null],
    ['is in a folder whose name has quotes', 'the "new" one', null],
  ])(
    '%s',
    async (_, folder, address) => {
      const other = await startPostgres({
        directory: join(directory, folder),
        port: await freePort(),
        password: 'p',
        durable: false,
      });
      try {
        expect(await addressOver(other.overSocket(other.ownerUrl('postgres')))).toBe(address);
      } finally {
        await other.stop();
      }
    },
    30_000,
  );
});

describe('connections', () => {
  it('are left for others while a person’s transactions wait for that person’s lock', async () => {
    const name = `person ${ALICE}`;
    const key = 'hashtextextended($1, 0)';
    await owner.query(`SELECT pg_advisory_lock(${key})`, [name]);
    const locked: (() => Promise<void>)[] = [
      () => database.write({ personId: ALICE }, (tx) => lockUntilEnd(tx, name)),
      () => database.asPerson(ALICE, (tx) => lockUntilEnd(tx, name)),
      () => database.write({ personId: ALICE, conversationId: BOB }, (tx) => lockUntilEnd(tx, name)),
    ];
    const waiting = Array.from({ length: 5 }, () => locked.map((wait) => wait())).flat();
    const begun = performance.now();
    await database.writer({ personId: BOB }).$queryRaw`SELECT 1`;
    await database.asPerson(BOB, (tx) => tx.person.count());
    await database.ping();
    expect(performance.now() - begun).toBeLessThan(CONNECTION_WAIT_MS / 2);
    await owner.query(`SELECT pg_advisory_unlock(${key})`, [name]);
    await Promise.all(waiting);
  });

  it('that are all taken are not told as a Postgres that is out of reach', async () => {
    const settings = { url: `${appUrl}?application_name=taken`, poolSize: 5 };
    const [connections, taken] = [Connections.to(settings), new Database(settings)];
    const { pool } = connections;
    pool.options.connectionTimeoutMillis = 100;
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const refused = { code: 'unavailable', message: 'no connection to Postgres became free in time' };
    const begun = [
      taken.ping(),
      taken.reader('system').$queryRaw`SELECT 1`,
      taken.asSystem((tx) => tx.person.count()),
    ];
    for (const each of await Promise.allSettled(begun)) expect(each).toMatchObject({ reason: refused });
    for (const client of clients) client.release();
    await Promise.all([connections.leave(), taken.close()]);
  }, 15_000);

  it('are kept through a rest, two for each service, and no more', async () => {
    const connections = Connections.to({ url: `${appUrl}?application_name=resting`, poolSize: 5 });
    const { pool } = connections;
    pool.options.idleTimeoutMillis = 20;
    const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    expect(pool.totalCount).toBe(4);
    for (const client of clients) client.release();
    while (pool.totalCount > 2) await setTimeout(10);
    await setTimeout(200);
    expect(pool.totalCount).toBe(2);
    await connections.leave();
  });

  it.each([
    [10, [10, 16, 16]],
    [5, [5, 10, 15]],
    [30, [30, 30, 30]],
  ])('of services with %i each are no more than they share: %j', async (poolSize, most) => {
    const url = `${appUrl}?application_name=shared`;
    const users: Connections[] = [];
    const found = most.map(() => {
      const connections = Connections.to({ url, poolSize });
      users.push(connections);
      return connections.pool.options.max;
    });
    expect(found).toEqual(most);
    await Promise.all(users.map((user) => user.leave()));
  });
});
