import { describe, expect, it } from '@jest/globals';
import { personaRoutes } from '@kith/contracts';
import { ApiError } from '../api/api-client.js';
import { putPersona } from './use-roster.js';

const draft = { companionId: 'orla', basedOn: 3, before: '{"name":"Orla"}', written: '{"name":"Orly"}' };

/** The API of a suite, which answers every call with this failure, or a companion. */
function apiThat(failure?: ApiError) {
  const calls: unknown[] = [];
  const call = (route: unknown, input: unknown) => {
    calls.push([route, input]);
    return failure ? Promise.reject(failure) : Promise.resolve({ name: 'Orly', version: 4 });
  };
  return { api: { call } as never, calls };
}

describe('a persona that an operator wrote', () => {
  it('takes the place of the version that it was made from', async () => {
    const { api, calls } = apiThat();
    expect(await putPersona(api, draft)).toMatchObject({ version: 4 });
    const body = { name: 'Orly' };
    expect(calls).toEqual([[personaRoutes.edit, { params: { id: 'orla' }, query: { basedOn: 3 }, body }]]);
  });

  it('is a new companion where it is nobody’s', async () => {
    const { api, calls } = apiThat();
    const { basedOn: _, ...fresh } = { ...draft, companionId: null };
    await putPersona(api, fresh);
    expect(calls).toEqual([[personaRoutes.create, { body: { name: 'Orly' } }]]);
  });

  it('is not lost where somebody else was faster: it says what to do', async () => {
    const { api } = apiThat(new ApiError(409, 'orla is version 4 by now'));
    await expect(putPersona(api, draft)).rejects.toThrow(
      /^orla is version 4 by now\. What you wrote is still here: .*edit the new version\.$/,
    );
  });

  it.each([
    ['{', 'That is not JSON'],
    ['[]', 'A persona is a JSON object.'],
  ])('is sent only as an object: %s', async (written, words) => {
    const { api, calls } = apiThat();
    await expect(putPersona(api, { ...draft, written })).rejects.toThrow(words);
    expect(calls).toEqual([]);
  });
});
