import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createModelRoles, HookList, type ModelRoles } from '@kith/llm';
import { ScriptedModel } from '@kith/testing';
import { withTalk } from '../e2e/talk.js';
import { TurnHooks } from '../hooks/turn-hooks.js';
import { StepLog } from '../steps/step-log.js';
import { ThoughtCipher } from '../steps/thought-cipher.js';
import { think, type Question } from './think.js';
import { writeOutreach } from './write-outreach.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { ToolRunner } from '../tools/tool-runner.js';
import { amendTools, archiveTool } from '../tools/memory-tools.js';
import { scheduleTool } from '../tools/task-tools.js';
import { declareTool, type Tool } from '../tools/tool.js';

const talk = withTalk();
const cipher = new ThoughtCipher('a secret of this suite');
let model: ScriptedModel;
let roles: ModelRoles;
const asked: unknown[] = [];

const search: Tool = {
  ...declareTool(
    'search_memory',
    'looks',
    { query: { type: 'string' } },
    { reads: ['memories'], changes: 'nothing' },
  ),
  call: async (given) => {
    asked.push(given);
    if (given['query'] === 'broken') throw new TypeError('no');
    return `found ${String(given['query'])}`;
  },
};

beforeAll(async () => {
  model = await ScriptedModel.start();
  roles = createModelRoles({
    ...model.settings(5_000),
    // A dollar for every token, so that the bound by money can be told from that by tokens.
    cards: '{"compatible:scripted":{"price":{"input":1000000,"output":1000000}}}',
  });
});
afterEach(() => {
  model.reset();
  asked.length = 0;
});
afterAll(() => model.stop());

function runnerOf(tools: readonly Tool[]): ToolRunner {
  const place = { companionId: 'mira', server: null, channel: null, roles: [] };
  const turn = { turnId: 't1', personId: 'p1', conversationId: 'c1', place, said: [], isPresent: true };
  const offered = tools.map((tool) => ({ tool, permission: 'allowed' as const }));
  const registry = new ToolRegistry(() => []);
  return new ToolRunner(offered, { ...turn, origin: 'message', door: 'http' }, undefined as never, registry);
}

/** A question of a turn that has just been claimed. */
async function questionOf(messages: Question['messages'], tools: readonly Tool[]): Promise<Question> {
  const speaker = await talk.place();
  await talk.accept(speaker, randomUUID());
  const claim = await talk.claim(speaker);
  const turnId = randomUUID();
  const steps = new StepLog(talk.database, cipher, claim, turnId);
  const limits = { maxSteps: 2, maxTokens: 10_000, maxMs: 60_000, maxCost: 0 };
  const hooks = new TurnHooks(new HookList(), claim, turnId);
  const runner = runnerOf(tools);
  return {
    room: 10_000,
    definitions: runner.definitions,
    tools: runner,
    messages,
    maxTokens: 100,
    steps,
    shown: [],
    limits,
    linkHosts: [],
    account: { turnId },
    hooks,
    cards: roles.cards,
  };
}

async function ask(tools: readonly Tool[] = [search], maxCost = 0, room = 10_000, chat = roles.chat) {
  const told: string[] = [];
  const question = await questionOf([{ role: 'user', content: 'who am I?' }], tools);
  question.limits = { ...question.limits, maxCost };
  question.room = room;
  const listener = { onToken: (text: string) => told.push(text), onRestart: () => told.push('|') };
  return think(chat, question, new AbortController().signal, listener).then((thought) => ({
    ...thought,
    told,
  }));
}

const calling = (query: string) => ({
  kind: 'reply' as const,
  reply: { toolCalls: [{ name: 'search_memory', arguments: { query } }] },
});

describe('a model that calls tools', () => {
  it('is told what they found, and then answers', async () => {
    model.next(calling('tea'));
    model.replyWith(({ messages }) => `You are ${messages.at(-1)!.text}`);
    const thought = await ask();
    expect(thought.text).toBe('You are found tea');
    expect(thought.tools).toMatchObject([{ name: 'search_memory', ok: true }]);
    expect(thought.tries).toHaveLength(2);
    expect(thought.tokens).toBeGreaterThan(0);
  });

  it('is told that calls beyond those of a step were not carried out', async () => {
    const toolCalls = ['a', 'b', 'c', 'd', 'e'].flatMap((query) => calling(query).reply.toolCalls);
    model.next({ kind: 'reply', reply: { toolCalls } });
    model.replyWith(({ messages }) => messages.at(-1)!.text);
    expect((await ask()).text).toMatch(/^found c\n\nCarried out: 3 of 5 calls/);
    expect(asked).toHaveLength(3);
  });

  it('is offered none any more where the context has no room for another result', async () => {
    model.next(calling('tea'.repeat(1_000)));
    model.replyWith(() => 'Tea it is.');
    const thought = await ask([search], 0, 2_000);
    expect(thought).toMatchObject({ text: 'Tea it is.', bound: 'context' });
    const offered = model.requests.map(({ body }) => JSON.stringify(body).includes('"tools":[{'));
    expect(offered).toEqual([true, false]);
  });

  it('is given its own reasoning back with the calls, which nobody else hears', async () => {
    const { reply } = calling('tea');
    model.next({ kind: 'reply', reply: { ...reply, reasoning: ['They like ', 'green tea.'] } });
    model.replyWith(() => 'Tea it is.');
    const thought = await ask();
    expect(JSON.stringify(model.requests[1]!.body)).toContain('They like green tea.');
    expect(JSON.stringify(thought)).not.toContain('green tea');
  });

  it('learns that a call failed, or that there is no such tool', async () => {
    model.next(calling('broken'));
    model.next({ kind: 'reply', reply: { toolCalls: [{ name: 'rm', arguments: {} }] } });
    model.replyWith(() => 'Never mind.');
    const thought = await ask();
    expect(thought.text).toBe('Never mind.');
    expect(thought.tools.map(({ ok }) => ok)).toEqual([false, false]);
    expect(model.requests[1]!.messages.at(-1)!.text).toMatch(/did not work/);
    expect(model.requests[2]!.messages.at(-1)!.text).toBe('There is no tool rm.');
  });

  it('is told no more of a name that it makes up than a name has', async () => {
    model.next({ kind: 'reply', reply: { toolCalls: [{ name: 'rm'.repeat(9_000), arguments: {} }] } });
    model.replyWith(({ messages }) => messages.at(-1)!.text);
    expect((await ask()).text).toBe(`There is no tool ${'rm'.repeat(32)}.`);
  });

  it('is asked for a text without tools when it goes on and on', async () => {
    for (const query of ['a', 'b', 'c']) model.next(calling(query));
    model.replyWith(() => 'All right.');
    const thought = await ask();
    expect(thought).toMatchObject({ text: 'All right.', bound: 'steps' });
    expect(asked).toHaveLength(2);
    expect(model.requests.at(-1)!.body['tools']).toBeUndefined();
  });

  it('and never says anything ends in the apology', async () => {
    model.always(calling('again'));
    expect((await ask()).text).toBeNull();
  });

  it('and then fails leaves word of what they did, and of no look', async () => {
    const remember: Tool = {
      ...declareTool('core_memory_append', 'notes', {}, { reads: [], changes: 'memory' }),
      call: async () => 'noted',
    };
    const toolCalls = ['search_memory', 'core_memory_append'].map((name) => ({
      name,
      arguments: { query: 'tea' },
    }));
    model.next({ kind: 'reply', reply: { toolCalls } });
    model.always({ kind: 'reply', reply: { text: '', isCut: true } });
    const thought = await ask([search, remember]);
    expect(thought).toMatchObject({ text: null, tools: [{ ok: true }, { ok: true }] });
    expect([...thought.effects.done]).toEqual(['my notes']);
  });

  it('and then fails leaves no word of what our own tools refused', async () => {
    const answers: Record<string, object> = {
      'memory.amend': { outcome: 'not-asked-for' },
      'memory.why-not-noted': { why: null, sources: [] },
      'memory.import': { kept: 0, left: 1 },
      'outreach.intend': { kept: false, why: null },
    };
    const messenger = { ask: async ({ pattern }: { pattern: string }) => answers[pattern] } as never;
    const claim = { personId: 'p1', companionId: 'mira', audience: 'direct' } as never;
    const origin = { answered: [], sourcesOf: () => [], turnIds: [], begunAt: '2026-01-02T10:00:00Z' };
    const named = { ...origin, companionName: 'Mira', now: new Date(), said: [] };
    const own = [
      ...amendTools({ messenger }, claim, named),
      archiveTool({ messenger }, claim, named),
      scheduleTool({ messenger }, claim, origin),
    ];
    const words = { old_content: 'gin', new_content: 'tea', content: 'tea' };
    const given = { ...words, about: 'tea', at: '2027-03-05T15:00:00Z' };
    for (const tool of own) {
      model.next({ kind: 'reply', reply: { toolCalls: [{ name: tool.traits.name, arguments: given }] } });
      model.replyWith(({ messages }) => messages.at(-1)!.text);
      const thought = await ask([tool]);
      expect(thought.text).toMatch(/^Not (?:done: they did not|kept: they had|kept: not now)/);
      expect([...thought.effects.done]).toEqual([]);
    }
  });

  it('that it was not given has said nothing', async () => {
    model.always(calling('uninvited'));
    const thought = await ask([]);
    expect(thought.text).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('results that a host refuses as too long', () => {
  const error = {
    code: 400,
    message: 'maximum context length is 900 tokens',
    type: 'context_length_exceeded',
  };
  const tooLong = { kind: 'status' as const, status: 400, body: { error } };
  const noted: unknown[] = [];
  const note: Tool = {
    ...declareTool('core_memory_append', 'notes', {}, { reads: [], changes: 'memory' }),
    call: async (given) => `${noted.push(given)} notes: ${'all of it, '.repeat(200)}`,
  };
  const noting = { name: 'core_memory_append', arguments: {} };
  beforeEach(() => {
    noted.length = 0;
    model.next({ kind: 'reply', reply: { toolCalls: [noting, ...calling('tea').reply.toolCalls] } });
  });

  it('are made shorter, and the turn goes on without tools and without doing anything again', async () => {
    model.next(tooLong);
    model.next(tooLong);
    model.replyWith(() => 'I noted it.');
    const thought = await ask([note, search]);
    expect(thought).toMatchObject({ text: 'I noted it.', problem: null, bound: 'context' });
    expect(thought.tries.map(({ kind }) => kind)).toEqual(['answered', 'too-long', 'too-long', 'answered']);
    expect(noted).toHaveLength(1);
    const told = model.requests.map(({ messages }) =>
      messages.flatMap(({ role, text }) => (role === 'tool' ? [text.length] : [])),
    );
    expect(told).toEqual([[], [2_209, 9], [1_005, 9], [305, 9]]);
    expect(model.requests.map(({ body }) => JSON.stringify(body).includes('"tools":[{'))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('leave nothing told of what another model wrote before its stream broke', async () => {
    const chatModels = 'compatible:one,compatible:two';
    const { chat } = createModelRoles({ ...model.settings(5_000), chatModels, maxTries: 2 });
    model.next(tooLong);
    model.next({ kind: 'cut' });
    model.replyWith(() => 'I noted it.');
    const thought = await ask([note, search], 0, 10_000, chat);
    expect(thought.text).toBe('I noted it.');
    const told = thought.told.join('');
    expect(told.slice(told.lastIndexOf('|') + 1)).toBe('I noted it.');
  });

  it('end the turn where no length will do, and it says what was done', async () => {
    model.always(tooLong);
    const thought = await ask([note, search]);
    expect(thought).toMatchObject({
      text: null,
      problem: 'no chat model answered: compatible:scripted too-long',
    });
    expect([...thought.effects.done]).toEqual(['my notes']);
    expect([model.requests.length, noted.length]).toEqual([4, 1]);
  });
});

describe('a turn that has cost as much as it may', () => {
  /** More than nothing, and less than any call. */
  const LITTLE = 1;

  it('ends with the best words it has, and asks no model any more', async () => {
    const { reply } = calling('tea');
    model.next({ kind: 'reply', reply: { ...reply, text: 'You like tea, I think.' } });
    const thought = await ask([search], LITTLE);
    expect(thought).toMatchObject({ text: 'You like tea, I think.', bound: 'cost' });
    expect(thought.cost).toBe(thought.tokens);
    expect(thought.told.join('')).toMatch(/\|You like tea, I think\.$/);
    expect(model.requests).toHaveLength(1);
  });

  it('asks once more, without tools, where it has no words yet', async () => {
    model.always(calling('tea'));
    model.next(calling('tea'));
    model.next({ kind: 'reply', reply: 'Tea.' });
    expect(await ask([search], LITTLE)).toMatchObject({ text: 'Tea.', bound: 'cost' });
    expect(model.requests.map(({ body }) => body['tools'] === undefined)).toEqual([false, true]);
  });

  it('counts calls that broke, too', async () => {
    model.next({ kind: 'cut' });
    model.replyWith(() => 'Hello.');
    const thought = await ask([]);
    expect(thought.tries).toMatchObject([{ kind: 'cut-stream', cost: expect.any(Number) }, {}]);
    expect(thought.cost).toBeGreaterThan(thought.tokens);
  });
});

describe('an answer that was cut', () => {
  it('by the most tokens it may have says so at its end', async () => {
    model.next({ kind: 'reply', reply: { text: 'There are three reasons: first,', isCut: true } });
    expect((await ask([])).text).toBe('There are three reasons: first, […]');
  });

  it('and has no words is no answer', async () => {
    model.always({ kind: 'reply', reply: { text: '', isCut: true } });
    expect((await ask([])).text).toBeNull();
  });

  it('by what doors show says so too, within that, and parts no sign', async () => {
    model.replyWith(() => `a${'🦊'.repeat(4_100)}`);
    const { text } = await ask([]);
    expect(text!.length).toBeLessThanOrEqual(8_000);
    expect(text).toMatch(/🦊 \[…\]$/u);
    expect(text!.isWellFormed()).toBe(true);
  });

  it('ends like any other where it was not', async () => {
    model.replyWith(() => 'All of it.');
    expect((await ask([])).text).toBe('All of it.');
  });
});

describe('a message that nobody waits for', () => {
  const write = async (tools: readonly Tool[] = [], limits: Partial<Question['limits']> = {}) => {
    const question = await questionOf([{ role: 'user', content: '<outreach>the exam</outreach>' }], tools);
    question.limits = { ...question.limits, ...limits };
    return writeOutreach(roles.chat, question, new AbortController().signal);
  };
  const says = (text: string) => ({ kind: 'reply' as const, reply: { text } });

  it('goes out as it was written when it presses nobody', async () => {
    model.next(says('How did the exam go?'));
    expect(await write()).toMatchObject({ thought: { text: 'How did the exam go?' }, silence: null });
    expect(model.requests).toHaveLength(1);
  });

  it('is written once more when it presses somebody, and is told what was wrong', async () => {
    model.next(says('I miss you! How was the exam?'));
    model.next(says('How was the exam?'));
    const { thought, silence } = await write();
    expect([thought.text, silence]).toEqual(['How was the exam?', null]);
    expect(thought.tries).toHaveLength(2);
    expect(model.requests[1]!.messages.at(-1)!.text).toContain('“I miss you” puts pressure on them');
  });

  it('is written once more without tools, whose work is done', async () => {
    model.next(calling('exam'));
    model.next(says('I miss you! How was the exam?'));
    model.next(says('How was the exam?'));
    expect((await write([search])).thought).toMatchObject({ text: 'How was the exam?', tools: [{}] });
    const offered = model.requests.map(({ body }) => JSON.stringify(body).includes('"tools":[{'));
    expect(offered).toEqual([true, true, false]);
  });

  it.each([{ maxTokens: 1 }, { maxCost: 0.01 }])('is left unsaid past %j', async (limits) => {
    model.always(says('I miss you! How was the exam?'));
    expect(await write([], limits)).toMatchObject({ thought: { text: null }, silence: 'guilt' });
    expect(model.requests).toHaveLength(1);
  });

  it('is left unsaid when it does so again', async () => {
    model.always(says("You haven't answered me."));
    expect(await write()).toMatchObject({ thought: { text: null }, silence: 'guilt' });
    expect(model.requests).toHaveLength(2);
  });
});
