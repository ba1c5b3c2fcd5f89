/** Who may import whom (DESIGN: dependency direction). Types may cross where values may not. */
const only = (name, from, to, comment) => ({ name, comment, severity: 'error', from: typeof from === 'string' ? { path: from } : from, to });
const value = { dependencyTypesNot: ['type-only'] };
const LAYERS = 'store|models|tools|evaluation|memory|sandbox';

module.exports = {
  forbidden: [
    only('no-cycles', '^src', { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }, 'Cycles hide which part depends on which.'),
    only('no-unresolved', '^src', { couldNotResolve: true }),
    only('contracts-are-leaves', '^src/contracts', { pathNot: ['^src/contracts', '(^|/)node_modules/zod'] }, 'Contracts have no I/O and know nobody.'),
    only(
      'policy-is-pure',
      '^src/policy',
      { pathNot: ['^src/policy', '^src/contracts/(names|reasons|hidden-characters|reserved-markers)\\.ts$', '(^|/)node_modules/@noble'], ...value },
      'Policy runs inside the workflow.',
    ),
    only('policy-knows-types-of-contracts', '^src/policy', { pathNot: ['^src/(policy|contracts)', '(^|/)node_modules/@noble'] }),
    only(
      'workflow-values',
      '^src/workflows',
      { pathNot: ['^src/(workflows|policy)/', '^src/contracts/(names|reasons)\\.ts$', '(^|/)node_modules/@temporalio/workflow/'], ...value },
      'Workflow code is pure: activities and the rest as types.',
    ),
    only(
      'workflow-types',
      '^src/workflows',
      { pathNot: ['^src/(workflows|policy|contracts)/', '(^|/)node_modules/@temporalio/(workflow|common)/'] },
      'The workflow sees activities through contracts/activities.ts.',
    ),
    only('no-node-in-workflows', '^src/(workflows|policy|contracts)', { dependencyTypes: ['core'] }),
    only('layers-are-siblings', { path: `^src/(${LAYERS})/` }, { path: `^src/(${LAYERS})/`, pathNot: '^src/$1/', ...value }, 'Siblings meet in activities.'),
    only('layers-know-no-callers', `^src/(${LAYERS})/`, { path: '^src/(activities|workflows|agents|gateway|console|dev/|cli[./]|client[./]|worker\\.)' }),
    only(
      'layers-use-contracts',
      `^src/(${LAYERS})/`,
      { path: '^src/policy', pathNot: '^src/policy/(lifecycle|proposal)\\.ts$', ...value },
      'Policy decides in the workflow; activities pass it in. What a rule may become is judged where its row is locked.',
    ),
    only('agents-use-builders', '^src/agents/', { path: '^src/(workflows|activities|store|gateway|dev)/|^src/(client|worker|cli)[./]' }),
    only('agents-know-no-other', '^src/agents/([^/]+)/', { path: '^src/agents/([^/]+)/', pathNot: '^src/agents/$1/' }),
    only('activities-by-worker', { path: '^src', pathNot: '^src/(activities|worker\\.ts|dev/)' }, { path: '^src/activities', ...value }, 'Only the worker wires activities.'),
    only(
      'identity-is-low',
      '^src/identity',
      { pathNot: ['^src/(identity|contracts|policy)/', '(^|/)node_modules/'], dependencyTypesNot: ['type-only', 'core'] },
      'Keys and principals know nobody above them.',
    ),
    only(
      'gateway-uses-the-client',
      '^src/gateway',
      { path: '^src/(activities|workflows|models|tools|evaluation|memory|sandbox|dev/)|^src/worker\\.', ...value },
      'The gateway acts through the client and reads the store.',
    ),
    only('gateway-by-starters', { path: '^src', pathNot: '^src/(gateway|cli[./]|dev/)' }, { path: '^src/gateway', ...value }, 'Only what starts it imports the gateway.'),
    only(
      'notify-tells-people',
      '^src/notify',
      { path: '^src', pathNot: '^src/(notify|contracts|store|telemetry)/|^src/tools/http-fetch', ...value },
      'Notifications read the outbox and send; they decide nothing.',
    ),
    only('notify-by-starters', { path: '^src', pathNot: '^src/(notify|cli[./]|dev/)' }, { path: '^src/notify', ...value }, 'Facts are told through the outbox of the store.'),
    only(
      'console-is-a-page',
      { path: '^src/console', pathNot: '^src/console/(build|vite\\.config)\\.ts$' },
      { pathNot: ['^src/(console|contracts|policy)/', '(^|/)node_modules/'] },
      'The console runs in a browser and knows the API alone.',
    ),
    only(
      'console-is-small',
      { path: '^src/console', pathNot: '^src/console/(build|vite\\.config)\\.ts$' },
      { path: ['^src/contracts/', '^src/policy/', '(^|/)node_modules/zod'], pathNot: '^src/contracts/(names|reasons|hidden-characters)\\.ts$', ...value },
      'A schema brings 180 KB of zod into the page: types alone, and constants from the files without zod.',
    ),
    only('console-is-not-built-by-itself', { path: '^src/console', pathNot: '^src/console/build\\.ts$' }, { path: '^src/console/(build|vite\\.config)\\.ts$' }),
    only('nobody-imports-the-console', { path: '^src', pathNot: '^src/console' }, { path: '^src/console', pathNot: '^src/console/build\\.ts$' }),
    only(
      'learning-weighs-facts',
      '^src/learning',
      { path: '^src', pathNot: '^src/(learning|policy|contracts|store)/', ...value },
      'What was learned is composed and judged from the store by policy.',
    ),
    only(
      'retrieval-joins-store-and-memory',
      '^src/retrieval',
      { path: '^src', pathNot: '^src/(retrieval|policy|contracts|store|memory)/', ...value },
      'Experience and knowledge are found by the store and ranked by policy.',
    ),
    only(
      'live-watches-the-store',
      '^src/live',
      { path: '^src', pathNot: '^src/(live|store|contracts|client)[./]', ...value },
      'Watching reads the store; chat acts through the client.',
    ),
    only('nobody-imports-the-cli', { path: '^src', pathNot: '^src/cli[./]' }, { path: '^src/cli[./]' }),
    only('client-is-light', '^src/client', { path: '^src/(activities|workflows|models|tools|evaluation|dev)/|^src/(worker|cli)[./]', ...value }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.md$' },
  },
};
