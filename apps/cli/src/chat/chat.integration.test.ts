import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import {
  ACCEPTED,
  DONE,
  KEY,
  refusal,
  RESTART,
  TURN,
  runCli,
  useScriptedApi,
  token,
} from '../e2e/scripted-api.js';

const { api, cli } = useScriptedApi();

const { headers, ...refused } = refusal(429, 'rate_limited', 'too many requests');
const tooMany = { ...refused, headers: { ...headers, 'retry-after': '60' } };
const STREAM = [ACCEPTED, token('Hello '), token('there, '), token('friend'), DONE];

describe('kith chat, from a pipe', () => {
  it('answers one message: the reply alone on the output, its marks beside it', async () => {
    api.chats.push(STREAM);
    expect(await cli(['chat', '--message', 'hi'])).toEqual({
      code: 0,
      out: 'Hello there, friend\n',
      notes: 'scripted-1 · slightly relaxed · 1 memory recalled · 1.2 s\n',
    });
    expect(api.seen).toMatchObject([
      { message: 'hi', companion: 'mira', conversation: 'main', stream: true },
    ]);
  });

  it('answers each line in turn', async () => {
    api.chats.push(STREAM, [ACCEPTED, { type: 'done', turn: { ...TURN, reply: 'Two' } }]);
    const { out } = await cli(['chat', '--conversation', 'work'], { input: 'one\n\ntwo\n' });
    expect(out).toBe('Hello there, friend\nTwo\n');
    expect(api.seen.map(({ message, conversation }) => [message, conversation])).toEqual([
      ['one', 'work'],
      ['two', 'work'],
    ]);
  });

  it('takes commands from a pipe, and leaves at /quit', async () => {
    api.chats.push(STREAM, STREAM);
    const { code, out, notes } = await cli(['chat'], { input: '/why\none\n/why\n/quit\ntwo\n' });
    expect(code).toBe(0);
    expect(notes).toContain('there is no reply yet');
    expect(out).toMatch(/^Hello there, friend\n.*score.*\n.*My dog is called Rex\n$/);
    expect(api.seen.map(({ message }) => message)).toEqual(['one']);
  });

  it('never sends an unknown command or a line that is too long, and answers the rest', async () => {
    api.chats.push(STREAM, STREAM);
    const long = 'x'.repeat(200_000);
    const { code, notes } = await cli(['chat'], { input: `/wyh\n//etc\n${long}\nlast, without an end` });
    expect(code).toBe(2);
    expect(api.seen.map(({ message }) => message)).toEqual(['/etc', 'last, without an end']);
    expect(notes).toContain('line 1: there is no command /wyh');
    expect(notes).toContain('line 3: this is longer than the 8000 characters');
    expect(notes).toContain('kith: not sent: 2 lines of the input\n');
  });

  it('names the line at which it ends, as no later one is sent', async () => {
    api.chats.push(STREAM, ['cut']);
    const { code, out, notes } = await cli(['chat'], { input: 'one\n\ntwo\nthree\n' });
    expect({ code, out }).toEqual({ code: 1, out: 'Hello there, friend\n' });
    expect(notes).toMatch(/kith: line 3: .*; no later line was sent\n$/);
    expect(api.seen.map(({ message }) => message)).not.toContain('three');
  });

  it('says what it waits for where the lines are typed and the replies go into a pipe', async () => {
    api.chats.push(STREAM);
    const typist = new PassThrough().end('one\n');
    const { out, notes } = await cli(['chat'], { typist, toPipe: true });
    expect(out).toBe('Hello there, friend\n');
    expect(notes).toMatch(/^type a line for each message; Ctrl-D ends\n/);
  });

  it('answers many lines of a pipe in their order', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `line ${n}`);
    api.chats.push(...lines.map(() => STREAM));
    expect((await cli(['chat'], { input: lines.join('\n') })).code).toBe(0);
    expect(api.seen.map(({ message }) => message)).toEqual(lines);
  });

  it('is said by words after chat, too, and by one of the two ways at a time', async () => {
    api.chats = [[ACCEPTED, DONE]];
    expect(await cli(['chat', 'How', 'are you?'])).toMatchObject({ code: 0 });
    expect(api.seen.at(-1)).toMatchObject({ message: 'How are you?', stream: true });
    expect(await cli(['chat', 'hi', '--message', 'hi'])).toMatchObject({ code: 2 });
    expect((await cli(['chat', ''])).notes).toContain('the message is empty');
  });

  it.each(['/why', '/nonsense', ' '])('refuses --message %j, which is none', async (message) => {
    expect((await cli(['chat', '--message', message])).code).toBe(2);
    expect(api.seen).toEqual([]);
  });

  it('marks what is rehearsal, degraded, an apology or silence', async () => {
    const turn = { ...TURN, rehearsal: true, degraded: ['memory'], recalled: [], mood: null };
    api.chats.push([{ type: 'done', turn }]);
    expect((await cli(['chat', '--message', 'x'])).notes).toContain(
      'rehearsal: the offline stand-in, no model answered · degraded: without memory',
    );
    api.chats.push([{ type: 'done', turn: { ...TURN, outcome: 'apologised', reason: 'budget' } }]);
    expect((await cli(['chat', '--message', 'x'])).notes).toContain(
      '(this is an apology, not an answer: the tokens of the day were used up)',
    );
    api.chats.push([{ type: 'done', turn: { ...TURN, outcome: 'silent', reply: null, reason: 'paused' } }]);
    const silent = await cli(['chat', '--message', 'x']);
    const told = '(Mira read this and said nothing: it was paused)';
    expect([silent.out, silent.notes]).toEqual(['', expect.stringContaining(told)]);
  });

  it('prints only what counts when the reply begins anew', async () => {
    api.chats.push([ACCEPTED, token('Half a'), RESTART, ...STREAM.slice(1)]);
    expect((await cli(['chat', '--message', 'x'])).out).toBe('Hello there, friend\n');
  });

  it('asks for the same reply again when the connection breaks after acceptance', async () => {
    api.chats.push([ACCEPTED, token('Hel'), 'cut'], STREAM);
    const { code, out, notes } = await cli(['chat', '--message', 'x']);
    expect([code, out]).toEqual([0, 'Hello there, friend\n']);
    expect(notes).toContain('asking for the reply again');
    expect(api.seen[0]!['messageId']).toBe(api.seen[1]!['messageId']);
  });

  it('sends it again under the same id when the connection breaks before acceptance', async () => {
    api.chats.push(['cut'], STREAM);
    expect(await cli(['chat', 'x'])).toMatchObject({ code: 0, out: 'Hello there, friend\n' });
    expect(api.seen).toEqual([api.seen[0], api.seen[0]]);
  });

  it('asks again, too, while a gateway that starts is not there for the proxy', async () => {
    const down = refusal(503, 'unavailable', 'The gateway is not there right now');
    let calls = 0;
    api.answers['POST /v1/chat'] = () => ((calls += 1) === 2 ? down : null);
    api.chats.push([ACCEPTED, 'cut'], STREAM);
    expect(await cli(['chat', '--message', 'x'])).toMatchObject({ code: 0, out: 'Hello there, friend\n' });
    api.answers['POST /v1/chat'] = () => down;
    expect(await cli(['chat', '--message', 'x'])).toMatchObject({ code: 1 });
    expect(calls).toBe(3);
  });

  it('sends what is said also while nobody knows the companions', async () => {
    api.isPersonalityDown = true;
    api.chats.push(STREAM, STREAM);
    const { code, out, notes } = await cli(['chat', '--message', 'hi']);
    expect([code, out]).toEqual([0, 'Hello there, friend\n']);
    expect(notes).toContain('the companion could not be looked up: personality.companions did not answer');
    expect(api.seen[0]).not.toHaveProperty('companion');
    await cli(['chat', '--message', 'hi', '--companion', 'ivo']);
    expect(api.seen[1]).toMatchObject({ message: 'hi', companion: 'ivo' });
  });

  it('ends with one line and code 1 when the turn fails', async () => {
    const problem = { type: 'x', title: 'x', status: 500, detail: 'the turn failed', code: 'internal' };
    api.chats.push([ACCEPTED, { type: 'error', problem }]);
    expect(await cli(['chat', '--message', 'x'])).toEqual({
      code: 1,
      out: '',
      notes: 'kith: the turn failed\n',
    });
  });

  it('asks again for a reply that is late, under the same id', async () => {
    const problem = { type: 'x', title: 'x', status: 503, detail: 'send it again', code: 'unavailable' };
    api.chats.push([ACCEPTED, { type: 'error', problem }], STREAM);
    const { code, out, notes } = await cli(['chat', '--message', 'x']);
    expect([code, out]).toEqual([0, 'Hello there, friend\n']);
    expect(notes).toContain('no reply yet; asking for the reply again');
    expect(api.seen[0]!['messageId']).toBe(api.seen[1]!['messageId']);
  });
});

describe('kith chat, at a terminal', () => {
  /** Types a line each time the screen ends with the prompt. */
  async function converse(lines: string[]) {
    const typist = new PassThrough();
    const { exit, texts } = runCli(['chat'], { url: api.url, key: KEY, typist });
    const left = [...lines];
    let prompts = 0;
    const watch = setInterval(() => {
      const shown = texts.out.split('you: ').length - 1;
      if (shown <= prompts) return;
      prompts = shown;
      typist.write(`${left.shift() ?? '/quit'}\n`);
    }, 5);
    const code = await exit;
    clearInterval(watch);
    return { code, ...texts };
  }

  it('streams the reply after the name, and leaves on /quit', async () => {
    api.chats.push(STREAM);
    const { code, out, notes } = await converse(['hi']);
    expect(code).toBe(0);
    expect(out).toContain('Mira: Hello there, friend\n');
    expect(notes).toContain('scripted-1 · slightly relaxed');
  });

  it('begins with what the companion said since, and shows the last lines on /last', async () => {
    const id = '019a0000-0000-7000-8000-00000000000c';
    const conversation = {
      id,
      companionId: 'mira',
      door: 'http',
      name: 'main',
      kind: 'direct',
      lastMessageAt: '2026-03-01T10:00:00.000Z',
    };
    const others = [
      { ...conversation, companionId: 'ivo' },
      { ...conversation, name: 'work' },
      { ...conversation, door: 'discord' },
    ].map((one) => ({ ...one, id: id.replace('c', 'd') }));
    const line = (role: 'person' | 'companion', text: string, hour: number) => ({
      id: String(hour),
      turnId: null,
      role,
      name: role === 'person' ? 'Ada' : 'Mira',
      text,
      at: `2026-03-01T${hour}:00:00.000Z`,
    });
    const messages = [
      line('companion', 'Good morning.', 10),
      line('person', 'Remind me at noon.', 11),
      line('companion', '', 12),
      line('companion', 'It is noon.', 13),
    ];
    api.answers['GET /v1/conversations'] = () => ({
      body: { conversations: [...others, conversation], nextCursor: null },
    });
    api.answers[`GET /v1/conversations/${id}/messages`] = () => ({
      body: { conversation, messages, nextCursor: null },
    });
    const { code, out } = await converse(['/last']);
    expect(code).toBe(0);
    const [opening = '', last] = out.split('you: ');
    expect(opening).toContain('2026-03-01 13:00 Mira: It is noon.\n');
    expect(opening).not.toMatch(/noon\.[^]*noon\.|morning|12:00/);
    expect(last).toContain('Mira: Good morning.\n2026-03-01 11:00 Ada: Remind me at noon.\n');
  });

  it('says on /last that there is nothing to show, or why that is not known', async () => {
    const { out, notes } = await cli(['chat'], { input: '/last\n' });
    expect([out, notes]).toEqual(['', 'nothing was said here lately that can be shown\n']);
    api.isPersonalityDown = true;
    expect((await cli(['chat'], { input: '/last\n' })).notes).toMatch(/line 1: personality\.companions did/);
  });

  it('talks also where what was said last cannot be read', async () => {
    api.answers['GET /v1/conversations'] = () => refusal(503, 'unavailable', 'Postgres is away');
    api.chats.push(STREAM);
    const { code, out, notes } = await converse(['hi']);
    expect([code, out]).toEqual([0, expect.stringContaining('Mira: Hello there, friend\n')]);
    expect(notes).toContain('what was said last could not be read: ');
  });

  it('says why it remembered, and takes a failed turn in its stride', async () => {
    const problem = { type: 'x', title: 'x', status: 500, detail: 'the turn failed', code: 'internal' };
    api.chats.push([ACCEPTED, { type: 'error', problem }], STREAM);
    const { code, out, notes } = await converse(['/why', 'one', 'two', '/why', '/nonsense']);
    expect(code).toBe(0);
    expect(notes).toContain('there is no reply yet');
    expect(notes).toContain('the turn failed');
    expect(out).toMatch(
      /1\.04\s+#1\s+0\.71\s+–\s+\+0\.00\s+\+0\.10\s+\+0\.05\s+\+0\.00\s+\+0\.00\s+2026-01-02\s+My dog is called Rex/,
    );
    expect(notes).toContain('there is no command /nonsense');
  });

  it.each([
    ['a wait for its turn', () => tooMany],
    ['a wait for an answer', () => 'silent' as const],
  ])('Ctrl-C ends %s of a command, and the conversation goes on', async (_, answer) => {
    let asked = 0;
    api.answers['GET /v1/companions/mira/mood'] = () => {
      asked += 1;
      return answer();
    };
    const typist = new PassThrough();
    const { exit, texts } = runCli(['chat'], { url: api.url, key: KEY, typist });
    await eventually('the prompt', () => texts.out.includes('you: '));
    typist.write('/mood\n');
    await eventually('the question', () => asked === 1);
    if (answer() === tooMany) await eventually('the wait', () => texts.notes.includes('waiting 60 s'));
    typist.write('\u0003');
    await eventually('the next prompt', () => texts.out.split('you: ').length > 2);
    expect(texts.notes).toContain('(no longer waiting; what was begun may be done still)');
    typist.write('/quit\n');
    expect([await exit, asked]).toEqual([0, 1]);
  });

  it('Ctrl-C ends the wait of a message for its turn', async () => {
    api.answers['POST /v1/chat'] = () => tooMany;
    const typist = new PassThrough();
    const { exit, texts } = runCli(['chat'], { url: api.url, key: KEY, typist });
    await eventually('the prompt', () => texts.out.includes('you: '));
    typist.write('hi\n');
    await eventually('the wait', () => texts.notes.includes('waiting 60 s'));
    typist.write('\u0003');
    await eventually('the next prompt', () => texts.out.split('you: ').length > 2);
    expect(texts.notes).toContain(
      '(no longer waiting; a reply that was begun will be in the conversation: /last)',
    );
    typist.write('/quit\n');
    expect(await exit).toBe(0);
  });

  it('Ctrl-D while an answer comes leaves after it', async () => {
    api.chats.push(STREAM);
    const typist = new PassThrough();
    const { exit, texts } = runCli(['chat'], { url: api.url, key: KEY, typist });
    await eventually('the prompt', () => texts.out.includes('you: '));
    typist.write('hi\n\u0004');
    expect([await exit, texts.out]).toEqual([0, expect.stringContaining('Mira: Hello there, friend\n')]);
    expect(texts.notes).not.toContain('a bug');
  });

  it('shows what was streamed does not count when the reply begins anew', async () => {
    api.chats.push([ACCEPTED, token('Half a'), RESTART, ...STREAM.slice(1)]);
    const { out, notes } = await converse(['hi']);
    expect(out).toContain('Mira: Half a\nMira: Hello there, friend\n');
    expect(notes).toContain('what was written does not count; it begins anew');
  });
});
