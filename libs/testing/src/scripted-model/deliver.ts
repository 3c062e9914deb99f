import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour } from './behaviour.js';
import type { WireAnswer } from './apis/scripted-api.js';
import { APIS, type ScriptedRequest } from './scripted-request.js';

/** Pieces after which a stream goes wrong, unless its behaviour says how many. Absent: it is sent whole. */
const BREAKS_AFTER: Partial<Record<Behaviour['kind'], number>> = {
  cut: 2,
  'error-after-200': 2,
  'truncated-json': 2,
  garbage: 0,
};

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends blank lines ahead of an answer, as a proxy does that waits for it. */
export async function keepAlive(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
): Promise<void> {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).write('\n\n');
  // A pause, so that they have left before the answer.
  await sleep(5);
}

/** Sends an answer the way the behaviour has it, streamed or whole as the request wants. */
export async function deliver(
  request: ScriptedRequest,
  answer: WireAnswer,
  behaviour: Behaviour | null,
  response: ServerResponse,
): Promise<void> {
  if (behaviour?.kind === 'slow') await sleep(behaviour.firstByteMs ?? 0);
  await (request.stream
    ? deliverStream(request, answer, behaviour, response)
    : deliverWhole(request, answer, behaviour, response));
}

async function deliverStream(
  { api }: ScriptedRequest,
  { openings, pieces, endings, terminator }: WireAnswer,
  behaviour: Behaviour | null,
  response: ServerResponse,
): Promise<void> {
  const { contentType, frame, error } = APIS[api];
  const eventOf = (data: unknown) => frame(JSON.stringify(data), data);
  const event = (data: unknown) => response.write(eventOf(data));
  response.writeHead(200, { 'content-type': contentType });
  for (const opening of openings) {
    event(opening);
    if (behaviour?.kind === 'slow') await sleep(behaviour.thoughtMs ?? 0);
  }
  const breaksAfter = behaviour && 'afterPieces' in behaviour ? behaviour.afterPieces : undefined;
  for (const piece of pieces.slice(0, breaksAfter ?? BREAKS_AFTER[behaviour?.kind ?? 'reply'])) {
    event(piece);
    if (behaviour?.kind === 'slow') await sleep(behaviour.pieceMs ?? 0);
  }
  switch (behaviour?.kind) {
    case 'cut':
      // A pause, so that what was written has left before the socket dies.
      await sleep(5);
      response.destroy();
      return;
    case 'error-after-200':
      event(error(0, 'the model stopped', behaviour.code ?? 'server_error'));
      break;
    case 'truncated-json':
      response.write(frame(halfOf(JSON.stringify(endings[0])), endings[0]));
      break;
    case 'garbage':
      response.write(garbled(eventOf(pieces[0] ?? endings[0])));
      for (const end of endings) event(end);
      break;
    default:
      for (const end of endings) event(end);
      if (terminator) response.write(terminator);
  }
  response.end();
}

async function deliverWhole(
  { api }: ScriptedRequest,
  { whole }: WireAnswer,
  behaviour: Behaviour | null,
  response: ServerResponse,
): Promise<void> {
  const text = JSON.stringify(whole);
  switch (behaviour?.kind) {
    case 'cut':
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.write(halfOf(text));
      await sleep(5);
      response.destroy();
      return;
    case 'error-after-200':
      sendJson(response, 200, APIS[api].error(500, 'the model stopped', 'server_error'));
      return;
    case 'truncated-json':
      sendJson(response, 200, halfOf(text));
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(garbled(text));
      return;
    default:
      sendJson(response, 200, text);
      return;
  }
}

function halfOf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

/** Puts bytes that are no UTF-8 where the first text stands. */
function garbled(json: string): Buffer {
  const bytes = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xff, 0xfe, 0xf0, 0x28, 0x8c, 0xff]);
  const at = /"(?:content|text|delta)":"/.exec(json);
  const from = at ? at.index + at[0].length : 0;
  const to = json.indexOf('"', from);
  return Buffer.concat([
    Buffer.from(json.slice(0, from)),
    bytes,
    Buffer.from(json.slice(Math.max(from, to))),
  ]);
}
