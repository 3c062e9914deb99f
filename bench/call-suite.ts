/** Address of a suite, and the key that it is called with. */
interface Access {
  url: string;
  key: string;
}

/** Calls a route of a suite: by POST with a body, else by GET. @throws Error with its answer when it refuses */
export async function callSuite<T>({ url, key }: Access, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Makes a person with a key of their own. Returns the key. */
export async function newPerson(
  access: Access,
  person: string,
  scopes: readonly string[] = ['chat'],
): Promise<string> {
  const { key } = await callSuite<{ key: string }>(access, 'keys', { name: 'bench', person, scopes });
  return key;
}
