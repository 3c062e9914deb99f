import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Problem, TracedTurn, TurnView } from '@kith/contracts';
import { eventually } from '@kith/testing';
import WebSocket from 'ws';
import { startSuite, type Suite } from './suite.js';

let suite: Suite;

beforeAll(async () => {
  suite = await startSuite();
}, 120_000);
afterAll(() => suite.stop());

async function remembered(key: string, atLeast: number): Promise<void> {
  await eventually(`${atLeast} memories`, async () => {
    const { body } = await suite.api('/v1/memories', { key });
    return (body as { total: number }).total >= atLeast;
  });
}

describe('a conversation over HTTP', () => {
  it('recalls weeks later what a person said, and says why', async () => {
    const { key } = await suite.newPerson('Ada');
    const weeksAgo = new Date(Date.now() - 21 * 86_400_000).toISOString();
    await suite.say('My dog is called Biscuit and he loves the beach.', { key, sentAt: weeksAgo });
    await remembered(key, 1);
    const turn = await suite.say('What is my dog called?', { key });
    expect(turn).toMatchObject({ outcome: 'answered', rehearsal: true, model: 'rehearsal', degraded: [] });
    expect(turn.recalled[0]?.text).toContain('Biscuit');
    expect(turn.recalled[0]?.saidAt.slice(0, 10)).toBe(weeksAgo.slice(0, 10));
    expect(turn.recalled[0]?.why.score).toBeGreaterThan(0);
    expect(turn.reply).toContain('Biscuit');
  });

  it('answers the same message id once, with the same turn', async () => {
    const { key, personId } = await suite.newPerson('Bert');
    const turns = await Promise.all(
      [1, 2, 3].map(() => suite.say('Only once, please.', { key, messageId: 'the-same' })),
    );
    expect(new Set(turns.map((turn) => turn.turnId)).size).toBe(1);
    const again = await suite.say('Only once, please.', { key, messageId: 'the-same' });
    expect(again.turnId).toBe(turns[0]!.turnId);
    expect(await suite.query('SELECT 1 FROM turns WHERE person_id = $1', [personId])).toHaveLength(1);
  });

  it('refuses a message that can not be answered as a conflict, which no client sends again', async () => {
    const { key, personId } = await suite.newPerson('Odd');
    const said = { message: 'Hm.', messageId: 'odd' };
    await suite.say(said.message, { key, messageId: said.messageId });
    // As it stands once its turn was given up, again and again.
    await suite.query("UPDATE inbox SET outcome = 'failed', turn_id = NULL WHERE person_id = $1", [personId]);
    const { status, body } = await suite.api('/v1/chat', { key, body: said });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('another way') });
  });

  it('streams accepted, turn, tokens and done, whose tokens make the reply', async () => {
    const { key } = await suite.newPerson('Cleo');
    const response = await fetch(`${suite.url}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Tell me something nice.', stream: true }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text())
      .split('\n\n')
      .filter(Boolean)
      .map(
        (block) =>
          JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as { type: string; text: string; turn: TurnView },
      );
    const types = events.map((event) => event.type);
    expect(types[0]).toBe('accepted');
    expect(types[1]).toBe('turn');
    expect(types.at(-1)).toBe('done');
    const tokens = events.filter((event) => event.type === 'token').map((event) => event.text);
    expect(tokens.join('').trim()).toBe(events.at(-1)!.turn.reply);
  });

  it('talks over a WebSocket, and tells when the mood moves', async () => {
    const { key } = await suite.newPerson('Dora');
    const socket = new WebSocket(`${suite.url.replace('http', 'ws')}/v1/ws`);
    const frames: { type: string; turn?: TurnView }[] = [];
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as { type: string }));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'hello', key }));
    await eventually('ready', () => frames.some((frame) => frame.type === 'ready'));
    socket.send(
      JSON.stringify({ type: 'message', message: 'Thank you so much, you are wonderful!', messageId: 'm1' }),
    );
    const done = await eventually('done', () => frames.find((frame) => frame.type === 'done'));
    expect(done.turn).toMatchObject({ outcome: 'answered', messageIds: ['m1'] });
    await eventually('the mood to move', () => frames.some((frame) => frame.type === 'mood'));
    socket.close();
  });

  it('tells every other socket of the person that there was talk, and nobody else’s', async () => {
    const [{ key }, stranger] = await Promise.all([suite.newPerson('Thea'), suite.newPerson('Ulf')]);
    const open = async (own: string) => {
      const socket = new WebSocket(`${suite.url.replace('http', 'ws')}/v1/ws`);
      const frames: { type: string; messageIds?: string[] }[] = [];
      socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as { type: string }));
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send(JSON.stringify({ type: 'hello', key: own }));
      await eventually('ready', () => frames.some((frame) => frame.type === 'ready'));
      return { socket, frames, talked: () => frames.filter(({ type }) => type === 'talked') };
    };
    const [laptop, phone, other] = await Promise.all([open(key), open(key), open(stranger.key)]);
    laptop.socket.send(JSON.stringify({ type: 'message', message: 'Hello!', messageId: 'from-laptop' }));
    await eventually('word of it', () => phone.talked().length > 0);
    expect(phone.talked()).toMatchObject([{ messageIds: ['from-laptop'] }]);
    // Whatever was sent before has come once a later ping is answered.
    other.socket.send(JSON.stringify({ type: 'ping' }));
    await eventually('a pong', () => other.frames.some(({ type }) => type === 'pong'));
    expect([phone, other].flatMap(({ frames }) => frames).filter(({ type }) => type === 'done')).toEqual([]);
    expect(other.talked()).toEqual([]);
    for (const { socket } of [laptop, phone, other]) socket.close();
  });

  it('stops the answer when the person says so', async () => {
    const { key } = await suite.newPerson('Stella');
    const socket = new WebSocket(`${suite.url.replace('http', 'ws')}/v1/ws`);
    const frames: { type: string; turn?: TurnView; stopped?: number }[] = [];
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as { type: string }));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'hello', key }));
    await eventually('ready', () => frames.some((frame) => frame.type === 'ready'));
    const personality = suite.stack.service('personality');
    personality.process.kill('SIGSTOP'); // so that the turn is under way for a while
    try {
      socket.send(JSON.stringify({ type: 'message', message: 'Tell me everything.', messageId: 's1' }));
      await eventually('acceptance', () => frames.some((frame) => frame.type === 'accepted'));
      socket.send(JSON.stringify({ type: 'stop' }));
      const stopped = await eventually('the stop', () => frames.find((frame) => frame.type === 'stopped'));
      expect(stopped.stopped).toBe(1);
      const done = await eventually('done', () => frames.find((frame) => frame.type === 'done'));
      expect(done.turn).toMatchObject({ outcome: 'silent', reason: 'stopped', reply: null });
    } finally {
      personality.process.kill('SIGCONT');
    }
    expect((await suite.api('/v1/chat/stop', { key, body: {} })).body).toEqual({ stopped: 0 });
    const unknown = { conversation: 'not-begun' };
    expect((await suite.api('/v1/chat/stop', { key, body: unknown })).body).toEqual({ stopped: 0 });
    expect((await suite.api('/v1/conversations', { key })).body).toMatchObject({
      conversations: [{ name: 'main' }],
    });
    socket.close();
  });

  it('is listed once, though what is said between two pages moves it to the front', async () => {
    const { key, personId } = await suite.newPerson('Paige');
    for (const conversation of ['a', 'b', 'c', 'd']) await suite.say('Hello.', { key, conversation });
    // As a message leaves it whose turn is not over.
    await suite.query(
      `INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience, person_id)
       SELECT gen_random_uuid(), 'mira', 'http', $1 || '.' || name, 'direct', 'direct', $1::uuid
       FROM (VALUES ('new'), ('newer')) AS begun (name)`,
      [personId],
    );
    const page = async (cursor?: string) => {
      const after = cursor === undefined ? '' : `&cursor=${cursor}`;
      const { body } = await suite.api(`/v1/conversations?limit=2${after}`, { key });
      const { conversations, nextCursor } = body as {
        conversations: { name: string }[];
        nextCursor: string | null;
      };
      return { names: conversations.map(({ name }) => name), nextCursor };
    };
    const first = await page();
    expect(first.names).toEqual(['d', 'c']);
    await suite.say('And again.', { key, conversation: 'c' });
    const second = await page(first.nextCursor!);
    expect(second.names).toEqual(['b', 'a']);
    const third = await page(second.nextCursor!);
    expect(third.names.toSorted()).toEqual(['new', 'newer']);
    expect(third.nextCursor).toBeNull();
    expect((await suite.api('/v1/conversations?cursor=made-up', { key })).status).toBe(400);
  });

  it('traces a turn for its person, and for an operator without what was said', async () => {
    const { key, personId } = await suite.newPerson('Trude');
    const { turnId } = await suite.say('My cat is called Schnurr.', { key, messageId: 'traced-1' });
    const own = (await suite.api(`/v1/turns/${turnId}`, { key })).body as TracedTurn;
    expect(own.trace).toMatchObject({
      personId,
      gate: 'proceed',
      messages: [{ messageId: 'traced-1', outcome: 'answered', attempts: 1 }],
      tries: [{ model: 'rehearsal', kind: 'answered' }],
      deliveries: [],
    });
    expect(own.trace.promptTokens!['system']).toBeGreaterThan(0);
    expect(own.reply).not.toBeNull();
    const { body: seen } = await suite.api(`/v1/turns/${turnId}`);
    expect((seen as TracedTurn).reply).toBeNull();
    expect(JSON.stringify(seen)).not.toContain('Schnurr');
    const found = (await suite.api('/v1/turns?message=traced-1', { key })).body as {
      turns: { turnId: string }[];
    };
    expect(found.turns.map((turn) => turn.turnId)).toEqual([turnId]);
    expect((await suite.api('/v1/turns?outcome=lost', { key })).status).toBe(400);
    expect((await suite.api('/v1/outbox', { key })).status).toBe(403);
  });

  it('keeps the history, and shows it to nobody else', async () => {
    const { key } = await suite.newPerson('Emil');
    const other = await suite.newPerson('Eve');
    const turn = await suite.say('This is between us.', { key });
    const own = await suite.api(`/v1/conversations/${turn.conversationId}/messages`, { key });
    expect((own.body as { messages: { role: string; text: string }[] }).messages).toMatchObject([
      { role: 'person', text: 'This is between us.' },
      { role: 'companion', text: turn.reply },
    ]);
    const foreign = await suite.api(`/v1/conversations/${turn.conversationId}/messages`, { key: other.key });
    expect(foreign.status).toBe(404);
    expect((await suite.api(`/v1/turns/${turn.turnId}`, { key: other.key })).status).toBe(404);
  });

  it('moves the mood with what happens, and plots it', async () => {
    const { key } = await suite.newPerson('Finn');
    await suite.say('I love talking with you, thank you, you are amazing!', { key });
    // The bond and the course are read side by side: an answer of just this moment may have one of them.
    await eventually('the bond to grow, and the course to show the feeling', async () => {
      const { status, body } = await suite.api('/v1/companions/mira/mood', { key });
      const answer = body as { series: { emotion: string | null }[]; bond: { interactions: number } };
      const isShown = status === 200 && answer.series.some((point) => point.emotion !== null);
      return isShown && answer.bond.interactions > 0;
    });
  });
});

describe('memories', () => {
  it('that a person forgets are gone from Postgres and from the index', async () => {
    const { key, personId } = await suite.newPerson('Gwen');
    await suite.say('My locker code is 4711 at the swimming pool.', { key });
    await remembered(key, 1);
    const { body } = await suite.api('/v1/memories/search?q=locker%20code', { key });
    const [memory] = (body as { memories: { id: string }[] }).memories;
    const forgotten = await suite.api('/v1/memories/forget', { key, body: { ids: [memory!.id] } });
    expect(forgotten).toMatchObject({ status: 200, body: { rows: 1, points: 1 } });
    expect(await suite.query('SELECT 1 FROM memories WHERE person_id = $1', [personId])).toEqual([]);
    expect(await suite.query('SELECT 1 FROM memory_vectors WHERE person_id = $1', [personId])).toEqual([]);
    const turn = await suite.say('What is my locker code?', { key });
    expect(JSON.stringify(turn.recalled)).not.toContain('4711');
  });

  it('of one person are never recalled for another', async () => {
    const hal = await suite.newPerson('Hal');
    const ivy = await suite.newPerson('Ivy');
    await suite.say('My secret is the purple walrus.', { key: hal.key });
    await remembered(hal.key, 1);
    const turn = await suite.say('What is the secret about the purple walrus that Hal told you?', {
      key: ivy.key,
    });
    expect(turn.recalled).toEqual([]);
  });
});

describe('wrong input', () => {
  const chat = (options: Parameters<Suite['api']>[1]) =>
    suite.api('/v1/chat', { method: 'POST', ...options });
  const cases: [string, () => ReturnType<Suite['api']>, number, RegExp][] = [
    ['no key', () => chat({ key: null, body: { message: 'hi' } }), 401, /Bearer/],
    [
      'a bad key',
      () => chat({ key: 'kth_nonsense', body: { message: 'hi' } }),
      401,
      /not a whole Kith API key/,
    ],
    ['malformed JSON', () => chat({ rawBody: '{"message": ' }), 400, /not valid JSON/],
    [
      'an unknown field',
      () => chat({ body: { message: 'hi', mesage: 'x' } }),
      400,
      /mesage: is not a known field/,
    ],
    ['a missing field', () => chat({ body: {} }), 400, /message/],
    ['an unknown companion', () => chat({ body: { message: 'hi', companion: 'nobody' } }), 404, /mira/],
    // Pictures come with a message, so it may be larger than other requests.
    ['an oversized message', () => chat({ body: { message: 'x'.repeat(8_200_000) } }), 413, /8 MB/],
    [
      'an oversized body',
      () => suite.api('/v1/companions', { method: 'POST', body: { id: 'x'.repeat(1_100_000) } }),
      413,
      /1 MB/,
    ],
    ['an unknown path', () => suite.api('/v1/nothing'), 404, /nothing at this address/],
  ];
  it.each(cases)('is refused with a clear problem: %s', async (_what, call, status, detail) => {
    const answer = await call();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect((answer.body as Problem).detail).toMatch(detail);
  });

  it('of a key without the scope is refused by name', async () => {
    const { key } = await suite.newPerson('Jo', ['chat']);
    const answer = await suite.api('/v1/people', { key });
    expect(answer.status).toBe(403);
    expect((answer.body as Problem).detail).toContain('admin');
  });
});

describe('erasing', () => {
  it.each([
    ['oneself', 'memories', () => `/v1/me?confirm=${randomUUID()}`, 400],
    ['somebody', 'admin', () => `/v1/people/${randomUUID()}`, 404],
  ] as const)(
    '%s is limited to ten tries a minute, whatever became of them',
    async (_who, scope, path, status) => {
      const { key, personId } = await suite.newPerson('Max', [scope]);
      const erase = (what: string): ReturnType<Suite['api']> => suite.api(what, { method: 'DELETE', key });
      for (let tries = 0; tries < 10; tries += 1) expect((await erase(path())).status).toBe(status);
      const refused = await erase(
        scope === 'admin' ? `/v1/people/${personId}` : `/v1/me?confirm=${personId}`,
      );
      expect([refused.status, refused.body]).toEqual([
        429,
        expect.objectContaining({ code: 'rate_limited' }),
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await suite.api('/v1/me', { key })).body).toMatchObject({ personId });
    },
  );
});

describe('health', () => {
  it('names every service, and says only the status to those without a key', async () => {
    // A service that was slow once counts as missed until the next look at it.
    await eventually(
      'health',
      async () => ((await suite.api('/v1/health')).body as { status: string }).status === 'ok',
      20_000,
    );
    const { body } = await suite.api('/v1/health');
    expect(body).toMatchObject({ status: 'ok', models: { rehearsal: true } });
    expect((body as { services: unknown[] }).services).toHaveLength(6);
    expect((await suite.api('/v1/health', { key: null })).body).toEqual({ status: 'ok' });
  });
});
