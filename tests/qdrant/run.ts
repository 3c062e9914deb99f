// Asks the Qdrant server of QDRANT_URL (and QDRANT_API_KEY) what Kith asks, and tells where it answers otherwise than the
// double that the tests run against. It touches one collection of its own, and removes it.
//   QDRANT_URL=http://localhost:6333 QDRANT_API_KEY=… npm run qdrant:compare
import { QdrantDouble, QdrantServer } from '@kith/testing';
import { compareServers } from './compare-servers.ts';
import { EXCHANGES } from './exchanges.ts';

if (!process.env['QDRANT_URL']) {
  console.error('qdrant:compare: set QDRANT_URL to a running server, such as http://localhost:6333');
  process.exit(2);
}
const server = await QdrantServer.open('compare');
const double = await QdrantDouble.start();
try {
  const collection = `${server.prefix}one`;
  const real = { url: server.url, apiKey: server.apiKey, collection };
  const { version } = (await (
    await fetch(server.url, { headers: server.apiKey === undefined ? {} : { 'api-key': server.apiKey } })
  ).json()) as { version?: string };
  console.log(`${server.url}: Qdrant ${version ?? 'of a version that it does not tell'}`);
  const different = await compareServers(real, { url: double.url, apiKey: undefined, collection }, EXCHANGES);
  for (const { name, one, other } of different) {
    console.log(`\n${name}\n  server ${JSON.stringify(one)}\n  double ${JSON.stringify(other)}`);
  }
  console.log(`\n${different.length} of ${EXCHANGES.length} answers differ`);
  process.exitCode = different.length === 0 ? 0 : 1;
} finally {
  await server.stop();
  await double.stop();
}
