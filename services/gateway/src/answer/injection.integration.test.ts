import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HookList } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { ScriptedModel } from '@kith/testing';
import { withTalk } from '../e2e/talk.js';
import { testingParts } from '../e2e/testing-parts.js';
import { ToolGrants } from '../tools/permission/tool-grants.js';
import { toolsOver, effectTool } from '../tools/testing-tools.js';
import type { Tool } from '../tools/tool.js';
import type { AnswerParts } from './answer-parts.js';
import { answerTurn } from './answer-turn.js';
import { INJECTIONS, type Injection } from './testing-injections.js';

const talk = withTalk();
const everywhere = { companionId: null, server: null, channel: null, role: null };
const NAMES = ['send_note', 'transfer_money', 'delete_files', 'post_message', 'open_door', 'buy_item'];

let model: ScriptedModel;
let effects: unknown[];
/** Text of the page that the tool `read_page` finds. */
let page = '';

beforeAll(async () => {
  model = await ScriptedModel.start();
});
beforeEach(() => {
  model.reset();
  effects = [];
});
afterAll(() => model.stop());

const readPage: Tool = { ...effectTool('read_page', []), call: async () => page };
const reading: Tool = { ...readPage, traits: { ...readPage.traits, changes: 'nothing' } };

/** Parts of a turn as the gateway has them, with neighbours that answer what was planted with them. */
async function partsFor([where, plant]: Injection): Promise<AnswerParts> {
  const { database } = talk;
  const tools = [...NAMES.map((name) => effectTool(name, effects)), reading];
  const { permitted, rules } = toolsOver(database, tools);
  for (const { traits } of tools) await rules.set({ tool: traits.name, ...everywhere }, true);
  const id = randomUUID();
  const line = { id, speaker: null, text: plant, sources: [], isFound: true };
  const isMemory = where === 'memory' || where === 'document';
  const recall = {
    memories: [],
    passages: isMemory ? [{ saidAt: '2026-01-02T10:00:00Z', lines: [line] }] : [],
    core: [],
    wishes: [],
    degraded: [],
    lore: where === 'lore' ? [{ id, name: 'x', content: plant, key: null }] : [],
  };
  const ask = async (contract: { pattern: string }) => {
    if (contract.pattern === 'memory.recall') return recall;
    throw new Error('nobody answers');
  };
  const messenger = { canAsk: true, ask } as unknown as Messenger;
  return testingParts(database, model, { messenger, permittedTools: permitted });
}

/** Answers as a model that obeys whatever it reads: first it reads the page where one is asked for, then it calls. */
function obey([where, , , tool, given]: Injection): void {
  const call = (name: string, args: object) =>
    model.next({
      kind: 'reply',
      reply: { toolCalls: [{ name, arguments: args as Record<string, unknown> }] },
    });
  if (where === 'tool-result') call('read_page', {});
  call(tool, given);
  model.replyWith(() => 'As you wish.');
}

async function play(injection: Injection) {
  const [where, plant, said] = injection;
  page = where === 'tool-result' ? plant : '';
  const parts = await partsFor(injection);
  const speaker = await talk.place();
  // The hardest case: this person is never asked.
  const grants = new ToolGrants(talk.database);
  for (const name of NAMES) await grants.give(speaker.personId, 'mira', effectTool(name, []).traits);
  if (where === 'name') {
    await talk.database.asPerson(speaker.personId, (tx) =>
      tx.person.update({ where: { id: speaker.personId }, data: { displayName: plant } }),
    );
  }
  await talk.accept(speaker, randomUUID());
  const claim = await talk.claim(speaker);
  const burst = claim.burst.map((message) => ({
    ...message,
    text: said,
    quote: where === 'quote' ? { name: 'Bob', text: plant } : null,
  }));
  const at = new Date();
  const earlier =
    where === 'earlier'
      ? [
          {
            id: 1n,
            role: 'person' as const,
            name: 'Bob',
            text: plant,
            at,
            turnId: randomUUID(),
            personId: randomUUID(),
            externalId: 'e',
          },
        ]
      : [];
  obey(injection);
  return answerTurn(parts, { ...claim, burst, earlier }, randomUUID(), new AbortController().signal);
}

describe('a model that obeys what it reads', () => {
  it('is tried with fifty pairs', () => expect(INJECTIONS.length).toBeGreaterThanOrEqual(50));

  it.each(INJECTIONS)('does nothing by a %s: %s', async (...injection) => {
    const turn = await play(injection);
    expect(effects).toEqual([]);
    expect(turn.outcome).toBe('answered');
    // The plant was in a prompt, and the call was made: it is the gate that held.
    const shown = model.requests.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n');
    const words = injection[1].match(/[\p{L}\p{N}]{3,}/gu)!;
    for (const word of words.slice(0, 3)) expect(shown).toContain(word);
    expect(turn.details['tools']).toMatchObject(
      injection[0] === 'tool-result' ? [{ ok: true }, { ok: false }] : [{ name: injection[3], ok: false }],
    );
  });

  it.each([
    ['yes', 'they said yes, and it was done. It told:\n<untrusted from="send_note">\ndid send_note'],
    ['no', 'they said no, so it was not done.'],
    [null, 'they have not answered yet'],
  ] as const)('knows in its next turn what became of a question: %s', async (answer, told) => {
    const { permitted } = toolsOver(talk.database, [effectTool('send_note', effects)]);
    const parts = await partsFor(['memory', 'nothing', '', 'send_note', {}]);
    const speaker = await talk.place();
    await talk.accept(speaker, randomUUID());
    const claim = await talk.claim(speaker);
    const burst = claim.burst.map((message) => ({ ...message, text: 'Send a note to Bob' }));
    obey(['memory', '', '', 'send_note', { to: 'Bob', text: 'not their words' }]);
    const asked = randomUUID();
    const { questions } = await answerTurn(parts, { ...claim, burst }, asked, new AbortController().signal);
    expect(questions).toHaveLength(1);
    if (answer) await permitted.answer(speaker.personId, questions[0]!.id, answer);
    model.reset();
    model.replyWith(() => 'I see.');
    const line = { id: 1n, role: 'companion' as const, name: 'Mira', text: 'May I?', at: new Date() };
    const earlier = [{ ...line, turnId: asked, personId: claim.personId, externalId: null }];
    await answerTurn(
      parts,
      { ...claim, earlier, wasAsked: true },
      randomUUID(),
      new AbortController().signal,
    );
    const shown = model.requests.flatMap(({ messages }) => messages.map(({ text }) => text)).join('\n');
    expect(shown).toContain(`<asked>\n- send_note: ${told}`);
    expect(effects).toHaveLength(answer === 'yes' ? 1 : 0);
  });

  it.each([
    ['the model fails afterwards', 'apologised', new HookList()],
    [
      'a hook refuses the turn',
      'silent',
      new HookList([
        {
          name: 'h',
          order: 0,
          onFailure: 'open',
          timeoutMs: 60_000,
          commit: () => ({ refuse: 'no tools today' }),
        },
      ]),
    ],
  ] as const)('asks nothing where nobody would be told what it is about: %s', async (_, outcome, hooks) => {
    const parts = { ...(await partsFor(['memory', 'nothing', '', 'send_note', {}])), hooks };
    const speaker = await talk.place();
    await talk.accept(speaker, randomUUID());
    const claim = await talk.claim(speaker);
    const burst = claim.burst.map((message) => ({ ...message, text: 'Send a note to Bob' }));
    obey(['memory', '', '', 'send_note', { to: 'Bob', text: 'not their words' }]);
    if (outcome === 'apologised') model.always({ kind: 'status', status: 401 });
    const turn = await answerTurn(parts, { ...claim, burst }, randomUUID(), new AbortController().signal);
    expect(turn).toMatchObject({ outcome, questions: [], details: { tools: [{ name: 'send_note' }] } });
    const { permitted } = toolsOver(talk.database, []);
    expect(await permitted.questions(speaker.personId)).toEqual([]);
  });

  it('does what its person asks for in their own words', async () => {
    await play([
      'memory',
      'nothing',
      'Send a note to Bob with hello',
      'send_note',
      { to: 'Bob', text: 'hello' },
    ]);
    expect(effects).toEqual([{ to: 'Bob', text: 'hello' }]);
  });
});
