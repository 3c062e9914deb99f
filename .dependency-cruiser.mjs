// Arrows point one way: service → service-host → messaging → contracts; llm and database stand beside.
const libs = (names) => `^libs/(${names})/`;

/**
 * Rooms of each service and app, bottom first: a room imports from itself and from the lists before its own; rooms in one
 * list don't know each other. A room within a room (`affect/mood`) has a level of its own. What stands above all rooms
 * (app.module, controller, main) is imported by none.
 */
const LEVELS = {
  gateway: [
    ['people', 'safety', 'models', 'forgetting', 'web'],
    ['audit', 'delivery', 'entrance', 'tools/permission'],
    ['conversations'],
    ['signals'],
    ['epochs'],
    ['erasure', 'inbox'],
    ['steps', 'hooks'],
    ['tools'],
    ['tools/outside', 'tools/web', 'answer'],
    ['outcome'],
    ['turn'],
    ['intake', 'upkeep'],
    ['queue-board', 'socket'],
    ['http'],
  ],
  memory: [
    ['words'],
    ['rows'],
    ['index'],
    ['index/exact', 'index/qdrant', 'facts', 'core', 'lore', 'tasks'],
    ['remember'],
    ['forget'],
    ['recall', 'documents', 'owner'],
    ['consolidation', 'maintenance'],
  ],
  'discord-bot': [
    ['rest'],
    ['places'],
    ['events'],
    ['delivery'],
    ['intake'],
    ['catch-up'],
    ['connection'],
    ['commands'],
    ['commands/companion', 'commands/memories'],
    ['commands/desk'],
    ['routing'],
  ],
  personality: [
    ['affect/mood'],
    ['affect/needs', 'affect/bond'],
    ['affect'],
    ['reading/english', 'persona'],
    ['reading', 'night'],
    ['store'],
    ['companion'],
    ['turns'],
  ],
  embedding: [['providers'], ['cache', 'choice'], ['embed']],
  cli: [
    ['terminal'],
    ['input'],
    ['suite'],
    ['companions', 'doctor', 'memories', 'operations', 'outreach', 'people', 'tasks', 'tools'],
    ['chat', 'knowledge'],
  ],
  console: [
    ['page'],
    ['api'],
    ['audit', 'companion', 'outreach', 'recall', 'tasks', 'tools'],
    ['memories', 'mood'],
    ['session'],
    ['chat'],
    ['health'],
  ],
  'proactive-scheduler': [['reasons', 'decision'], ['store'], ['noticing', 'sending'], ['recurring']],
};

/** Tests may look at anything of their service. */
const TESTS = '(\\.test\\.ts$|/e2e/|/testing-|/test-)';

function roomsDependDownwards([service, levels]) {
  const src = `^(?:services|apps)/${service}/src/`;
  const rooms = levels.flat();
  const filesOf = (room) => {
    const inner = rooms.filter((other) => other.startsWith(`${room}/`)).map((other) => `${other}/`);
    return `${src}${inner.length > 0 ? `(?!${inner.join('|')})` : ''}${room}/`;
  };
  const imports = levels.flatMap((level, index) =>
    level.map((room) => ({
      name: `rooms-of-${service}-depend-downwards: ${room}`,
      severity: 'error',
      from: { path: filesOf(room), pathNot: TESTS },
      to: { path: src, pathNot: [TESTS, ...[room, ...levels.slice(0, index).flat()].map(filesOf)] },
    })),
  );
  const unlisted = {
    name: `rooms-of-${service}-have-levels`,
    severity: 'error',
    from: { path: `${src}[^/]+/`, pathNot: [TESTS, ...rooms.map(filesOf)] },
    to: { path: '.' },
  };
  return [...imports, unlisted];
}

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { pathNot: 'generated' },
      to: { circular: true, pathNot: 'generated' },
    },
    {
      name: 'services-never-import-each-other',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-know-no-service',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|apps)/' },
    },
    { name: 'apps-know-no-service', severity: 'error', from: { path: '^apps/' }, to: { path: '^services/' } },
    {
      name: 'contracts-imports-zod-alone',
      severity: 'error',
      from: { path: '^libs/contracts/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(libs/contracts/src|node_modules/zod)' },
    },
    {
      name: 'characters-imports-contracts-and-zod-alone',
      severity: 'error',
      from: { path: '^libs/characters/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(libs/(characters|contracts)/src|node_modules/zod|(node:)?(crypto|util|zlib)$)' },
    },
    {
      name: 'messaging-stands-on-contracts',
      severity: 'error',
      from: { path: '^libs/messaging/' },
      to: { path: libs('service-host|database|llm|testing|embedded') },
    },
    {
      name: 'service-host-stands-on-messaging',
      severity: 'error',
      from: { path: '^libs/service-host/', pathNot: '\\.test\\.ts$' },
      to: { path: libs('database|llm|testing|embedded') },
    },
    {
      name: 'database-and-llm-stand-beside',
      severity: 'error',
      from: {
        path: '^libs/(database|llm|lexical-embedding|local-models|mood-card|reading|characters)/',
        pathNot: '\\.test\\.ts$',
      },
      to: { path: libs('messaging|service-host|testing|embedded') },
    },
    {
      name: 'only-tests-use-doubles',
      severity: 'error',
      from: {
        path: '^(services|apps|libs/(contracts|messaging|service-host|database|llm|lexical-embedding|local-models|mood-card|reading|characters|embedded))/',
        pathNot: '(\\.test\\.ts$|/e2e/|testing-|contract-suite|test-)',
      },
      to: { path: '^libs/testing/' },
    },
    {
      name: 'an-index-is-known-by-its-port',
      severity: 'error',
      from: {
        path: '^services/memory/src/',
        pathNot: ['/index/(exact|qdrant)/', '/src/(open-index|snapshot-cli)\\.ts$', TESTS],
      },
      to: { path: '^services/memory/src/index/(exact|qdrant)/' },
    },
    ...Object.entries(LEVELS).flatMap(roomsDependDownwards),
  ],
  options: {
    doNotFollow: { path: ['node_modules', 'dist'] },
    exclude: { path: ['/dist/', '/generated/', '/test-results/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.check.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@kith/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
