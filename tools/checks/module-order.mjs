/**
 * Who may import whom (docs/architecture.md, docs/adr/0007). ESLint reads this table; `npm run check` fails until a new
 * module or library is entered here.
 */

/** Modules of `src`; each may use the facades of earlier ones only. */
export const MODULE_ORDER = [
  'auth',
  'organizations',
  'environments',
  'idempotency',
  'rate-limits',
  'condition-secrets',
  'rendering',
  'notification-groups',
  'feeds',
  'layouts',
  'tenants',
  'integrations',
  'subscribers',
  'subscriber-sessions',
  'push-subscriptions',
  'execution-details',
  'topics',
  'workflows',
  'workflow-overrides',
  'definitions',
  'preferences',
  'messages',
  'widgets',
  'real-time',
  'inbox',
  'provider-callbacks',
  'delivery',
  'notifications',
  'notification-replays',
  'activity',
  'webhooks',
  'events',
  'previews',
  'monitoring',
  'health',
  'api-document',
  'plugin-api',
  'plugin-host',
  'plugin-docs',
];

/** Libraries, and which other libraries each may use. No library uses `src`. */
export const LIB_IMPORTS = {
  config: ['common'],
  plugins: [],
  common: [],
  telemetry: ['config'],
  validation: [],
  conditions: ['common', 'plugins', 'validation'],
  schedule: ['common', 'validation'],
  'worker-pool': [],
  templates: ['plugins', 'validation', 'worker-pool'],
  secrets: ['config', 'http-kit', 'persistence'],
  work: ['config', 'common', 'worker-pool'],
  channels: ['config', 'common', 'plugins', 'telemetry', 'templates'],
  'http-kit': ['config', 'common', 'telemetry', 'validation', 'worker-pool'],
  persistence: ['config', 'common', 'worker-pool'],
  testing: [
    'config',
    'plugins',
    'common',
    'telemetry',
    'validation',
    'conditions',
    'schedule',
    'worker-pool',
    'templates',
    'secrets',
    'work',
    'channels',
    'http-kit',
    'persistence',
  ],
};

/** May be imported by tests only. */
export const TEST_ONLY_LIBS = ['testing'];
