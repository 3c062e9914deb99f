import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OTHER_KEY, refusal, startScriptedApi, useScriptedApi } from './e2e/scripted-api.js';

const { api, cli } = useScriptedApi();
const KITH = join(import.meta.dirname, '../bin/kith.js');

describe('errors', () => {
  it.each([
    [['chat', '--companion', 'nobody'], 1, 'there is no companion "nobody": choose one of mira'],
    [['memories', 'clear'], 2, 'say --yes'],
    [['memories', 'list', '--limit', 'many'], 2, 'give a whole number, at least 1'],
    [['memories', 'search', ' '], 2, 'say what to search for'],
    [['memories', 'core', 'operator', 'x'], 2, 'Allowed choices are human, persona.'],
    [['memories', 'core', 'human'], 2, 'kith: say what human should say, or --clear\n'],
    [['memories', 'core', 'human', 'x', '--clear'], 2, 'kith: say what human should say, or --clear\n'],
    [['memories', 'core', '--clear'], 2, 'kith: say which block to clear: human or persona\n'],
    [['memories', 'core', '--in', 'here'], 2, 'kith: --in: direct, or channel:<door>:<id>'],
    [['memories', 'forget', '--from', '2026-03-02', '--to', '2026-03-01'], 2, '--from has to be before --to'],
    [['companion', 'rollback', 'mira', '0'], 2, 'give a whole number, at least 1'],
    [['documents', 'add', `${import.meta.dirname}/../package.json`], 2, 'give a .md'],
    [['memories'], 2, 'Usage: kith memories'],
    [['nonsense'], 2, "unknown command 'nonsense'"],
    [['people', 'restrict'], 2, "unknown command 'restrict': kith people has list, erase, erasures\n"],
    [['jobs', 'puase', 'retention'], 2, "unknown command 'puase': kith jobs has "],
    [['people', 'list', 'ada'], 2, "error: list does not take 'ada'\n"],
    [['login', 'ada'], 2, "error: login does not take 'ada'\n"],
    [['keys', 'create'], 2, '--person'],
    [['lore', 'add', 'Canal', 'It', 'freezes'], 2, 'give --keys, or --always'],
    [['lore', 'add', 'Canal', 'Ice', '--always', '--priority', 'low'], 2, 'give a whole number.'],
    [['outreach', '--zone', 'Berlni'], 2, 'kith: --zone: not a time zone: did you mean Europe/Berlin?\n'],
    [['dead', 'replay'], 2, 'say --all'],
    [['dead', 'list'], 1, 'REDIS_URL is not set'],
    [['mood'], 1, 'is not Kith'],
    [['outreach', 'why', '--off'], 2, 'error: outreach why does not take --off'],
    [['outreach', '--no-direct', 'channel'], 2, 'error: outreach channel does not take --no-direct'],
    [['jobs', 'pause', 'retention', '--json'], 2, 'error: jobs pause does not take --json'],
  ])('%j ends with code %i and says %p', async (args, code, message) => {
    const result = await cli(args);
    expect(result.notes).toContain(message);
    expect(result.code).toBe(code);
    expect(result.notes).not.toMatch(/^\s+at /m);
  });

  it.each(['nonsense', 'localhost:3000', 'ftp://localhost', 'http://'])(
    'refuses the address %s',
    async (url) => {
      const { code, notes } = await cli(['companions'], { url });
      expect([code, notes]).toEqual([
        2,
        expect.stringContaining(`"${url}" is not a valid address: set KITH_URL`),
      ]);
    },
  );

  it.each([
    [['--url', 'nonsense', 'companions']],
    [['companions', '--url', 'nonsense']],
    [['companions', 'list', '--json', '--url', 'nonsense']],
    [['login', '--url', 'nonsense']],
  ])('heeds a flag of the program wherever it stands: %j', async (args) => {
    expect((await cli(args)).notes).toContain('"nonsense" is not a valid address');
    const keyed = args.map((arg) => (arg === '--url' ? '--key' : arg));
    expect((await cli(keyed)).notes).toContain('the key is cut or mistyped');
  });

  it('says what to do about a key, and about nobody there', async () => {
    expect((await cli(['companions'], { key: OTHER_KEY })).notes).toContain('the key was refused');
    const gone = await startScriptedApi();
    await gone.stop();
    const { code, notes } = await cli(['companions'], { url: gone.url });
    expect([code, notes]).toEqual([1, expect.stringContaining('start Kith with ./scripts/up')]);
  });

  it('tells its version', async () => {
    expect(await cli(['--version'])).toEqual({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+/),
      notes: '',
    });
  });

  it('refuses to remove a task that there is not', async () => {
    const id = '019a0000-0000-7000-8000-000000000009';
    api.answers[`DELETE /v1/tasks/${id}`] = () => refusal(404, 'not_found', 'there is no such task of yours');
    const { code, notes } = await cli(['tasks', 'delete', id]);
    expect([code, notes]).toEqual([1, expect.stringContaining('there is no such task of yours')]);
  });

  it('takes an id that is none for a mistake of the call', async () => {
    const none = refusal(400, 'invalid_request', 'id: an id such as 019a0000-0000-7000-8000-000000000001');
    api.answers['GET /v1/turns/x'] = () => none;
    api.answers['POST /v1/outbox/x/retry'] = () => none;
    api.answers['POST /v1/outbox/y/retry'] = () => refusal(404, 'not_found', 'there is none');
    for (const [args, code] of [
      [['turn', 'show', 'x'], 2],
      [['outbox', 'retry', 'x'], 2],
      [['outbox', 'retry', 'x', 'y'], 1],
    ] as const)
      expect(await cli([...args])).toMatchObject({
        code,
        notes: expect.stringContaining('id: an id such as'),
      });
  });

  it('writes nothing but JSON where JSON is wanted and nobody can confirm', async () => {
    const { code, out, notes } = await cli(['people', 'erase', 'x', '--json']);
    expect([code, out, notes]).toEqual([2, '', expect.stringContaining('say --yes')]);
  });

  it('shows help with code 0', async () => {
    const { code, out } = await cli(['--help']);
    expect([code, out]).toEqual([0, expect.stringContaining('memories')]);
  });
});

it('says where a full disk has cut the last of its output short', () => {
  // What is longer than a kilobyte is cut off there.
  const { status, stderr } = spawnSync(
    'bash',
    [
      '-c',
      'ulimit -f 1; f=$(mktemp) && "$0" "$1" outreach --help >"$f"; code=$?; rm "$f"; exit $code',
      process.execPath,
      KITH,
    ],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^kith: the output could not be written: .+\n$/),
  });
});
