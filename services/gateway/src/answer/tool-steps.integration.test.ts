import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@kith/database';
import { createModelRoles, HookList, type ModelRoles } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { ScriptedModel } from '@kith/testing';
import pino from 'pino';
import { answered, withTalk } from '../e2e/talk.js';
import { testingParts } from '../e2e/testing-parts.js';
import type { Claim } from '../inbox/claim.js';
import { outdateReplies } from '../redaction/empty-lines.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { turnIdOf } from '../signals/turn-id-of.js';
import { readSteps } from '../steps/read-steps.js';
import { TurnHooks } from '../hooks/turn-hooks.js';
import { StepLog } from '../steps/step-log.js';
import { ThoughtCipher } from '../steps/thought-cipher.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { ToolRunner, type OfferedTool } from '../tools/tool-runner.js';
import { OutsideCalls } from '../tools/outside-calls.js';
import { ToolGuard } from '../tools/tool-guard.js';
import { ToolCallRecords } from '../tools/permission/tool-call-records.js';
import { ToolGrants } from '../tools/permission/tool-grants.js';
import { declareTool } from '../tools/tool.js';
import { authorityOf } from '../tools/turn-authority.js';
import { effectTool, toolsOver } from '../tools/testing-tools.js';
import { answerTurn } from './answer-turn.js';
import type { FinishedTurn } from './finished-turn.js';
import { think } from './think.js';
import { UNSEEN } from './write-outreach.js';

const talk = withTalk();
const cipher = new ThoughtCipher('a secret of this suite');
/** Thought of every turn here, without its tools and steps. */
const GO = {
  messages: [{ role: 'user' as const, content: 'go' }],
  maxTokens: 100,
  shown: [],
  linkHosts: [],
  limits: { maxSteps: 6, maxTokens: 100_000, maxMs: 60_000, maxCost: 0 },
};
let model: ScriptedModel;
let roles: ModelRoles;

beforeAll(async () => {
  model = await ScriptedModel.start();
  roles = createModelRoles(model.settings(5_000));
});
afterAll(() => model.stop());

const besides = (claim: Claim, turnId: string) => ({
  account: { turnId },
  cards: roles.cards,
  hooks: new TurnHooks(new HookList(), claim, turnId),
});

/** A life that ends at one of its seams: nothing of it goes on from there. */
class Life {
  seams = 0;
  readonly end: Promise<'dead'>;
  private die!: (how: 'dead') => void;

  constructor(private readonly endsAt: number) {
    this.end = new Promise((resolve) => (this.die = resolve));
  }

  async seam(): Promise<void> {
    this.seams += 1;
    if (this.seams !== this.endsAt) return;
    this.die('dead');
    await new Promise(() => undefined);
  }

  /** The database, with a seam before and after each write. */
  over(database: Database): Database {
    return new Proxy(database, {
      get: (target, name, over) => {
        const own: unknown = Reflect.get(target, name);
        if (typeof own !== 'function') return own;
        // A writer of single statements writes by `write` as well.
        if (name !== 'write') return own.bind(over) as unknown;
        return async (...given: unknown[]) => {
          await this.seam();
          const result: unknown = await own.apply(target, given);
          await this.seam();
          return result;
        };
      },
    });
  }
}

interface Effects {
  noted: Set<string>;
  sent: number;
}

/** Part of a question that is about its tools. */
const offered = (tools: ToolRunner) => ({ tools, definitions: tools.definitions, room: 10_000 });

/** Three tools: one that looks, one that knows its calls by their keys, and one outside, which nobody can ask. */
function runnerFor(life: Life, database: Database, claim: Claim, effects: Effects): ToolRunner {
  const tool = (
    name: string,
    traits: Parameters<typeof declareTool>[3],
    act: (key: string) => void,
  ): OfferedTool => {
    const declared = declareTool(name, name, {}, traits);
    const call = async (_: unknown, { key }: { key: string }) => {
      await life.seam();
      act(key);
      await life.seam();
      return `${name} is done`;
    };
    return { tool: { ...declared, call }, permission: 'allowed' };
  };
  const outside = new OutsideCalls(
    new ToolCallRecords(database),
    new ToolGrants(database),
    new ToolGuard(),
    pino({ level: 'silent' }),
  );
  return new ToolRunner(
    [
      tool('look', { reads: ['memories'], changes: 'nothing' }, () => undefined),
      tool('note', { reads: [], changes: 'memory' }, (key) => effects.noted.add(key)),
      tool('send', { reads: ['outside'], changes: 'nothing' }, () => (effects.sent += 1)),
    ],
    {
      ...authorityOf(claim, turnIdOf(claim.conversationId, claim.burst[0]!.id), new Date()),
      said: ['please send it'],
    },
    outside,
    new ToolRegistry(() => []),
  );
}

/** Calls its tools one after the other, as a model that sees what it has been told. */
function script(): void {
  model.reset();
  const names = ['look', 'note', 'send'];
  model.replyWith(({ messages }) => {
    const told = messages.filter(({ role: from }) => from === 'tool').length;
    const name = names[told];
    return name === undefined
      ? `told: ${messages.flatMap(({ role: from, text }) => (from === 'tool' ? [text] : [])).join('; ')}`
      : { text: `<think>now ${name}</think>`, toolCalls: [{ name, arguments: {} }] };
  });
}

const DONE_AND_UNSURE =
  /is done.* again: my notes\. This may be done.* again: send note\. For the rest, please try again/;

/** Ends a turn whose earlier try noted something, looked, was refused, looked up and found, and began to send a note. */
async function failedTurn(
  own: Partial<Claim> = {},
  isReadable = true,
  outside = [effectTool('send_note', [])],
): Promise<FinishedTurn> {
  const speaker = await talk.place();
  await talk.accept(speaker, randomUUID());
  await talk.claim(speaker);
  await talk.stores.query('UPDATE inbox SET lease_until = NULL WHERE person_id = $1', [speaker.personId]);
  const claim = { ...(await talk.claim(speaker)), ...own };
  const turnId = turnIdOf(claim.conversationId, claim.burst[0]!.id);
  // Its words can't be read any more, so none of its calls is made again.
  const steps = new StepLog(talk.database, new ThoughtCipher('another'), claim, turnId);
  const names = ['core_memory_append', 'search_memory', 'task_add', 'look_up', 'find', 'send_note'];
  // A server that is away at the next try had those two.
  const looking = ['look_up', 'find'];
  const made = names.map((name) => ({
    name,
    ...(looking.includes(name) && { changes: 'nothing' as const }),
  }));
  const calls = names.map((name) => ({ id: name, name, arguments: {} }));
  const words = { thought: '', reasoning: [], text: '', calls };
  const cost = { model: 'm', promptTokens: 1, completionTokens: 1 };
  await steps.commit(steps.row(steps.take(), words, cost, made));
  for (const [index, ok] of [true, true, false, true].entries())
    await steps.end(1, index, made[index]!, { content: '', ok, shown: [] });
  if (!isReadable) await talk.stores.query(`UPDATE turn_steps SET calls = '{}' WHERE turn_id = $1`, [turnId]);
  const messenger = { canAsk: true, ask: () => Promise.reject(new Error('nobody answers')) };
  const { permitted, rules } = toolsOver(talk.database, outside);
  if (outside.length > 0)
    await rules.set({ tool: 'send_note', companionId: null, server: null, channel: null, role: null }, true);
  const parts = testingParts(talk.database, model, {
    messenger: messenger as unknown as Messenger,
    permittedTools: permitted,
  });
  return answerTurn(parts, claim, turnId, new AbortController().signal);
}

describe('a turn with three tool calls whose process dies', () => {
  it('at any seam: every effect comes once, and the turn has one outcome', async () => {
    script();
    for (let endsAt = 1; ; endsAt++) {
      const speaker = await talk.place();
      await talk.accept(speaker, randomUUID());
      const effects = { noted: new Set<string>(), sent: 0 };
      const live = async (life: Life, claim: Claim): Promise<string> => {
        const turnId = turnIdOf(claim.conversationId, claim.burst[0]!.id);
        const database = life.over(talk.database);
        const thought = await think(
          roles.chat,
          {
            ...GO,
            ...offered(runnerFor(life, database, claim, effects)),
            steps: new StepLog(database, cipher, claim, turnId),
            ...besides(claim, turnId),
          },
          new AbortController().signal,
          UNSEEN,
        );
        const turn = { ...answered(), turnId, reply: thought.text!, lastStep: thought.last };
        await commitTurn(database, claim, turn, false);
        return thought.text!;
      };
      const first = new Life(endsAt);
      const claim = await talk.claim(speaker);
      const asked = model.requests.length;
      const end = await Promise.race([live(first, claim), first.end]);
      if (end !== 'dead') {
        expect(first.seams).toBeGreaterThan(20);
        break;
      }
      await talk.stores.query('UPDATE inbox SET lease_until = NULL WHERE person_id = $1', [speaker.personId]);
      const turns = () => talk.stores.query('SELECT 1 FROM turns WHERE person_id = $1', [speaker.personId]);
      if ((await turns()).length === 0) {
        const reply = await live(new Life(0), await talk.claim(speaker));
        expect(reply).toMatch(/^told: .*look is done.*note is done.*(?:send is done|It may have happened)/s);
      }
      expect(await turns()).toHaveLength(1);
      expect(effects.noted.size).toBe(1);
      expect(effects.sent).toBeLessThanOrEqual(1);
      // A step that was finished is not thought of again: one request a step, and the one that was lost.
      expect(model.requests.length - asked).toBeLessThanOrEqual(5);
    }
  });

  it('and which a hook refuses at its next try tells what was done, and what may have been', async () => {
    script();
    const speaker = await talk.place();
    await talk.accept(speaker, randomUUID());
    const effects = { noted: new Set<string>(), sent: 0 };
    const live = async (claim: Claim, hooks: HookList) => {
      const turnId = turnIdOf(claim.conversationId, claim.burst[0]!.id);
      return think(
        roles.chat,
        {
          ...GO,
          ...offered(runnerFor(new Life(0), talk.database, claim, effects)),
          steps: new StepLog(talk.database, cipher, claim, turnId),
          ...besides(claim, turnId),
          hooks: new TurnHooks(hooks, claim, turnId),
        },
        new AbortController().signal,
        UNSEEN,
      );
    };
    await live(await talk.claim(speaker), new HookList());
    // The process died before the ends of the calls were noted, and before the turn's commit.
    await talk.stores.query(
      `UPDATE turn_steps SET calls = jsonb_build_array(jsonb_build_object('name', calls->0->>'name', 'state', 'planned'))
       WHERE number > 1 AND person_id = $1`,
      [speaker.personId],
    );
    await talk.stores.query('UPDATE inbox SET lease_until = NULL WHERE person_id = $1', [speaker.personId]);
    const act = () => ({ refuse: 'a quota' });
    const refusing = new HookList([{ name: 'quota', order: 0, onFailure: 'open', timeoutMs: 60_000, act }]);
    const { text, effects: told } = await live(await talk.claim(speaker), refusing);
    expect(text).toMatch(/look is done.*not known whether this was carried out.*send is done/s);
    expect([[...told.done], [...told.unsure]]).toEqual([[], ['my notes']]);
    expect([effects.noted.size, effects.sent]).toEqual([1, 1]);
  });

  it('and which made fewer calls than it wanted is told so at its next try, too', async () => {
    model.reset();
    const toolCalls = [1, 2, 3, 4, 5].map((n) => ({ name: 'note', arguments: { n } }));
    model.next({ kind: 'reply', reply: { toolCalls } });
    model.replyWith(({ messages }) => messages.at(-1)!.text);
    const speaker = await talk.place();
    await talk.accept(speaker, randomUUID());
    const effects = { noted: new Set<string>(), sent: 0 };
    const live = async (claim: Claim) => {
      const turnId = turnIdOf(claim.conversationId, claim.burst[0]!.id);
      const { text } = await think(
        roles.chat,
        {
          ...GO,
          ...offered(runnerFor(new Life(0), talk.database, claim, effects)),
          steps: new StepLog(talk.database, cipher, claim, turnId),
          ...besides(claim, turnId),
        },
        new AbortController().signal,
        UNSEEN,
      );
      return text;
    };
    const first = await live(await talk.claim(speaker));
    expect(first).toContain('Carried out: 3 of 5 calls');
    // The process died before the turn's commit.
    await talk.stores.query('UPDATE inbox SET lease_until = NULL WHERE person_id = $1', [speaker.personId]);
    expect(await live(await talk.claim(speaker))).toBe(first);
    expect(effects.noted.size).toBe(3);
  });

  it('and whose models then fail names what earlier tries did, and may have done', async () => {
    model.reset();
    model.always({ kind: 'reply', reply: { text: '', isCut: true } });
    expect((await failedTurn()).reply).toMatch(DONE_AND_UNSURE);
    // Its tool is gone at the next try.
    expect((await failedTurn({}, true, [])).reply).toMatch(DONE_AND_UNSURE);
  });

  it('and which nobody could answer names the same, as far as that can be read', async () => {
    const { reason, reply } = await failedTurn({ poison: true });
    expect(reason).toBe('poison');
    expect(reply).toMatch(DONE_AND_UNSURE);
    expect((await failedTurn({ poison: true }, true, [])).reply).toMatch(DONE_AND_UNSURE);
    expect((await failedTurn({ poison: true }, false)).reply).toMatch(/safe; please try again/);
  });

  it('keeps what it thought where nobody reads it without the key, until something is forgotten', async () => {
    script();
    const speaker = await talk.place();
    await talk.accept(speaker, randomUUID());
    const claim = await talk.claim(speaker);
    const steps = new StepLog(
      talk.database,
      cipher,
      claim,
      turnIdOf(claim.conversationId, claim.burst[0]!.id),
    );
    const life = new Life(0);
    const tools = runnerFor(life, talk.database, claim, { noted: new Set(), sent: 0 });
    await think(
      roles.chat,
      { ...GO, ...offered(tools), steps, ...besides(claim, steps.turnId) },
      new AbortController().signal,
      UNSEEN,
    );
    const read = (by = cipher) => readSteps(talk.database, 'system', by, steps.turnId);
    expect((await read()).map(({ words }) => words?.thought)).toEqual(['now look', 'now note', 'now send']);
    expect((await read(new ThoughtCipher('another')))[0]).toMatchObject({
      words: null,
      calls: [{ name: 'look', state: 'ended', result: null }],
    });
    const rows = await talk.stores.query<{ row: string }>('SELECT turn_steps::text AS row FROM turn_steps');
    expect(rows.map(({ row }) => row).join()).not.toMatch(/now look|is done/);
    await talk.database.asSystem((tx) => outdateReplies(tx, speaker.personId));
    // The next try knows what each may have changed, though its tool may be gone by then.
    expect((await read()).map(({ calls }) => calls[0]!.changes)).toEqual(['nothing', 'memory', 'nothing']);
    expect((await read()).map(({ words, calls }) => [words, calls[0]!.result])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    // What is written of it afterwards keeps no words either.
    await steps.commit(
      steps.row(
        steps.take(),
        { thought: 'late', reasoning: [], text: '', calls: [] },
        { model: 'm', promptTokens: 1, completionTokens: 1 },
      ),
    );
    expect((await read()).at(-1)!.words).toBeNull();
  });
});
