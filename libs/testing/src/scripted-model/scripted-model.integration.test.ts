import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedModel } from './scripted-model.js';

let model: ScriptedModel;
beforeAll(async () => {
  model = await ScriptedModel.start({ apiKey: 'right' });
});
afterEach(() => model.reset());
afterAll(() => model.stop());

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(model.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer right', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hello there' }] };
const SAYING = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });

describe('the scripted model', () => {
  it.each(['/v1/chat/completions', '/openai/v1/chat/completions'])('answers whole at %s', async (path) => {
    const answer = await (await post(path, CHAT)).json();
    expect(answer).toMatchObject({
      choices: [{ message: { content: 'You said: Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 6 },
    });
  });

  it.each(['v1', 'v1beta'])("answers whole on Gemini's %s", async (version) => {
    const answer = await (await post(`/${version}/models/m:generateContent`, SAYING('Hi'))).json();
    expect(answer).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'You said: Hi' }] }, finishReason: 'STOP' }],
    });
  });

  it('streams server-sent events, with usage where it is asked for', async () => {
    const stream = { ...CHAT, stream: true, stream_options: { include_usage: true } };
    const events = (await (await post('/v1/chat/completions', stream)).text()).trim().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    expect(JSON.parse(events.at(-2)!.slice(6))).toMatchObject({ choices: [], usage: { prompt_tokens: 3 } });
  });

  it('uses up its script in order, and then goes on as always', async () => {
    model.always({ kind: 'status', status: 503 });
    model.next({ kind: 'reply', reply: 'one' });
    model.next({ kind: 'rate-limit', retryAfterSeconds: 2 });
    const statuses: [number, string | null][] = [];
    for (let count = 0; count < 3; count++) {
      const { status, headers } = await post('/v1/chat/completions', CHAT);
      statuses.push([status, headers.get('retry-after')]);
    }
    expect(statuses).toEqual([
      [200, null],
      [429, '2'],
      [503, null],
    ]);
  });

  it('records what it was asked, alike for every API', async () => {
    await post('/v1/chat/completions', CHAT);
    await post('/v1/models/m:generateContent', SAYING('Hello there'));
    const seen = model.requests.map(({ api, model: name, messages }) => ({ api, name, messages }));
    const messages = [{ role: 'user', text: 'Hello there' }];
    expect(seen).toEqual([
      { api: 'openai', name: 'm', messages },
      { api: 'gemini', name: 'm', messages },
    ]);
  });

  it('embeds in floats and in base64 alike, near where words are shared', async () => {
    const input = ['my dog is ill', 'my dog is well', 'quarterly tax return'];
    const vectors = async (encoding_format: string) => {
      const body = { model: 'e', input, dimensions: 64, encoding_format };
      const { data } = (await (await post('/v1/embeddings', body)).json()) as {
        data: { embedding: number[] | string }[];
      };
      return data.map(({ embedding }) =>
        typeof embedding === 'string'
          ? [...new Float32Array(new Uint8Array(Buffer.from(embedding, 'base64')).buffer)]
          : embedding,
      );
    };
    const [ill = [], well = [], tax = []] = await vectors('float');
    expect(await vectors('base64')).toEqual([ill, well, tax]);
    const dot = (a: number[], b: number[]) =>
      a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
    expect(dot(ill, well)).toBeGreaterThan(dot(ill, tax));
  });

  it("embeds in Gemini's batches, one vector a text", async () => {
    const requests = ['a', 'b'].map((text) => ({ content: { parts: [{ text }] }, outputDimensionality: 32 }));
    const answer = (await (await post('/v1/models/e:batchEmbedContents', { requests })).json()) as {
      embeddings: { values: number[] }[];
    };
    expect(answer.embeddings.map(({ values }) => values.length)).toEqual([32, 32]);
  });

  it('refuses what the real ones refuse', async () => {
    const refused = await Promise.all([
      post('/v1/chat/completions', CHAT, { authorization: 'Bearer wrong' }),
      post('/v1/chat/completions', '{"model":'),
      post('/v1/chat/completions', { model: 'm', messages: [] }),
      post('/v1/models/m:streamGenerateContent', SAYING('Hi')),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 400, 400, 404]);
    expect(model.requests).toEqual([]);
  });

  it('cuts a whole answer half-way', async () => {
    model.next({ kind: 'cut' });
    const answer = await post('/v1/chat/completions', CHAT);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });
});
