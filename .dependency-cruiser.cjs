// The borders of docs/ARCHITECTURE.md. A rule's comment is what a person reads whose import it refuses.
const TESTS = '\\.test\\.tsx?$'
// The files of src/server itself: main.ts and what it puts together.
const ROOT = '[^/]+$'
// What one category of tasks alone has.
const ONE_CATEGORY = '^src/contract/(sync-task|source-task|compiler)'
const server = (...layers) => `^src/server/(${layers.join('|')})`

/** Code under `from` may not import what matches `to`. Tests may bring the whole program to bear on their subject. */
const forbid = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: TESTS },
  to: typeof to === 'string' ? { path: to } : to,
})

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid(
      'contract-knows-zod-only',
      '^src/contract/',
      { pathNot: ['^src/contract/', '^node_modules/zod/'] },
      'The contract runs in the browser and on the server: zod and its own files only.',
    ),
    forbid(
      'web-knows-contract-only',
      '^src/web/',
      '^(src/server|sandbox|scripts|test|bench)/',
      'The web talks to the server through src/contract alone.',
    ),
    forbid(
      'server-knows-contract-only',
      '^src/server/',
      '^(src/web|sandbox|scripts|test|bench)/',
      'The server shares src/contract with the web and nothing else.',
    ),
    forbid(
      'command-line-knows-contract-only',
      '^src/cli/',
      { path: '^(src|sandbox|scripts|test|bench)/', pathNot: '^src/(cli|contract)/' },
      'The command line talks to a server through src/contract alone, as the web does.',
    ),
    forbid(
      'sandbox-stands-alone',
      '^sandbox/',
      '^(src|scripts|test|bench)/',
      'The sandbox plays Google. It must not know the program it is used to judge.',
    ),

    forbid(
      'shared-contract-knows-no-category',
      '^src/contract/((calls|fields|tables)\\.ts|(events|runs|tasks)/)',
      ONE_CATEGORY,
      'What the tasks of every category share knows none of them.',
    ),
    forbid(
      'server-below-features-knows-no-category',
      server('platform/', 'snapshots/', 'plans/', 'engine/', 'connectors/', 'tasks/'),
      ONE_CATEGORY,
      'Below the features and run handlers, code is given a category and knows none of them.',
    ),

    forbid(
      'platform-is-the-ground',
      server('platform/'),
      server(
        'features/',
        'tasks/',
        'csv-jobs/',
        'snapshots/',
        'engine/',
        'run-handlers/',
        'connectors/',
        ROOT,
      ),
      'The platform is below everything else on the server.',
    ),
    forbid(
      'csv-jobs-know-platform-only',
      server('csv-jobs/'),
      server('features/', 'tasks/', 'snapshots/', 'engine/', 'run-handlers/', 'connectors/', ROOT),
      'Imports and exports know no table: features hand their definitions over.',
    ),
    forbid(
      'snapshots-know-platform-only',
      server('snapshots/'),
      server('features/', 'tasks/', 'csv-jobs/', 'engine/', 'run-handlers/', 'connectors/', ROOT),
      'Stored rows serve every caller: they know no task, no run and no origin.',
    ),
    forbid(
      'plans-know-snapshots-and-platform',
      server('plans/'),
      server('features/', 'tasks/', 'csv-jobs/', 'engine/', 'run-handlers/', 'connectors/', ROOT),
      'A plan compares stored rows: it knows no run and no origin.',
    ),
    forbid(
      'engine-knows-platform-only',
      server('engine/'),
      server('features/', 'tasks/', 'csv-jobs/', 'snapshots/', 'run-handlers/', 'connectors/', ROOT),
      'The engine knows no run handler by name: main.ts passes them to it.',
    ),
    forbid(
      'connectors-know-snapshots-and-platform',
      server('connectors/'),
      server('features/', 'tasks/', 'csv-jobs/', 'engine/', 'run-handlers/', ROOT),
      'A connector reaches one kind of origin and knows nothing of runs.',
    ),
    forbid(
      'run-handlers-know-engine-and-connectors',
      server('run-handlers/'),
      server('features/', 'tasks/', 'csv-jobs/', ROOT),
      'A run handler is what a run does: it depends on the engine, connectors, stored rows and platform.',
    ),
    forbid(
      'copy-knows-no-provider',
      '^src/server/run-handlers/copy/',
      '^src/server/connectors/(?!(cell-changes|connector|registry|row-json|table-provider)\\.ts$)',
      'A copy is the same for every provider: extend the interface in connector.ts and implement it in the connector (decision 030).',
    ),
    forbid(
      'tasks-know-engine-and-snapshots',
      server('tasks/'),
      server('features/', 'run-handlers/', 'connectors/', ROOT),
      'Code that tasks of every category share depends on the engine and stored rows, and is given the category.',
    ),
    forbid(
      'features-know-tasks-and-below',
      server('features/'),
      {
        path: server('run-handlers/', 'connectors/', ROOT),
        pathNot: '^src/server/connectors/(connector|registry)\\.ts$',
      },
      'A feature depends on tasks, engine, stored rows and platform; of connectors it knows the interface, main.ts passes it the rest.',
    ),
    forbid(
      'mcp-makes-calls-only',
      server('mcp/'),
      {
        path: '^src/server/',
        pathNot: '^src/server/(mcp/|platform/(config|errors|http/parse|http/guard)\\.ts$)',
      },
      'Tools of agents make the calls of the contract, so that rights are checked in one place: there is no second way to the data.',
    ),
    forbid(
      'app-knows-mcp',
      '^src/server/(?!mcp/|app\\.)',
      server('mcp/'),
      'Only app.ts mounts the MCP server; nothing depends on it.',
    ),
    forbid(
      'app-mounts-features',
      server('app\\.'),
      server('run-handlers/', 'connectors/', 'main\\.'),
      'app.ts mounts features; only main.ts knows run handlers and connectors.',
    ),
    forbid(
      'server-features-are-apart',
      '^src/server/features/([^/]+)/',
      { path: '^src/server/features/', pathNot: '^src/server/features/$1/' },
      'Features never import each other: read the other one’s table, or move what both need to tasks or below.',
    ),

    forbid(
      'pages-carry-the-small-zod',
      '^src/(contract|web)/',
      { path: '^node_modules/zod/', pathNot: '^node_modules/zod/(mini|v4/mini)/' },
      'What a browser loads imports zod/mini: the whole of zod is 16 kB more on the first visit (decision 031).',
    ),

    forbid(
      'pages-carry-their-own-texts',
      '^src/(contract/(?!errors\\.ts|.*server-messages\\.ts|.*\\.test\\.ts)|web/)',
      '^src/contract/(errors|[^/]+/server-messages)\\.ts$',
      'What only the server says comes with its answers: pages and the calls that they make import client-messages.ts, field-messages.ts and error-body.ts (decision 031).',
    ),

    forbid(
      'web-lib-is-the-ground',
      '^src/web/lib/',
      '^src/web/(?!lib/)',
      'lib is below everything else of the web.',
    ),
    forbid(
      'web-ui-knows-no-domain',
      '^src/web/ui/',
      '^src/web/(?!ui/|lib/)',
      'ui has no domain words: take what it shows as properties.',
    ),
    forbid(
      'web-tasks-know-no-feature',
      '^src/web/tasks/',
      '^src/web/(?!tasks/|ui/|lib/)',
      'tasks/ serves every category: what one of them does otherwise is in its descriptor.',
    ),
    forbid(
      'web-tasks-know-no-category',
      '^src/web/tasks/',
      '^src/contract/(sync-|source-|task-types|compiler)',
      'tasks/ serves every category: the calls of one of them are handed over by its descriptor.',
    ),
    forbid(
      'web-csv-jobs-know-ui-and-lib',
      '^src/web/csv-jobs/',
      '^src/(web/(?!csv-jobs/|ui/|lib/)|contract/(sync-|source-|task-types|compiler))',
      'csv-jobs/ shows imports and exports of any type: their calls are made by the features.',
    ),
    forbid(
      'web-schedules-know-ui-and-lib',
      '^src/web/schedules/',
      '^src/web/(?!schedules/|ui/|lib/)',
      'schedules/ shows the state of schedules on the screens of several features.',
    ),
    forbid(
      'web-features-know-tasks-ui-and-lib',
      '^src/web/features/',
      '^src/web/[^/]+$',
      'Features stand on tasks, ui and lib; only the router knows screens.',
    ),
    forbid(
      'web-features-are-apart',
      '^src/web/features/([^/]+)/',
      { path: '^src/web/features/', pathNot: '^src/web/features/$1/' },
      'Features never import each other: move what both need to tasks, ui or lib.',
    ),

    forbid('no-circles', '.', { circular: true }, 'Two files that need each other are one topic, or three.'),
    forbid(
      'everything-resolves',
      '.',
      { couldNotResolve: true },
      'The imported file or package is not there.',
    ),
    forbid(
      'server-ships-its-packages',
      '^src/(server|cli)/',
      { dependencyTypes: ['npm-dev'] },
      'A program that runs in production needs its packages under dependencies. devDependencies are for the sandbox, the build and tests.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    // Types count: a border that only types cross is crossed.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
