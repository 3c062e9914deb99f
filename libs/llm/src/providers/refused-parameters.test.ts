import { expect, it } from '@jest/globals';
import { RefusedParameters } from './refused-parameters.js';

const body = { model: 'one', temperature: 0, text: {}, thinking: {} };
const refusal = (message: string, param?: string) =>
  Object.assign(new Error(message), { status: 400, param });

/** Sends to a host that refuses bodies by these rules, and tells the fields of each body. */
async function fieldsSent(refused: RefusedParameters, refuse: (sent: object) => Error | undefined) {
  const sent: string[] = [];
  const send = (allowed: object) => {
    sent.push(Object.keys(allowed).join(' '));
    const error = refuse(allowed);
    return error ? Promise.reject(error) : Promise.resolve();
  };
  const outcome = await refused.send('one', body, send).then(
    () => 'answered',
    () => 'refused',
  );
  return [...sent, outcome];
}

const made = () => new RefusedParameters(['temperature', 'text', 'thinking']);
const WHOLE = 'model temperature text thinking';

it('sends a request without what its host names, and the next ones at once', async () => {
  const refused = made();
  const refuse = (sent: object) =>
    'temperature' in sent
      ? refusal('`temperature` may only be set to 1 when thinking is enabled')
      : undefined;
  expect(await fieldsSent(refused, refuse)).toEqual([WHOLE, 'model text thinking', 'answered']);
  expect(await fieldsSent(refused, refuse)).toEqual(['model text thinking', 'answered']);
});

it('reads no parameter within a word', async () => {
  const refuse = () => refusal("this model's maximum context length is 4096 tokens");
  expect(await fieldsSent(made(), refuse)).toEqual([WHOLE, 'refused']);
});

it('remembers nothing of a host that refuses the request without it, too', async () => {
  const refused = made();
  const refuse = () => refusal('too large', 'text');
  expect(await fieldsSent(refused, refuse)).toEqual([WHOLE, 'model temperature thinking', 'refused']);
  expect(await fieldsSent(refused, () => undefined)).toEqual([WHOLE, 'answered']);
});
