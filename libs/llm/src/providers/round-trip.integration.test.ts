import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedModel } from '@kith/testing';
import { textOf, type ChatMessage, type Reasoning } from '../messages.js';
import type { ModelProvider, StreamPart } from '../provider.js';
import { wholeExchanges } from '../whole-exchanges.js';
import { EVERY_PROVIDER } from './testing-providers.js';
import { FOREIGN_THOUGHT, TRANSCRIPTS } from './testing-transcripts.js';

let host: ScriptedModel;
beforeAll(async () => void (host = await ScriptedModel.start()));
afterEach(() => host.reset());
afterAll(() => host.stop());

const TOOLS = [
  {
    name: 'look_up',
    description: 'Looks up the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
];

async function ask(
  provider: ModelProvider,
  model: string,
  messages: readonly ChatMessage[],
  tools?: typeof TOOLS,
): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  const request = { model, messages, signal: AbortSignal.timeout(10_000), ...(tools ? { tools } : {}) };
  for await (const part of provider.stream(request)) parts.push(part);
  return parts;
}

interface Heard {
  role: string;
  text: string;
  images?: readonly unknown[];
  calls?: readonly { name: string; arguments: unknown }[];
}

/** Each line, picture and call by its side, system first: what every API tells, however it groups it. */
function linesOf(messages: readonly Heard[]): string[] {
  const first = messages.filter(({ role }) => role === 'system');
  return [...first, ...messages.filter(({ role }) => role !== 'system')].flatMap((message) => {
    const { role, text, images = [], calls = [] } = message;
    // A name before the words, and what stands for silence, is the renderer's own.
    const lines = text.split('\n').map((line) => line.replace(/^(?:Zoë K\.|🦊): /u, ''));
    return [
      ...lines.filter((line) => line.trim() && line !== '…').map((line) => `${role}: ${line}`),
      ...images.map(() => `${role}: a picture`),
      ...calls.map(({ name, arguments: given }) => `${role} calls ${name} ${JSON.stringify(given)}`),
    ];
  });
}

const heardOf = (message: ChatMessage): Heard => ({
  role: message.role,
  text: textOf(message.content),
  images: typeof message.content === 'string' ? [] : message.content.filter(({ type }) => type === 'image'),
  calls: message.role === 'assistant' ? (message.toolCalls ?? []) : [],
});

describe.each(Object.entries(EVERY_PROVIDER))('%s', (_name, { model, open }) => {
  it('brings all sixty transcripts over, with nothing lost and nothing of another model told', async () => {
    const provider = open('k', host.url);
    for (const [index, messages] of TRANSCRIPTS.entries()) {
      // Every other one without tools, as when a turn is brought to its end.
      await ask(provider, model, messages, index % 2 === 0 ? TOOLS : undefined);
      expect([index, host.refusals]).toEqual([index, []]);
      const { messages: heard, body } = host.requests[index]!;
      expect([index, linesOf(heard)]).toEqual([index, linesOf(wholeExchanges(messages).map(heardOf))]);
      expect(JSON.stringify(body)).not.toContain(FOREIGN_THOUGHT);
    }
  });

  const reason = async (): Promise<{ history: ChatMessage[]; reasoning: Reasoning[] }> => {
    const reply = {
      text: 'Let me see.',
      reasoning: ['It wants ', 'the weather.'],
      toolCalls: [{ name: 'look_up', arguments: { city: 'Ulm' } }],
    };
    host.next({ kind: 'reply', reply });
    const question: ChatMessage[] = [{ role: 'user', content: 'Weather in Ulm?' }];
    const parts = await ask(open('k', host.url), model, question, TOOLS);
    const toolCalls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
    const reasoning = parts.flatMap((part) => (part.type === 'reasoning' ? [part.reasoning] : []));
    const result = { role: 'tool' as const, content: 'sun', toolCallId: toolCalls[0]!.id, name: 'look_up' };
    const said = { role: 'assistant' as const, content: 'Let me see.', toolCalls, reasoning };
    return { history: [...question, said, result], reasoning };
  };

  it('gives its reasoning back in the form that it came in, and to no other model', async () => {
    const { history, reasoning } = await reason();
    // Gemini keeps its own to itself, and seals the call instead.
    const words = reasoning.map(({ text }) => text).join('');
    expect(words).toBe(model.startsWith('gemini') ? '' : 'It wants the weather.');
    await ask(open('k', host.url), model, history, TOOLS);
    expect(host.refusals).toEqual([]);
    if (words) expect(JSON.stringify(host.requests[1]!.body)).toContain(words);
    await ask(open('k', host.url), `${model}-x`, history, TOOLS);
    expect(JSON.stringify(host.requests[2]!.body)).not.toContain('It wants');
  });
});
