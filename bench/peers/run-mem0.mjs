// Mem0 as a library: what it keeps and finds, told what to do by the bench that started it.
import { join } from 'node:path';
import { serve } from './serve.mjs';

const { databaseUrl, dataDirectory, modelUrl } = JSON.parse(process.argv[2]);
process.env.MEM0_TELEMETRY = 'false';
const load = (name) => import(name);
const { Memory } = await load('mem0ai/oss');
const at = { apiKey: 'scripted', baseURL: modelUrl };
const memory = new Memory({
  embedder: { provider: 'openai', config: { ...at, model: 'scripted-embedding', embeddingDims: 1_536 } },
  llm: { provider: 'openai', config: { ...at, model: 'mem0' } },
  vectorStore: { provider: databaseUrl ? 'pgvector' : 'memory', config: storeAt(databaseUrl) },
  // What became of each memory over time is not what is compared.
  disableHistory: true,
});

function storeAt(url) {
  const common = { collectionName: 'bench', dimension: 1_536, embeddingModelDims: 1_536 };
  if (!url) return { ...common, dbPath: join(dataDirectory, 'vectors.db') };
  const { username, password, hostname, port, pathname } = new URL(url);
  const at = { user: decodeURIComponent(username), password: decodeURIComponent(password), host: hostname };
  return { ...common, ...at, port: Number(port || 5_432), dbname: pathname.slice(1) };
}

serve({
  async write({ person, text }) {
    await memory.add(text, { userId: person, infer: false });
  },
  async search({ person, text }) {
    const { results } = await memory.search(text, { filters: { user_id: person }, topK: 8, threshold: 0 });
    return results.length;
  },
});
