import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnView } from '@kith/contracts';
import type { FuzzSuite } from './fuzz-suite.ts';

/** Whatever was sent before, what somebody says now is remembered within this time. */
const REMEMBERED_WITHIN_MS = 60_000;

/** Companion that answers where nobody is named. */
const COMPANION = 'mira';

/** One person says something and asks for it. What is wrong with the answer; null when it is recalled. */
export async function talkHonestly({ url, key }: FuzzSuite): Promise<string | null> {
  const send = async <T>(method: string, path: string, body: unknown, as: string): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const post = <T>(path: string, body: unknown, as: string): Promise<T> => send('POST', path, body, as);
  try {
    // A request of an operator may have paused it, as it should.
    await send('PATCH', `/v1/companions/${COMPANION}`, { paused: false }, key);
    const person = { name: 'honest', person: 'Honest', scopes: ['chat', 'memories'] };
    const { key: own } = await post<{ key: string }>('/v1/keys', person, key);
    const said = await post<TurnView>('/v1/chat', { message: 'My kayak is called Bluebell.' }, own);
    if (said.outcome !== 'answered') return `an honest message ended as ${said.outcome}: ${said.reason}`;
    const until = performance.now() + REMEMBERED_WITHIN_MS;
    for (;;) {
      const asked = await post<TurnView>('/v1/chat', { message: 'What is my kayak called?' }, own);
      if (asked.recalled.some(({ text }) => text.includes('Bluebell'))) return null;
      if (performance.now() > until)
        return `an honest message was not recalled, with ${asked.degraded.join(', ')} down`;
      await sleep(500);
    }
  } catch (error) {
    return `an honest turn failed: ${(error as Error).message}`;
  }
}
