import { present } from '@kith/contracts';

/** Wait of a person beyond the model's own time, from sending the request on. */
export interface TurnTimes {
  firstTokenMs: number;
  doneMs: number;
}

/** Says something over HTTP and reads the answer as it comes. @throws Error when there was no answer */
export async function timedTurn(url: string, key: string, message: string): Promise<TurnTimes> {
  const started = performance.now();
  const response = await fetch(`${url}/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, stream: true }),
  });
  let firstTokenMs = Number.NaN;
  let text = '';
  for await (const chunk of present(response.body).pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (Number.isNaN(firstTokenMs) && text.includes('event: token'))
      firstTokenMs = performance.now() - started;
  }
  if (!text.includes('"outcome":"answered"')) throw new Error(`a turn was not answered: ${text.slice(-300)}`);
  return { firstTokenMs, doneMs: performance.now() - started };
}
