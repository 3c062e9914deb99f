import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createModelRoles, type ModelRole } from '@kith/llm';
import { DegradedStates } from '@kith/service-host';
import { ScriptedModel } from '@kith/testing';
import { Registry } from 'prom-client';
import { summariseByModel, summariseTopicByModel } from './summarise-by-model.js';

let model: ScriptedModel;
let fast: ModelRole;
let states: DegradedStates;

beforeAll(async () => {
  model = await ScriptedModel.start();
  const roles = createModelRoles({ ...model.settings(5_000), fastModels: 'compatible:scripted' });
  fast = roles.fast!;
  states = new DegradedStates(new Registry(), { probeEveryMs: 1_000 });
});
afterAll(() => model.stop());

it('holds nothing that no store can hold, whatever the model writes', async () => {
  model.replyWith(() => 'They found\0 Rex.\0');
  expect(await summariseByModel(fast, states)(['I found Rex'])).toBe('They found Rex.');
  const sentences = [{ text: 'They found\0 Rex\ud800.', from: [1] }];
  model.replyWith(() => JSON.stringify({ sentences }));
  expect(await summariseTopicByModel(fast, states)('Rex', ['I found Rex'])).toEqual([
    { text: 'They found Rex\ufffd.', from: [1] },
  ]);
});
