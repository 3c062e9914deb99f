import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { createModelRoles, ModelChoices, openHosts } from '@kith/llm';
import { Broadcasts, type Messenger } from '@kith/messaging';
import { MODELS_CHANNEL } from '@kith/contracts';
import { eventually, freshStores, ScriptedModel, type FreshStores, silentLogger } from '@kith/testing';
import { pino } from 'pino';
import { ModelCatalog } from './model-catalog.js';

let stores: FreshStores;
let database: Database;
let broadcasts: Broadcasts;
let host: ScriptedModel;
const catalogs: ModelCatalog[] = [];
const logged: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });

beforeAll(async () => {
  stores = await freshStores();
  host = await ScriptedModel.start();
  database = new Database({ url: stores.databaseUrl, poolSize: 2 });
  broadcasts = new Broadcasts({ redisUrl: stores.redisUrl, service: 'test', logger: silentLogger });
});
beforeEach(() => stores.query('DELETE FROM model_choices'));
afterEach(() => {
  for (const catalog of catalogs.splice(0)) catalog.stop();
  host.reset();
  logged.length = 0;
});
afterAll(async () => {
  broadcasts.close();
  await database.close();
  await host.stop();
  await stores.stop();
});

/** A gateway's models, as its module puts them together. */
async function startCatalog({ chatModels = '', compatible = {} } = {}) {
  const settings = {
    ...host.settings(5_000),
    chatModels,
    budgetMs: 10_000,
    compatible,
    openai: { apiKey: 'k', baseUrl: `${host.url}/v1` },
  };
  const choices = new ModelChoices();
  const roles = createModelRoles(settings, { choices, onGone: (label) => catalog.replace(label) });
  const catalog = new ModelCatalog({
    hosts: openHosts(settings),
    choices,
    database,
    roles,
    messenger: {} as Messenger,
    broadcasts,
    logger,
  });
  catalogs.push(catalog);
  await catalog.start();
  await catalog.view();
  return { catalog, roles };
}
const chat = (catalog: ModelCatalog) => catalog.view().then(({ roles }) => roles[0]!.models[0]!);

describe('the model catalog', () => {
  it('chooses a default that its host lists, keeps it, and tells the other services', async () => {
    const told: unknown[] = [];
    const stop = await broadcasts.subscribe(MODELS_CHANNEL, (payload) => void told.push(payload));
    host.offer([{ id: 'gpt-7-terra' }, { id: 'gpt-7-luna' }, { id: 'gpt-image-3' }]);
    const { catalog } = await startCatalog();
    expect(await chat(catalog)).toMatchObject({
      model: 'openai:gpt-7-terra',
      isNamed: false,
      replaced: null,
    });
    expect(await stores.query('SELECT role, model FROM model_choices ORDER BY role')).toEqual([
      { role: 'chat', model: 'gpt-7-terra' },
      { role: 'fast', model: 'gpt-7-luna' },
    ]);
    await eventually('the choice is told', () => told.length > 0);
    expect(told).toContainEqual(catalog.chosen);
    await stop();
  });

  it('stays with its choice when a newer model comes out, also after a restart', async () => {
    host.offer([{ id: 'gpt-7-terra' }]);
    await startCatalog();
    host.offer([{ id: 'gpt-7-terra' }, { id: 'gpt-8-terra' }]);
    const { catalog } = await startCatalog();
    expect(await chat(catalog)).toMatchObject({ model: 'openai:gpt-7-terra' });
    expect(catalog.notes).toEqual([]);
  });

  it('chooses anew when its model went away, and says so', async () => {
    host.offer([{ id: 'gpt-7-terra' }]);
    await startCatalog();
    host.offer([{ id: 'gpt-8-terra' }]);
    const { catalog } = await startCatalog();
    expect(await chat(catalog)).toMatchObject({ model: 'openai:gpt-8-terra', replaced: 'gpt-7-terra' });
    expect(await stores.query(`SELECT model, replaced FROM model_choices WHERE role = 'chat'`)).toEqual([
      { model: 'gpt-8-terra', replaced: 'gpt-7-terra' },
    ]);
    expect(catalog.notes).toContainEqual(
      expect.stringMatching(/openai no longer serves gpt-7-terra: gpt-8-terra does its chat work since/),
    );
    expect(logged.join()).toContain('no longer serves gpt-7-terra');
  });

  it('chooses anew within the turn in which the host refuses it', async () => {
    host.offer([{ id: 'gpt-7-terra' }]);
    const { catalog, roles } = await startCatalog();
    host.offer([{ id: 'gpt-8-terra' }]);
    host.replyWith(() => 'Here I am.');
    const reply = await roles.chat.complete({ messages: [{ role: 'user', content: 'Hello' }] });
    expect(reply).toMatchObject({ text: 'Here I am.', model: 'openai:gpt-8-terra' });
    expect(catalog.chosen).toContainEqual({ host: 'openai', role: 'chat', model: 'gpt-8-terra' });
  });

  it('goes on with what was kept while the host does not list its models', async () => {
    host.offer([{ id: 'gpt-7-terra' }]);
    await startCatalog();
    host.offer(null);
    const { catalog } = await startCatalog();
    const view = await catalog.view();
    expect(view.roles[0]!.models[0]).toMatchObject({ model: 'openai:gpt-7-terra' });
    expect(view.hosts[0]!.problem).not.toBeNull();
  });

  it('takes a named model as it is, and tells what the host offers instead of one it does not list', async () => {
    host.offer([{ id: 'gpt-7-terra' }, { id: 'gpt-4o' }]);
    const { catalog } = await startCatalog({ chatModels: 'openai:gpt-4.1' });
    expect(await chat(catalog)).toMatchObject({ model: 'openai:gpt-4.1', isNamed: true });
    expect(catalog.notes).toEqual([
      'CHAT_MODELS names openai:gpt-4.1, which openai does not list; it offers gpt-4o, gpt-7-terra',
    ]);
  });

  it('shows hosts of the operator’s own naming with what they offer, and no key', async () => {
    host.offer([{ id: 'qwen3', context_length: 32_768 }]);
    const compatible = { hosts: { lab: `${host.url}/v1` }, keys: { lab: 'secret' } };
    const { catalog } = await startCatalog({ chatModels: 'lab:qwen3', compatible });
    const view = await catalog.view();
    expect(view.roles[0]!.models).toMatchObject([{ model: 'lab:qwen3', isNamed: true }]);
    const lab = view.hosts.find(({ name }) => name === 'lab');
    expect(lab).toMatchObject({ problem: null, models: [{ id: 'qwen3', contextTokens: 32_768 }] });
    expect(JSON.stringify(view) + logged.join()).not.toContain('secret');
  });

  it('finds a model of Ollama that is named without its tag', async () => {
    host.offer([{ id: 'llava:latest' }, { id: 'qwen3:8b' }]);
    const hosts = { lab: `${host.url}/v1` };
    const { catalog } = await startCatalog({ chatModels: 'lab:llava,lab:qwen3', compatible: { hosts } });
    expect(catalog.notes).toEqual([
      'CHAT_MODELS names lab:qwen3, which lab does not list; it offers qwen3:8b, llava, llava:latest',
    ]);
  });

  it('refuses to test a role without a model of this name', async () => {
    const { catalog } = await startCatalog({ chatModels: 'openai:gpt-4.1' });
    await expect(catalog.test('chat', 'openai:other')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says that there is nothing to test while the rehearsal alone answers', async () => {
    const { catalog } = await startCatalog({ chatModels: 'rehearsal' });
    await expect(catalog.test('chat')).rejects.toMatchObject({
      code: 'not_found',
      message: 'no chat model is set up, so there is none to test',
    });
  });
});
