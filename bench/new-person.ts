import type { OwnSuite } from './own-suite.ts';

/** Makes a person with a key of their own. Returns the key. */
export async function newPerson(on: OwnSuite, person: string): Promise<string> {
  const response = await fetch(`${on.url}/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${on.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', person, scopes: ['chat'] }),
  });
  if (!response.ok) throw new Error(`keys answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { key: string }).key;
}
