import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { KEY, refusal, runCli, TURN, useScriptedApi } from '../e2e/scripted-api.js';

const { api, cli } = useScriptedApi();

const IDS = ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b'] as const;

function asked(note: string, ids: readonly string[] = IDS) {
  const rest = { tool: 'send_note', arguments: { note }, text: 'May I?', expiresAt: '2026-01-02T10:20:00Z' };
  return [{ type: 'done' as const, turn: { ...TURN, questions: ids.map((id) => ({ id, ...rest })) } }];
}

const chat = (args: string[], input = '') => cli(['chat', ...args], { input });

describe('questions of a reply', () => {
  it('are shown with their arguments whole, whatever of them its words show, and how one message answers', async () => {
    const note = 'x'.repeat(5_000);
    api.chats.push(asked(note, [IDS[0]]));
    const { out, notes } = await chat(['--message', 'x']);
    expect(out).toBe('Hello there, friend\n');
    expect(notes).toContain(`send_note would get: {\n  "note": "${note}"\n}`);
    expect(notes.indexOf(note)).toBeLessThan(notes.indexOf(`answer with: kith tools answer ${IDS[0]}`));
    expect(notes).not.toContain('/yes');
  });

  it('are all answered by /yes, also when the first fails, which is named', async () => {
    const answered: unknown[] = [];
    api.answers[`PUT /v1/tool-questions/${IDS[0]}`] = () => refusal(409, 'conflict', 'it was answered');
    api.answers[`PUT /v1/tool-questions/${IDS[1]}`] = (body) => {
      answered.push(JSON.parse(body));
      return { body: { status: 'done', result: 'sent' } };
    };
    api.chats.push(asked('hi'));
    const { code, out, notes } = await chat([], 'x\n/yes\n');
    expect(notes).toContain('answer with /yes, /always or /no');
    expect(answered).toEqual([{ answer: 'yes' }]);
    expect([code, out]).toEqual([1, expect.stringContaining('sent')]);
    expect(notes).toContain(`send_note (kith tools answer ${IDS[0]}): it was answered`);
  });

  it('are named where Ctrl-C ends /yes, with the way to answer those that remain', async () => {
    let answers = 0;
    api.answers[`PUT /v1/tool-questions/${IDS[0]}`] = () => {
      answers += 1;
      return 'silent';
    };
    api.chats.push(asked('hi'));
    const typist = new PassThrough();
    const { exit, texts } = runCli(['chat'], { url: api.url, key: KEY, typist });
    await eventually('the prompt', () => texts.out.includes('you: '));
    typist.write('x\n');
    await eventually('the questions', () => texts.notes.includes('answer with /yes'));
    typist.write('/yes\n');
    await eventually('the answer', () => answers === 1);
    typist.write('\u0003');
    await eventually('the end of the wait', () => texts.notes.includes('no longer waiting'));
    expect(texts.notes).toContain(`broke off at send_note (kith tools answer ${IDS[0]})`);
    expect(texts.notes).toContain(`not begun: send_note (kith tools answer ${IDS[1]})`);
    typist.write('/quit\n');
    expect(await exit).toBe(0);
  });
});
