// Arrows point one way: service → service-host → messaging → contracts; llm and database stand beside.
const libs = (names) => `^libs/(${names})/`;

/**
 * Rooms of each service, app and library, bottom first: a room imports from itself and from the lists before its own;
 * rooms in one list don't know each other. A room within a room (`affect/mood`) is a room by itself, with a level of its
 * own. What stands above all rooms of a service (app.module, controller, main) is imported by none, nor is what stands
 * above those of a library in `ROOMY`; files beside another library's rooms are known to all of them.
 */
export const LEVELS = {
  gateway: [
    ['people', 'safety', 'models', 'quotes', 'web'],
    ['redaction'],
    ['audit', 'delivery', 'entrance', 'forgetting', 'tools/permission'],
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
  embedding: [['providers'], ['providers/local', 'cache'], ['choice'], ['embed']],
  cli: [
    ['terminal'],
    ['input'],
    ['suite'],
    ['companions'],
    ['doctor', 'memories', 'operations', 'outreach', 'people', 'tasks', 'tools'],
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
  'proactive-scheduler': [['reasons'], ['decision'], ['store'], ['noticing', 'sending'], ['recurring']],
  characters: [['formats', 'png']],
  contracts: [['errors', 'text', 'time'], ['values'], ['views'], ['rpc'], ['http']],
  database: [
    ['sql', 'pipeline'],
    ['connections'],
    ['transactions', 'migrations'],
    ['database', 'backup'],
    ['rows'],
  ],
  embedded: [['files', 'settings'], ['processes'], ['services', 'stores']],
  llm: [['budget', 'errors', 'rehearsal'], ['hooks', 'providers'], ['chain'], ['settings']],
  messaging: [['local', 'redis'], ['streams'], ['broadcasts', 'jobs'], ['handlers']],
  reading: [['languages']],
  'service-host': [['health', 'logs', 'models', 'process'], ['wiring']],
  testing: [['discord', 'qdrant', 'scripted-model/apis'], ['scripted-model']],
};

/** Libraries whose every subject has a room: above the rooms stand only their doors and programs, with their settings. */
const ROOMY = ['database', 'embedded', 'service-host'];

/** Tests may look at anything of their service. */
export const TESTS = '(\\.test\\.ts$|/e2e/|/testing-|/test-|contract-suite)';

/** Files that tsconfig.json of each package leaves out. */
const NOT_BUILT = ['\\.test\\.ts$', '/e2e/'];

const srcOf = (name) => `^(?:services|apps|libs)/${name}/src/`;
const filesOf = (name) => (room) => `${srcOf(name)}${room}/[^/]+$`;

function roomsDependDownwards([name, levels]) {
  return levels.flatMap((level, index) =>
    level.map((room) => ({
      name: `rooms-of-${name}-depend-downwards: ${room}`,
      severity: 'error',
      from: { path: filesOf(name)(room), pathNot: TESTS },
      to: {
        path: `${srcOf(name)}.+/`,
        pathNot: [TESTS, ...[room, ...levels.slice(0, index).flat()].map(filesOf(name))],
      },
    })),
  );
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
        pathNot: NOT_BUILT,
      },
      to: { path: libs('messaging|service-host|testing|embedded') },
    },
    {
      // Left out of builds. What benches share with tests is built (testing-…), so it needs no test either.
      name: 'what-is-built-imports-no-test',
      severity: 'error',
      from: { path: '^(?:services|apps|libs)/[^/]+/src/', pathNot: NOT_BUILT },
      to: { path: NOT_BUILT },
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
    {
      name: 'every-room-has-a-level',
      severity: 'error',
      from: {
        path: `${srcOf('[^/]+')}.+/`,
        pathNot: [
          TESTS,
          ...Object.entries(LEVELS).flatMap(([name, levels]) => levels.flat().map(filesOf(name))),
        ],
      },
      to: { path: '.' },
    },
    {
      // But for `parts.ts`, under whose key the gateway's `http` finds its parts. It imports the rooms that it makes parts of,
      // so by `no-cycles` none of these imports it.
      name: 'rooms-know-nothing-above-them',
      severity: 'error',
      from: { path: `^((?:services|apps)/[^/]+|libs/(?:${ROOMY.join('|')}))/src/.+/`, pathNot: TESTS },
      to: { path: '^$1/src/[^/]+$', pathNot: [TESTS, '/src/parts\\.ts$'] },
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
