// ElizaOS as its own server would run it, told what to do by the bench that started it. Runs in the scratch folder that
// it is installed in, so its packages are named by who starts it.
import { serve } from './serve.mjs';

const { databaseUrl, dataDirectory, modelUrl } = JSON.parse(process.argv[2]);
Object.assign(process.env, { LOG_LEVEL: 'fatal', OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: modelUrl });
const load = (name) => import(name);
const core = await load('@elizaos/core');
const sql = await load('@elizaos/plugin-sql');
const { default: bootstrap } = await load('@elizaos/plugin-bootstrap');
const { default: openai } = await load('@elizaos/plugin-openai');

const PEOPLE = new Map();
const MEMORIES = 'facts';
const character = {
  name: 'Mira',
  bio: ['Likes people one at a time.'],
  system: 'You are Mira, a companion.',
};
const settings = {
  OPENAI_API_KEY: 'scripted',
  OPENAI_BASE_URL: modelUrl,
  ...(databaseUrl ? { POSTGRES_URL: databaseUrl } : { PGLITE_DATA_DIR: dataDirectory }),
};
const agentId = core.stringToUuid(character.name);
const databaseAdapter = sql.createDatabaseAdapter(
  databaseUrl ? { postgresUrl: databaseUrl } : { dataDir: dataDirectory },
  agentId,
);
await databaseAdapter.init();
// What its server does before it adds an agent.
const { name, schema } = sql.default;
await databaseAdapter.runPluginMigrations([{ name, schema }]);
const eliza = new core.ElizaOS();
const [runtime] = await eliza.addAgents(
  [
    {
      character: { ...character, id: agentId },
      plugins: [sql.default, bootstrap, openai],
      settings,
      databaseAdapter,
    },
  ],
  { autoStart: true, returnRuntimes: true },
);

/** A person in a DM of theirs, connected at first sight as its clients do. */
function placeOf(person) {
  const known = PEOPLE.get(person);
  if (known) return known;
  const id = (what) => core.stringToUuid(`${what} ${person}`);
  const place = { entityId: id('person'), roomId: id('room'), worldId: id('world') };
  const connected = runtime
    .ensureConnection({
      ...place,
      userName: person,
      name: person,
      source: 'bench',
      type: core.ChannelType.DM,
      channelId: place.roomId,
      messageServerId: place.worldId,
    })
    .then(() => place);
  PEOPLE.set(person, connected);
  return connected;
}

serve({
  async say({ person, text }, replied) {
    const place = await placeOf(person);
    const message = core.createMessageMemory({
      ...place,
      agentId,
      content: { text, source: 'bench', channelType: core.ChannelType.DM },
    });
    let answered = false;
    await runtime.messageService.handleMessage(
      runtime,
      { ...message, worldId: place.worldId },
      async (content) => {
        if (content.text) {
          answered = true;
          replied();
        }
        return [];
      },
    );
    if (!answered) throw new Error('it gave no reply');
  },
  async write({ person, text }) {
    const place = await placeOf(person);
    const memory = await runtime.addEmbeddingToMemory({
      ...place,
      agentId,
      content: { text },
      createdAt: Date.now(),
    });
    await runtime.createMemory(memory, MEMORIES);
  },
  async search({ person, text }) {
    const { roomId } = await placeOf(person);
    const embedding = await runtime.useModel(core.ModelType.TEXT_EMBEDDING, { text });
    const found = await runtime.searchMemories({
      tableName: MEMORIES,
      embedding,
      roomId,
      count: 8,
      match_threshold: 0,
    });
    return found.length;
  },
});
