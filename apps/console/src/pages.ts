import type { VNode } from 'preact';
import { ActivityPage } from './activity/activity-page.js';
import { NotificationPage } from './activity/notification-page.js';
import { BudgetsPage } from './budgets/budgets-page.js';
import { HomePage } from './home/home-page.js';
import { HealthPage } from './health/health-page.js';
import { RefusedPage } from './refused/refused-page.js';
import { ReplayPage } from './replays/replay-page.js';
import { ReplaysPage } from './replays/replays-page.js';
import { lazyPage } from './lazy-page.js';
import type { PluginPage } from './plugins/page-calls.js';
import { pluginPage } from './plugins/plugin-page.js';
import { SERVED_PAGES } from './public-path.js';
import { IntegrationsPage } from './integrations/integrations-page.js';
import { KeysPage } from './keys/keys-page.js';
import { SubscriberPage } from './subscribers/subscriber-page.js';
import { SubscribersPage } from './subscribers/subscribers-page.js';
import { WebhookPage } from './webhooks/webhook-page.js';
import { WebhooksPage } from './webhooks/webhooks-page.js';
import { PreviewPage } from './workflows/preview-page.js';
import { WorkflowPage } from './workflows/workflow-page.js';
import { WorkflowsPage } from './workflows/workflows-page.js';

const PLUGIN_PAGES = (JSON.parse(SERVED_PAGES) as readonly PluginPage[]).map((page) => ({
  path: `/plugins/${page.plugin}/${page.path}`,
  label: page.label,
  page: pluginPage(page),
}));

interface Page {
  /** Below /console; `:name` is a parameter, which `useParams` of the router returns. */
  readonly path: string;
  readonly page: () => VNode;
}

const EditorPage = lazyPage(async () => (await import('./editor/index.js')).EditorPage);
const IntegrationPage = lazyPage(async () => (await import('./connect/index.js')).IntegrationPage);
const schedulePage = (name: 'SchedulesPage' | 'SchedulePage' | 'NewSchedulePage' | 'EditSchedulePage'): (() => VNode) =>
  lazyPage(async () => (await import('./schedules/index.js'))[name]);
const peoplePage = (name: 'PeoplePage' | 'AccountPage'): (() => VNode) =>
  lazyPage(async () => (await import('./people/index.js'))[name]);
const questionPage = (name: 'QuestionsPage' | 'QuestionPage'): (() => VNode) =>
  lazyPage(async () => (await import('./questions/index.js'))[name]);
const RunPage = lazyPage(async () => (await import('./workflows/run-page.js')).RunPage);
const CatcherPage = lazyPage(async () => (await import('./catcher/catcher-page.js')).CatcherPage);
const AlertsPage = lazyPage(async () => (await import('./alerts/alerts-page.js')).AlertsPage);
const AuditPage = lazyPage(async () => (await import('./audit/audit-page.js')).AuditPage);
const SuppressionsPage = lazyPage(async () => (await import('./suppressions/suppressions-page.js')).SuppressionsPage);
const TranslationsPage = lazyPage(async () => (await import('./translations/translations-page.js')).TranslationsPage);
const GroupsPage = lazyPage(async () => (await import('./groups/index.js')).GroupsPage);
const ImportPage = lazyPage(async () => (await import('./subscribers/import-page.js')).ImportPage);
const layoutPage = (name: 'LayoutsPage' | 'LayoutPage'): (() => VNode) =>
  lazyPage(async () => (await import('./layouts/index.js'))[name]);
const TenantsPage = lazyPage(async () => (await import('./tenants/index.js')).TenantsPage);
const topicPage = (name: 'TopicsPage' | 'TopicPage'): (() => VNode) =>
  lazyPage(async () => (await import('./topics/index.js'))[name]);
const SearchPage = lazyPage(async () => (await import('./search/search-page.js')).SearchPage);
const VersionsPage = lazyPage(async () => (await import('./editor/index.js')).VersionsPage);
const ComparePage = lazyPage(async () => (await import('./workflows/compare-page.js')).ComparePage);

const PromotePage = lazyPage(async () => (await import('./promote/promote-page.js')).PromotePage);
const EnvironmentPage = lazyPage(async () => (await import('./environment/environment-page.js')).EnvironmentPage);

export const PAGES: readonly Page[] = [
  { path: '/', page: HomePage },
  { path: '/activity', page: ActivityPage },
  { path: '/notifications/:notificationId', page: NotificationPage },
  { path: '/search', page: SearchPage },
  { path: '/refused', page: RefusedPage },
  { path: '/replays', page: ReplaysPage },
  { path: '/replays/:replayId', page: ReplayPage },
  { path: '/questions', page: questionPage('QuestionsPage') },
  { path: '/questions/:questionId', page: questionPage('QuestionPage') },
  { path: '/health', page: HealthPage },
  { path: '/catcher', page: CatcherPage },
  { path: '/workflows', page: WorkflowsPage },
  { path: '/workflows/:workflowId', page: WorkflowPage },
  { path: '/workflows/:workflowId/edit', page: EditorPage },
  { path: '/workflows/:workflowId/versions', page: VersionsPage },
  { path: '/workflows/:workflowId/compare', page: ComparePage },
  { path: '/workflows/:workflowId/run', page: RunPage },
  { path: '/workflows/:workflowId/steps/:stepId', page: PreviewPage },
  { path: '/promote', page: PromotePage },
  { path: '/subscribers', page: SubscribersPage },
  { path: '/subscribers/:subscriberId', page: SubscriberPage },
  { path: '/import', page: ImportPage },
  { path: '/topics', page: topicPage('TopicsPage') },
  { path: '/topics/:topicKey', page: topicPage('TopicPage') },
  { path: '/tenants', page: TenantsPage },
  { path: '/layouts', page: layoutPage('LayoutsPage') },
  { path: '/layouts/:layoutId', page: layoutPage('LayoutPage') },
  { path: '/groups', page: GroupsPage },
  { path: '/budgets', page: BudgetsPage },
  { path: '/suppressions', page: SuppressionsPage },
  { path: '/translations', page: TranslationsPage },
  { path: '/integrations', page: IntegrationsPage },
  { path: '/integrations/:integrationId', page: IntegrationPage },
  { path: '/schedules', page: schedulePage('SchedulesPage') },
  { path: '/schedules/new', page: schedulePage('NewSchedulePage') },
  { path: '/schedules/:scheduleId', page: schedulePage('SchedulePage') },
  { path: '/schedules/:scheduleId/edit', page: schedulePage('EditSchedulePage') },
  { path: '/webhooks', page: WebhooksPage },
  { path: '/webhooks/:webhookId', page: WebhookPage },
  { path: '/alerts', page: AlertsPage },
  { path: '/environment', page: EnvironmentPage },
  { path: '/keys', page: KeysPage },
  { path: '/people', page: peoplePage('PeoplePage') },
  { path: '/audit-log', page: AuditPage },
  { path: '/account', page: peoplePage('AccountPage') },
  ...PLUGIN_PAGES,
];

interface NavigationGroup {
  readonly name: string;
  readonly icon: string;
  readonly links: readonly NavigationLink[];
}

export interface NavigationLink {
  readonly path: string;
  readonly label: string;
  readonly icon?: string;
  readonly below?: readonly string[];
  readonly isForDevelopment?: true;
}

/** Always in view. `below` lists further beginnings of addresses that belong to a link. */
export const MAIN_LINKS: readonly NavigationLink[] = [
  { path: '/', label: 'Home', icon: 'home' },
  { path: '/activity', label: 'Activity', icon: 'activity', below: ['/notifications'] },
  { path: '/workflows', label: 'Workflows', icon: 'workflows', below: ['/promote'] },
  { path: '/subscribers', label: 'Subscribers', icon: 'people', below: ['/import'] },
];

/** Folded, unless the page is among them. Production lacks some. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: 'Deliveries',
    icon: 'deliveries',
    links: [
      { path: '/refused', label: 'Refused triggers' },
      { path: '/replays', label: 'Replays' },
      { path: '/questions', label: 'Questions' },
      { path: '/health', label: 'Health' },
      { path: '/catcher', label: 'Catcher', isForDevelopment: true },
    ],
  },
  {
    name: 'Content',
    icon: 'content',
    links: [
      { path: '/schedules', label: 'Schedules' },
      { path: '/layouts', label: 'Layouts' },
      { path: '/translations', label: 'Translations' },
      { path: '/groups', label: 'Feeds and groups' },
    ],
  },
  {
    name: 'Audience',
    icon: 'audience',
    links: [
      { path: '/topics', label: 'Topics' },
      { path: '/tenants', label: 'Tenants' },
      { path: '/budgets', label: 'Budgets' },
      { path: '/suppressions', label: 'Suppressions' },
    ],
  },
  {
    name: 'Settings',
    icon: 'settings',
    links: [
      { path: '/integrations', label: 'Integrations' },
      { path: '/webhooks', label: 'Webhooks' },
      { path: '/alerts', label: 'Alerts' },
      { path: '/environment', label: 'Environment' },
      { path: '/keys', label: 'API keys' },
      { path: '/people', label: 'People' },
      { path: '/audit-log', label: 'Audit log' },
    ],
  },
  ...(PLUGIN_PAGES.length > 0 ? [{ name: 'Plugins', icon: 'plugins', links: PLUGIN_PAGES }] : []),
];
