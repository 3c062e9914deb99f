// Arrows point one way: service → service-host → messaging → contracts; llm and database stand beside.
const libs = (names) => `^libs/(${names})/`;

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
      from: { path: '^libs/(database|llm|lexical-embedding|mood-card|reading)/', pathNot: '\\.test\\.ts$' },
      to: { path: libs('messaging|service-host|testing|embedded') },
    },
    {
      name: 'only-tests-use-doubles',
      severity: 'error',
      from: {
        path: '^(services|apps|libs/(contracts|messaging|service-host|database|llm|lexical-embedding|mood-card|reading|embedded))/',
        pathNot: '(\\.test\\.ts$|/e2e/|testing-|contract-suite|test-)',
      },
      to: { path: '^libs/testing/' },
    },
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
