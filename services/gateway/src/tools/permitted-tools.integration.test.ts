import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { HookList } from '@kith/llm';
import { eventually } from '@kith/testing';
import pino from 'pino';
import { z } from 'zod';
import type { Speaker } from '../conversations/conversations.js';
import { withTalk } from '../e2e/talk.js';
import { toolsOver, effectTool } from './testing-tools.js';
import { ToolCallRecords } from './permission/tool-call-records.js';
import { ToolGrants } from './permission/tool-grants.js';
import type { ToolTraits } from './permission/tool-traits.js';
import { declareTool, NotDone, type Tool } from './tool.js';
import type { ToolRunner } from './tool-runner.js';
import type { TurnAuthority } from './turn-authority.js';

const talk = withTalk();
const everywhere = { companionId: null, server: null, channel: null, role: null };
const place = { companionId: 'mira', server: null, channel: null, roles: [] };
const context = { key: 'k', signal: new AbortController().signal };

let tool: string;
let effects: unknown[];
let speaker: Speaker;

beforeEach(async () => {
  // Rules are of all people, so each test has a tool of its own. Its name keeps all that is random, as letters.
  tool = `send_note_${randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`;
  effects = [];
  speaker = await talk.place();
});

function open(tools: Tool[] = [effectTool(tool, effects, ['send a note'])], hooks = new HookList()) {
  return toolsOver(talk.database, tools, hooks);
}

function turn(said: string): TurnAuthority {
  return {
    ...speaker,
    turnId: randomUUID(),
    origin: 'message',
    door: 'discord',
    place,
    said: [said],
    isPresent: true,
  };
}

/** Has a turn's model call the tool. */
async function call(permitted: ReturnType<typeof open>['permitted'], authority: TurnAuthority, to = 'Bob') {
  const runner = await permitted.runnerFor(authority, []);
  const result = await runner.run({ id: 'c', name: tool, arguments: { to } }, context);
  return { ...result, asked: runner.questions, offered: runner.definitions.map(({ name }) => name) };
}

describe('a tool that changes something', () => {
  it('is not offered and not used before an operator allows it, and no more once it is denied', async () => {
    const { permitted, rules } = open();
    const before = await call(permitted, turn('Send a note to Bob'));
    expect(before).toMatchObject({ ok: false, offered: [], asked: [] });
    await rules.set({ tool, ...everywhere }, true);
    expect((await call(permitted, turn('Send a note to Bob'))).offered).toEqual([tool]);
    // Nobody is there who could want it.
    expect((await call(permitted, { ...turn(''), origin: 'heartbeat' })).offered).toEqual([]);
    await rules.set({ tool, ...everywhere, companionId: 'mira' }, false);
    expect(await call(permitted, turn('Send a note to Bob'))).toMatchObject({
      ok: false,
      offered: [],
      asked: [],
    });
    await rules.remove({ tool, ...everywhere, companionId: 'mira' });
    const { asked } = await call(permitted, turn('Send a note to Bob'));
    await rules.set({ tool, ...everywhere, companionId: 'mira' }, false);
    const late = await permitted.answer(speaker.personId, asked[0]!.id, 'yes');
    expect(late).toMatchObject({ status: 'failed' });
    expect(effects).toEqual([]);
  });

  it('is used once its person says yes, once, also when the process was another one', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const { asked } = await call(permitted, turn('Send a note to Bob'));
    const { permitted: later } = open();
    const [question] = await later.questions(speaker.personId);
    expect(question).toMatchObject({ id: asked[0]!.id, tool, arguments: { to: 'Bob' } });
    expect(question!.text).toContain('· to: `Bob`');
    const answers = await Promise.allSettled(
      [1, 2, 3].map(() => later.answer(speaker.personId, question!.id, 'yes')),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(effects).toEqual([{ to: 'Bob' }]);
    await expect(later.answer(speaker.personId, question!.id, 'yes')).rejects.toThrow(/over: done/);
    expect(await later.questions(speaker.personId)).toEqual([]);
  });

  it('is asked about until the worker of its turn withdraws it, not one that has lost the lease', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    await talk.accept(speaker, randomUUID());
    const claim = await talk.claim(speaker);
    const authority = turn('Send a note to Bob');
    const { asked } = await call(permitted, authority, 'Eve');
    await call(permitted, authority);
    await permitted.answer(speaker.personId, asked[0]!.id, 'yes');
    await permitted.withdraw({ ...claim, leaseToken: claim.leaseToken - 1 }, authority.turnId);
    expect(await permitted.questions(speaker.personId)).toHaveLength(1);
    await permitted.withdraw(claim, authority.turnId);
    expect(await permitted.questions(speaker.personId)).toEqual([]);
    // What its person said yes to is made once, also when the next try calls it again.
    await call(permitted, authority, 'Eve');
    expect(await permitted.questions(speaker.personId)).toEqual([]);
    expect(effects).toEqual([{ to: 'Eve' }]);
  });

  it('is not used on a no, on another’s yes, or after a quarter of an hour', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const [first, second] = [turn('Send a note to Bob'), turn('Send a note to Bob')];
    const turns = [first.turnId, second.turnId];
    const { asked } = await call(permitted, first);
    const stranger = await talk.place();
    await expect(permitted.answer(stranger.personId, asked[0]!.id, 'yes')).rejects.toThrow(/no question/);
    expect(await permitted.answer(speaker.personId, asked[0]!.id, 'no')).toEqual({
      status: 'declined',
      result: null,
    });
    const { asked: again } = await call(permitted, second);
    await talk.database.asSystem(
      (tx) => tx.$executeRaw`
        UPDATE tool_calls SET expires_at = now() - interval '1 second' WHERE id = ${again[0]!.id}::uuid`,
    );
    await expect(permitted.answer(speaker.personId, again[0]!.id, 'yes')).rejects.toThrow(/too old/);
    expect(await permitted.questions(speaker.personId)).toEqual([]);
    expect(await permitted.outcomes(speaker.personId, turns)).toEqual([
      `- ${tool}: they said no, so it was not done.`,
      `- ${tool}: they did not answer in time, so it was not done.`,
    ]);
    expect(await permitted.outcomes(stranger.personId, turns)).toEqual([]);
    expect(effects).toEqual([]);
  });

  it('is not used where a hook of the operator refuses it, on a yes or for who calls it themselves', async () => {
    const given: unknown[] = [];
    const act = (call: unknown) => {
      given.push(call);
      return { refuse: 'a quota', ...(given.length > 1 && { say: 'No more notes today.' }) };
    };
    const hooks = new HookList([{ name: 'quota', order: 0, onFailure: 'open', timeoutMs: 60_000, act }]);
    const { permitted, rules } = open(undefined, hooks);
    await rules.set({ tool, ...everywhere }, true);
    const authority = turn('Send a note to Bob');
    const { asked } = await call(permitted, authority);
    expect(await permitted.answer(speaker.personId, asked[0]!.id, 'always')).toEqual({
      status: 'failed',
      result: 'A rule of the operator does not allow this.',
    });
    const itself = { arguments: { to: 'Eve' }, confirm: true };
    await expect(permitted.run({ personId: speaker.personId, place }, tool, itself)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'No more notes today.',
    });
    const { personId, conversationId } = speaker;
    expect(given).toMatchObject([
      { personId, conversationId, turnId: authority.turnId, texts: [], tool, arguments: { to: 'Bob' } },
      { personId, conversationId: null, turnId: null, texts: [], tool, arguments: { to: 'Eve' } },
    ]);
    expect(effects).toEqual([]);
    // Who said always did not allow anything.
    expect((await call(permitted, turn('Send a note to Bob'))).asked).toHaveLength(1);
  });

  it('is not left under way where it can not be begun after a yes', async () => {
    class BrokenHooks extends HookList {
      override has(): boolean {
        throw new Error('broken');
      }
    }
    const { permitted, rules } = open(undefined, new BrokenHooks());
    await rules.set({ tool, ...everywhere }, true);
    const authority = turn('Send a note to Bob');
    const { asked } = await call(permitted, authority);
    const told = { status: 'failed', result: 'It was not begun; ask again.' };
    expect(await permitted.answer(speaker.personId, asked[0]!.id, 'yes')).toEqual(told);
    expect(await permitted.outcomes(speaker.personId, [authority.turnId])).toEqual([
      expect.stringContaining('It was not begun'),
    ]);
    // The turn is taken again, after a crash.
    expect((await call(permitted, authority)).content).toContain('It was not begun');
    expect(effects).toEqual([]);
  });

  it('waits with five questions at most: the oldest gives way', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const ids: string[] = [];
    const turns = Array.from({ length: 6 }, () => turn('Send a note to Bob'));
    for (const one of turns) ids.push((await call(permitted, one)).asked[0]!.id);
    // A later try asks for the oldest of the five once more.
    await call(permitted, turns[1]!);
    expect((await permitted.questions(speaker.personId)).map(({ id }) => id)).toEqual(ids.slice(1));
    await expect(permitted.answer(speaker.personId, ids[0]!, 'yes')).rejects.toThrow(/over: expired/);
    expect(effects).toEqual([]);
  });

  it('ends as it did first where two workers made it', async () => {
    const records = new ToolCallRecords(talk.database);
    const { turnId, personId, conversationId } = turn('Send a note to Bob');
    const made = { key: turnId, personId, conversationId, turnId, tool, pin: 'pin', place, arguments: {} };
    const { id } = (await records.begin(made)).call;
    await records.end(personId, id, 'done', 'it is sent');
    await records.end(personId, id, 'failed', 'no answer');
    expect(await records.find(personId, turnId)).toMatchObject({ status: 'done', result: 'it is sent' });
  });

  it('is put to its person in one order everywhere, whichever call came first', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const authority = turn('Send a note to Bob');
    const first = await call(permitted, authority, 'Bob');
    const second = await call(permitted, authority, 'Eve');
    // A later try makes the same calls the other way round.
    const runner = await permitted.runnerFor(authority, []);
    for (const to of ['Eve', 'Bob']) await runner.run({ id: 'c', name: tool, arguments: { to } }, context);
    const ids = [...first.asked, ...second.asked].map(({ id }) => id);
    expect(runner.questions.map(({ id }) => id)).toEqual(ids);
    expect((await permitted.questions(speaker.personId)).map(({ id }) => id)).toEqual(ids);
  });

  it('is one call in whatever order its arguments are written, at any depth', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const runner = await permitted.runnerFor(turn('Send a note to Bob'), []);
    for (const to of [
      { name: 'Bob', note: 'Hi' },
      { note: 'Hi', name: 'Bob' },
    ])
      await runner.run({ id: 'c', name: tool, arguments: { to } }, context);
    expect(runner.questions).toHaveLength(1);
  });

  it('is used without a question once it was allowed for good, with their own words, and once a turn', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const { asked } = await call(permitted, turn('Send a note to Bob'));
    await permitted.answer(speaker.personId, asked[0]!.id, 'always');
    const authority = turn('Send a note to Bob');
    expect(await call(permitted, authority)).toMatchObject({ ok: true, asked: [] });
    // The turn is taken again, after a crash.
    expect((await call(permitted, authority)).content).toContain(`did ${tool}`);
    // Another companion was not allowed anything.
    const ofAnother = { ...turn('Send a note to Bob'), place: { ...place, companionId: 'wren' } };
    expect((await call(permitted, ofAnother)).asked).toHaveLength(1);
    expect(effects).toHaveLength(2);
    expect((await call(permitted, turn('Send a note to Bob'), 'Eve')).asked).toHaveLength(1);
    await permitted.takeBack(speaker.personId, 'mira', tool);
    expect((await call(permitted, turn('Send a note to Bob'))).asked).toHaveLength(1);
    expect(effects).toHaveLength(2);
  });

  it('that nobody has is not asked about again: its name is wrong, and the one that was meant goes on', async () => {
    const { permitted } = open();
    const grants = new ToolGrants(talk.database);
    const takeBack = (name: string) => permitted.takeBack(speaker.personId, 'mira', name);
    await expect(takeBack(`${tool}x`)).rejects.toThrow(`there is no tool ${tool}x`);
    // Twice, and of a tool that is away.
    await takeBack(tool);
    await grants.give(speaker.personId, 'mira', { name: `${tool}y`, pin: 'p' } as ToolTraits);
    await takeBack(`${tool}y`);
    expect(await grants.of(speaker.personId, 'mira')).toEqual([]);
  });

  it.each([
    { isRepeatable: true, made: 2 },
    { isRepeatable: false, made: 1 },
  ])('that was broken off is made again with its key, where keys are known: $isRepeatable', async (one) => {
    const keys: string[] = [];
    const call = async (_: unknown, { key }: { key: string }) => {
      keys.push(key);
      // The process dies before it is told; the next one goes on.
      return keys.length === 1 ? new Promise<string>(() => undefined) : 'done';
    };
    const odd = { ...effectTool(tool, effects, ['send a note']), isRepeatable: one.isRepeatable, call };
    const reading: Tool = { ...odd, traits: { ...odd.traits, changes: 'nothing' } };
    const { permitted, rules } = open([reading]);
    await rules.set({ tool, ...everywhere }, true);
    const authority = turn('Send a note to Bob');
    const asked = { id: 'c', name: tool, arguments: { to: 'Bob' } };
    void (await permitted.runnerFor(authority, [])).run(asked, context);
    await eventually('the call to be under way', () => keys.length === 1);
    const again = await (await open([reading]).permitted.runnerFor(authority, [])).run(asked, context);
    expect(again.ok).toBe(one.isRepeatable);
    expect(keys).toHaveLength(one.made);
    expect(new Set(keys).size).toBe(1);
  });

  it('that an earlier try of its turn made is told as what it was, whatever refuses it now', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const { asked } = await call(permitted, turn('Send a note to Bob'));
    await permitted.answer(speaker.personId, asked[0]!.id, 'always');
    const authority = turn('Send a note to Bob');
    await call(permitted, authority);
    const retold = async (runner: ToolRunner, to = 'Bob', refusal: string | null = null) =>
      runner.run({ id: 'c', name: tool, arguments: { to } }, context, {
        refusal,
        earlier: { state: 'planned' },
      });
    const [hooked, gone, late] = await Promise.all([
      permitted.runnerFor(authority, []),
      open([]).permitted.runnerFor(authority, []),
      permitted.runnerFor({ ...authority, isPresent: false }, []),
    ]);
    await rules.set({ tool, ...everywhere }, false);
    const denied = await permitted.runnerFor(authority, []);
    const all = (to?: string) =>
      Promise.all([
        retold(hooked, to, 'A hook refuses.'),
        retold(gone, to),
        retold(late, to),
        retold(denied, to),
      ]);
    for (const told of await all())
      expect(told).toMatchObject({ ok: true, content: expect.stringContaining(`did ${tool}`) });
    await talk.database.asSystem(
      (tx) => tx.$executeRaw`UPDATE tool_calls SET status = 'running', result = NULL WHERE tool = ${tool}`,
    );
    for (const told of await all())
      expect(told).toMatchObject({
        ok: false,
        mayBeDone: true,
        content: expect.stringContaining('may have happened'),
      });
    // No call was noted, so none was made.
    expect((await all('Eve')).map(({ mayBeDone }) => mayBeDone ?? false)).toEqual(Array(4).fill(false));
    expect(effects).toHaveLength(2);
  });

  it('has to be allowed anew in another form, by operator and person', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const { asked } = await call(permitted, turn('Send a note to Bob'));
    const changed = effectTool(tool, effects, ['send a note']);
    const { permitted: later } = open([{ ...changed, traits: { ...changed.traits, pin: 'other' } }]);
    expect((await later.list({ ...speaker, place })).find(({ name }) => name === tool)!.permission).toBe(
      'changed',
    );
    expect(await call(later, turn('Send a note to Bob'))).toMatchObject({ asked: [], offered: [] });
    // Its server is away: the question waits on.
    const away = open([]).permitted.answer(speaker.personId, asked[0]!.id, 'yes');
    await expect(away).rejects.toMatchObject({ code: 'unavailable' });
    expect(await later.answer(speaker.personId, asked[0]!.id, 'yes')).toMatchObject({ status: 'failed' });
    expect(effects).toEqual([]);
  });

  it('that the operator allowed in another form needs a new yes, whatever its person said before', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const ask = async (of: typeof permitted) => (await call(of, turn('Send a note to Bob'))).asked;
    const [first, second] = [await ask(permitted), await ask(permitted)];
    await permitted.answer(speaker.personId, first[0]!.id, 'always');
    const changed = effectTool(tool, effects, ['send a note']);
    const later = open([{ ...changed, traits: { ...changed.traits, pin: 'other' } }]);
    await later.rules.set({ tool, ...everywhere }, true);
    const late = await later.permitted.answer(speaker.personId, second[0]!.id, 'yes');
    expect(late).toMatchObject({ status: 'failed' });
    const listed = await later.permitted.list({ ...speaker, place });
    expect(listed.find(({ name }) => name === tool)).toMatchObject({
      permission: 'allowed',
      isGranted: false,
    });
    expect(await ask(later.permitted)).toHaveLength(1);
    expect(effects).toHaveLength(1);
  });

  it('used by a person themselves needs their yes and the operator’s', async () => {
    const { permitted, rules } = open();
    const asker = { personId: speaker.personId, place };
    const given = { arguments: { to: 'Bob' }, confirm: true };
    await expect(permitted.run(asker, tool, given)).rejects.toThrow(/not allowed here/);
    await rules.set({ tool, ...everywhere }, true);
    for (const wrong of [{}, { too: 'Bob' }, { to: 'Bob', nonsense: 1 }])
      await expect(permitted.run(asker, tool, { arguments: wrong, confirm: true })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    expect((await permitted.list(asker)).find(({ name }) => name === tool)).toMatchObject({
      parameters: [
        { name: 'to', form: 'string', isRequired: true },
        { name: 'text', form: 'string', isRequired: false },
      ],
    });
    await expect(permitted.run(asker, tool, { ...given, confirm: false })).rejects.toThrow(/confirm/);
    expect(await permitted.run(asker, tool, given)).toEqual({ status: 'done', result: `did ${tool}` });
    expect(effects).toHaveLength(1);
  });

  it('is not used while its companion is paused, on a yes or for who calls it themselves', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const { asked } = await call(permitted, turn('Send a note to Bob'));
    const paused = toolsOver(
      talk.database,
      [effectTool(tool, effects, ['send a note'])],
      new HookList(),
      pino({ level: 'silent' }),
      () => Promise.resolve(true),
    ).permitted;
    expect(await paused.answer(speaker.personId, asked[0]!.id, 'yes')).toMatchObject({
      status: 'failed',
      result: expect.stringContaining('is paused'),
    });
    const given = { arguments: { to: 'Bob' }, confirm: true };
    await expect(paused.run({ personId: speaker.personId, place }, tool, given)).rejects.toThrow(/is paused/);
    expect(effects).toEqual([]);
  });
});

describe('what no store can hold', () => {
  it('is not in a question to the person either', async () => {
    const { permitted, rules } = open();
    await rules.set({ tool, ...everywhere }, true);
    const { asked } = await call(permitted, turn('Send a note to Bob'), 'B\0ob\ud800');
    expect(asked).toMatchObject([{ tool, arguments: { to: 'Bob\ufffd' } }]);
  });

  it.each([
    { ends: 'done', tell: async (words: string) => words },
    { ends: 'failed', tell: (words: string) => Promise.reject(new Error(words)) },
  ])('is left out of what a call told that is $ends', async ({ ends, tell }) => {
    const odd: Tool = { ...effectTool(tool, effects), call: () => tell('\0a\0b\ud800') };
    const { permitted, rules } = open([odd]);
    await rules.set({ tool, ...everywhere }, true);
    const given = { arguments: { to: 'Bob' }, confirm: true };
    const outcome = await permitted.run({ personId: speaker.personId, place }, tool, given);
    expect(outcome).toEqual({ status: ends, result: expect.stringMatching(/(^|: )ab\ufffd$/) });
    const rows = await talk.database.asSystem(
      (tx) => tx.$queryRaw`SELECT status, result FROM tool_calls WHERE tool = ${tool}`,
    );
    expect(rows).toEqual([outcome]);
  });

  it('is not left behind by a cut in what a call told', async () => {
    const long: Tool = { ...effectTool(tool, effects), call: async () => `${'x'.repeat(3_999)}😀` };
    const { permitted, rules } = open([long]);
    await rules.set({ tool, ...everywhere }, true);
    const given = { arguments: { to: 'Bob' }, confirm: true };
    const { result } = await permitted.run({ personId: speaker.personId, place }, tool, given);
    expect(result).toBe('x'.repeat(3_999));
  });
});

describe('the log of a call that failed', () => {
  it('names the failure, and quotes no word of it', async () => {
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    const cause = Object.assign(new Error('Ann wrote: I love Bob'), { code: -32_602 });
    const failure = new AppError('invalid_request', 'no note “I love Bob”', { answered: 422 }, { cause });
    const failing: Tool = { ...effectTool(tool, effects), call: () => Promise.reject(failure) };
    const { permitted, rules } = toolsOver(talk.database, [failing], new HookList(), logger);
    await rules.set({ tool, ...everywhere }, true);
    const given = { arguments: { to: 'Bob' }, confirm: true };
    const { result } = await permitted.run({ personId: speaker.personId, place }, tool, given);
    expect(result).toContain('I love Bob');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ tool, reason: 'AppError invalid_request 422 by Error -32602' }),
    );
    expect(lines.join('')).not.toContain('love');
  });
});

describe('a tool of our own', () => {
  it.each([
    { changes: 'memory' as const, tries: 2, ok: true },
    { changes: 'nothing' as const, tries: 1, ok: false },
  ])('whose answer is lost is asked again with its key where it changes $changes', async (one) => {
    const keys: string[] = [];
    const own: Tool = {
      ...declareTool('own', 'Does it.', {}, { reads: [], changes: one.changes }),
      call: async (_, { key }) => {
        keys.push(key);
        if (keys.length === 1) throw new AppError('unavailable', 'did not answer');
        return 'done';
      },
    };
    const runner = await open().permitted.runnerFor(turn('go'), [own]);
    expect(await runner.run({ id: 'c', name: 'own', arguments: {} }, context)).toMatchObject({ ok: one.ok });
    expect(keys).toEqual(Array(one.tries).fill(context.key));
  });
});

describe('a tool that is not offered this time', () => {
  it('changes what is known of it, and else something outside', async () => {
    const note = effectTool(tool, effects);
    const looking: Tool = { ...note, traits: { ...note.traits, name: 'look_up', changes: 'nothing' } };
    const { permitted } = open([note, looking]);
    const runner = await permitted.runnerFor(turn('go'), null);
    for (const one of [permitted, runner])
      expect([tool, 'look_up', 'gone__order', 'task_add'].map((name) => one.changesOf(name))).toEqual([
        'outside',
        'nothing',
        'outside',
        'memory',
      ]);
  });
});

describe('a tool of our own that is refused where it was called before', () => {
  const own = declareTool('own', 'Does it.', {}, { reads: [], changes: 'memory' });
  const gone = { ...own, call: () => Promise.reject(new Error('gone')) };

  it.each([
    [{ state: 'planned' as const }, true],
    [{ state: 'ended' as const, ok: false, mayBeDone: true }, true],
    [{ state: 'ended' as const, ok: false }, false],
  ])('may have had its effect before, by what was noted of it: %j', async (earlier, mayBeDone) => {
    const runner = await open().permitted.runnerFor(turn('go'), [gone]);
    const without = await open().permitted.runnerFor(turn('go'), null);
    const told = await Promise.all([
      runner.run({ id: 'c', name: 'own', arguments: {} }, context, { refusal: 'No.', earlier }),
      runner.run({ id: 'c', name: 'own', arguments: {} }, context, { earlier }),
      // No tools are offered this time.
      without.run({ id: 'c', name: 'task_add', arguments: {} }, context, { earlier }),
    ]);
    expect(told.map((one) => one.mayBeDone ?? false)).toEqual([mayBeDone, mayBeDone, mayBeDone]);
    expect(told.map(({ ok }) => ok)).toEqual([false, false, false]);
  });

  it.each([
    [new NotDone('That is kept already.'), /kept already/],
    [new AppError('conflict', 'deleted since'), /not known whether/],
  ])(
    'may have had its effect before it was refused: after a death, and after a lost answer',
    async (error, words) => {
      let answers: Error[] = [];
      const refusing: Tool = { ...own, call: () => Promise.reject(answers.shift() ?? error) };
      const runner = await open().permitted.runnerFor(turn('go'), [refusing]);
      const asked = { id: 'c', name: 'own', arguments: {} };
      const told = { ok: false, mayBeDone: true, content: expect.stringMatching(words) as unknown };
      expect(await runner.run(asked, context, { earlier: { state: 'planned' } })).toMatchObject(told);
      answers = [new AppError('unavailable', 'did not answer')];
      expect(await runner.run(asked, context)).toMatchObject(told);
      expect((await runner.run(asked, context)).mayBeDone ?? false).toBe(false);
    },
  );

  it('has had no effect where it can not read its arguments, which no try could', async () => {
    const reading: Tool = { ...own, call: async (given) => z.object({ text: z.string() }).parse(given).text };
    const runner = await open().permitted.runnerFor(turn('go'), [reading]);
    const told = await runner.run({ id: 'c', name: 'own', arguments: {} }, context, {
      earlier: { state: 'planned' },
    });
    expect(told).toMatchObject({ ok: false, content: 'That did not work: ZodError. Answer without it.' });
    expect(told.mayBeDone).toBeUndefined();
  });

  it('may have had its effect where no answer comes at all', async () => {
    const silent: Tool = {
      ...own,
      call: () => Promise.reject(new AppError('unavailable', 'did not answer')),
    };
    const runner = await open().permitted.runnerFor(turn('go'), [silent]);
    expect(await runner.run({ id: 'c', name: 'own', arguments: {} }, context)).toMatchObject({
      ok: false,
      mayBeDone: true,
      content: expect.stringContaining('not known whether') as unknown,
    });
  }, 20_000);

  it('has had no effect where it was not called before', async () => {
    const runner = await open().permitted.runnerFor(turn('go'), [gone]);
    const told = await runner.run({ id: 'c', name: 'own', arguments: {} }, context, { refusal: 'No.' });
    expect(told).toMatchObject({ ok: false, content: 'No.' });
    expect(told.mayBeDone).toBeUndefined();
  });
});

describe('a call that meets no answer', () => {
  /** A tool that answers nothing until it is broken off. */
  const silent = (changes: 'nothing' | 'outside', tries: string[]): Tool => {
    const { definition, traits } = declareTool(tool, 'Waits.', {}, { reads: ['outside'], changes });
    return {
      definition,
      traits: { ...traits, allowedBy: 'operator', asks: ['do it'] },
      isRepeatable: true,
      call: async (_, { key, signal }) => {
        tries.push(key);
        if (tries.length > 1) return 'the page';
        if (changes === 'outside') throw new AppError('unavailable', 'its host does not answer');
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('late'))),
        );
        return '';
      },
    };
  };

  it('as its turn was overtaken is made again by the next try, with its key, where it may be asked again', async () => {
    const tries: string[] = [];
    const { permitted, rules } = open([silent('nothing', tries)]);
    await rules.set({ tool, ...everywhere }, true);
    const authority = turn('Do it');
    const ending = new AbortController();
    const runner = await permitted.runnerFor(authority, []);
    const call = { id: 'c', name: tool, arguments: {} };
    const broken = runner.run(call, { key: 'k', signal: ending.signal });
    await eventually('the call', () => tries.length === 1);
    ending.abort();
    expect(await broken).toMatchObject({ ok: false });
    const again = await (await permitted.runnerFor(authority, [])).run(call, context);
    expect(again).toMatchObject({ ok: true, content: expect.stringContaining('the page') });
    expect(new Set(tries).size).toBe(1);
  });

  it('is told as one that may have happened, where it changes something', async () => {
    const { permitted, rules } = open([silent('outside', [])]);
    await rules.set({ tool, ...everywhere }, true);
    const authority = turn('Do it');
    const { asked } = await call(permitted, authority);
    const { result } = await permitted.answer(speaker.personId, asked[0]!.id, 'always');
    expect(result).toBe('It may have happened, but no answer says so: its host does not answer');
    // The turn is taken again, and the call is not made again.
    expect(await call(permitted, authority)).toMatchObject({ ok: false, mayBeDone: true });
  });
});
