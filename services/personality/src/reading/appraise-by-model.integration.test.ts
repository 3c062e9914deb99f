import { createServer, type IncomingMessage, type ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createModelRoles } from '@kith/llm';
import { DegradedStates } from '@kith/service-host';
import { readSettings } from '@kith/service-host/settings';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { NOTHING_AHEAD } from '../affect/prospect.js';
import { settings } from '../config.js';
import { appraiseByModel } from './appraise-by-model.js';
import { appraiseByRules } from './english/appraise-by-rules.js';
import { type AppraiseByRules, Appraiser } from './appraiser.js';

/** Groq's API as far as the SDK uses it: answers from a script, and keeps what it was asked. */
const groq = {
  script: [] as { status: number; text: string }[],
  asked: [] as { path: string; messages: { role: string; content: string }[] }[],
};

let server: Server;
let appraiser: Appraiser;
let states: DegradedStates;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { messages } = JSON.parse(Buffer.concat(parts).toString()) as { messages: [] };
  groq.asked.push({ path: request.url ?? '', messages });
  const { status, text } = groq.script.shift() ?? { status: 400, text: 'nothing scripted' };
  if (status !== 200) {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: text } }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = { choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] };
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}

beforeAll(async () => {
  server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { models } = readSettings(settings, {
    REDIS_URL: 'redis://localhost:6379',
    DATABASE_URL: 'postgres://localhost/kith',
    GROQ_API_KEY: 'a-key',
    GROQ_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  states = new DegradedStates(new Registry(), { probeEveryMs: 20 });
  const { fast } = createModelRoles(models);
  if (!fast) throw new Error('a Groq key makes a fast model');
  const rules: AppraiseByRules = async (...turn) => appraiseByRules(...turn);
  appraiser = new Appraiser(appraiseByModel(fast, states), rules, pino({ level: 'silent' }));
});

afterEach(() => {
  groq.script.length = 0;
  groq.asked.length = 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const gratitude = {
  desirability: 0.6,
  likelihood: 0,
  praiseworthiness: 0.7,
  appealingness: 0,
  target: 'self',
  prospect: 'none',
  causedBy: 'other',
} as const;

/** The answer to a call about one turn. */
const read = (...events: unknown[]) => JSON.stringify({ turns: [{ turn: 1, events }] });
/** Turns of these texts, before which nothing was told. */
const turnsOf = (...turns: string[][]) => turns.map((texts) => ({ texts, ahead: NOTHING_AHEAD }));
const mira = { id: 'mira', name: 'Mira' };

describe('appraisal by the fast model', () => {
  it('asks with what was said as data, for all turns at once, and takes the events it answers', async () => {
    const answer = {
      turns: [
        { turn: 2, events: [] },
        { turn: 1, events: [gratitude] },
      ],
    };
    groq.script.push({ status: 200, text: JSON.stringify(answer) });
    expect(await appraiser.read(turnsOf(['you really got me', 'through that'], ['it rains']), mira)).toEqual([
      { appraiser: 'model', appraisals: [gratitude] },
      { appraiser: 'model', appraisals: [] },
    ]);
    const said = '<turn 1>\nyou really got me\nthrough that\n</turn 1>\n<turn 2>\nit rains\n</turn 2>';
    expect(groq.asked).toEqual([
      {
        path: '/openai/v1/chat/completions',
        messages: [
          { role: 'system', content: expect.stringContaining('Ortony, Clore and Collins') },
          { role: 'user', content: said },
        ],
      },
    ]);
  });

  it('asks nothing for words it has read', async () => {
    groq.script.push({ status: 200, text: read(gratitude) });
    for (let time = 0; time < 3; time += 1) {
      expect(await appraiser.read(turnsOf(['you are a treasure']), mira)).toMatchObject([
        { appraiser: 'model' },
      ]);
    }
    expect(groq.asked).toHaveLength(1);
  });

  it('lets the model mend an answer once', async () => {
    groq.script.push({ status: 200, text: '{"mood": "great"}' }, { status: 200, text: read(gratitude) });
    expect(await appraiser.read(turnsOf(['thanks']), mira)).toMatchObject([{ appraiser: 'model' }]);
    expect(groq.asked).toHaveLength(2);
  });

  it('asks once more for a turn that came in another form, and keeps the others', async () => {
    const half = {
      turns: [
        { turn: 1, events: [{ mood: 'great' }] },
        { turn: 2, events: [gratitude] },
      ],
    };
    groq.script.push({ status: 200, text: JSON.stringify(half) }, { status: 200, text: read() });
    expect(await appraiser.read(turnsOf(['the first'], ['the second']), mira)).toEqual([
      { appraiser: 'model', appraisals: [] },
      { appraiser: 'model', appraisals: [gratitude] },
    ]);
    expect(groq.asked.at(-1)?.messages.at(-1)?.content).toBe('<turn 1>\nthe first\n</turn 1>');
  });

  it('goes by rules when the answer is wrong twice', async () => {
    groq.script.push({ status: 200, text: 'I feel great' }, { status: 200, text: '{"turns": 3}' });
    expect(await appraiser.read(turnsOf(['you are useless']), mira)).toMatchObject([
      { appraiser: 'rules', appraisals: [{ causedBy: 'other', target: 'self' }] },
    ]);
  });

  it('is told as lacking while no model answers, until one does, whoever asks it', async () => {
    for (let tries = 0; tries < 20; tries += 1) groq.script.push({ status: 503, text: 'too much to do' });
    expect(await appraiser.read(turnsOf(['thanks a lot']), mira)).toMatchObject([{ appraiser: 'rules' }]);
    expect(states.list()).toMatchObject([{ part: 'fast-model', effect: expect.stringContaining('rules') }]);
    groq.script.length = 0;
    groq.script.push(...Array.from({ length: 50 }, () => ({ status: 200, text: 'yes' })));
    await eventually('the probe', () => states.list().length === 0);
  });

  it('goes by rules when the host refuses', async () => {
    groq.script.push({ status: 401, text: 'no such key' });
    expect(await appraiser.read(turnsOf(['many thanks']), mira)).toMatchObject([{ appraiser: 'rules' }]);
  });
});
