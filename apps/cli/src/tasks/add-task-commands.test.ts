import { describe, expect, it } from '@jest/globals';
import { useScriptedApi } from '../e2e/scripted-api.js';

describe('kith tasks list', () => {
  const { api, cli } = useScriptedApi();

  it('says whose tasks there are none of', async () => {
    api.answers['GET /v1/tasks'] = () => ({ body: { tasks: [] } });
    expect(await cli(['tasks', 'list'])).toMatchObject({ notes: 'no companion has a task with you\n' });
    expect(await cli(['tasks', 'list', '--companion', 'mira'])).toMatchObject({
      notes: 'mira has no task with you\n',
    });
  });
});
