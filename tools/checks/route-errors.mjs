import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from '../build.mjs';
import { errorsThrownBy } from './thrown-errors.mjs';

// Compares the errors that a route declares with @ApiErrors() with those that its code can throw, in both directions.

/** What the OpenAPI document shows on every route to which it applies, or on none because any request can get it. */
const OF_EVERY_ROUTE = new Set([
  'BodyTooSlow',
  'MalformedBody',
  'ScopeMissing',
  'SessionInvalid',
  'TooManyBodies',
  'Unauthorized',
  'ValidationFailed',
]);

/** Thrown before the handler, on the routes that ask for it. */
const BEFORE_THE_HANDLER = new Set(['TooManySessions']);

/** Errors that do not leave a function, and why; `*` stands for all. */
const KEPT = {
  'CallerKeysService.readBack': { ApiKeyNotFound: 'It is the key of the caller.' },
  'ApiKeysService.rotate': { LastApiKey: 'The new key has the same rights.' },
  'EnvironmentsController.getCurrentEnvironment': { EnvironmentNotFound: 'It is the environment of the key.' },
  'TestClockService.clockOf': { EnvironmentNotFound: 'It is the environment of the key.' },
  'NotificationActionsController.replayNotification': { JobUnknown: 'No job is named.' },
  'CatcherService.switch': {
    CredentialCheckFailed: 'The provider is not asked.',
    InAppIntegrationExists: 'There is no catcher of the channel in-app.',
    NothingToUpdate: 'It is switched.',
    OtherEnvironment: 'No environment is named.',
    SystemMailProtected: 'A catcher never sends these mails.',
  },
  'ChatLinksService.connect': { '*': 'A link whose subscriber or integration has gone connects nobody.' },
  'McpService.serverOf': { '*': 'Faults of tools are answers of the protocol.' },
  'EnvironmentsV2Service.diff': { WorkflowNotFound: 'No workflow is named.' },
  'EnvironmentsV2Service.publish': { WorkflowNotFound: 'No workflow is named.' },
  'EventWork.expand': { '*': 'Deliveries run in the background.' },
  'EventsService.broadcast': { WaitsNotSkippable: 'A broadcast has no skipWaits.' },
  'EventsService.triggerAt': { WaitsNotSkippable: 'Schedules and steps set no skipWaits.' },
  'EventsService.triggerOneOfMany': { '*': 'A faulty event is part of the result.' },
  'InboxPreferencesService.setForWorkflow': { NoChannelGiven: 'A channel is always given.' },
  'InboxPreferencesService.setGlobal': { NoPreferenceGiven: 'Preferences are always given.' },
  'IntegrationsService.create': { IntegrationNotFound: 'It was just stored.' },
  'IntegrationsService.setPrimary': {
    CredentialCheckFailed: 'The provider is not asked.',
    InAppIntegrationExists: 'The channel in-app is refused before.',
    IntegrationIdentifierTaken: 'The identifier stays.',
  },
  'WorkflowDefinitionsService.provide': { '*': 'The workflow is Herald’s own.' },
  'QuestionsService.create': { QuestionNotFound: 'It was just stored.' },
  'LayoutsService.create': { LayoutNotFound: 'It was just stored.' },
  'ScheduleTrigger.dryRun': { WaitsNotSkippable: 'Schedules set no skipWaits.' },
  'SubscribersService.create': { SubscriberNotFound: 'It was just stored.' },
  'SubscribersV2Controller.upsertSubscriberV2': { NoActiveIntegration: 'The body has no credentials.' },
  'SubscriberSessionsService.open': { SubscriberNotFound: 'It was just stored.' },
  'PluginStep.callPlugin': { '*': 'What a step throws is its outcome.' },
  'PreferencePageService.switch': {
    PreferenceOfCriticalWorkflow: 'Pages of recipients have no switch of such a workflow.',
  },
  'UnsubscribesService.subscribe': { PreferenceOfCriticalWorkflow: 'A recipient takes back what was chosen before.' },
  'TranslationsService.merge': { TooManyLocales: 'The locale is there.' },
  'TopicDirectory.put': { TopicNotFound: 'Another request has just made it.' },
  'TopicsV2Controller.deleteTopicV2': { TopicHasSubscribers: 'Their subscriptions end.' },
  'TopicsService.getOrCreate': { TopicNotFound: 'It was just stored.' },
  'WorkflowsV2Service.create': { WorkflowNotFound: 'It was just stored.' },
  'WorkflowsV2Service.preview': { TenantNotFound: 'No tenant is named.' },
  'TriggerGate.updateTenant': {
    TenantAlreadyExists: 'The identifier stays.',
    TenantNotFound: 'It was just read.',
  },
};

const ROUTE = /^(Get|Post|Put|Patch|Delete|All|Head|Options)$/;

/** @returns {string[]} one text for each error that is declared without need, or not declared */
export function routeErrorFaults(program, { isOwn, kept = KEPT }) {
  const checker = program.getTypeChecker();
  const thrownBy = errorsThrownBy(program, { isOwn, kept });
  const nameOf = (error) => error.name.getText();
  return controllersOf(program, isOwn).flatMap((controller) =>
    controller.members.filter(isRoute).flatMap((route) => {
      const name = `${controller.name.getText()}.${route.name.getText()}`;
      const declared = new Set([...declaredBy(controller, checker), ...declaredBy(route, checker)]);
      const expected = thrownBy(route);
      // The session of a subscriber ends with the subscriber.
      const isForSubscribers = [controller, route].some((node) => decoratorOf(node, /^ForSubscribers$/) !== undefined);
      const isImplied = (error) =>
        OF_EVERY_ROUTE.has(nameOf(error)) || (isForSubscribers && nameOf(error) === 'SubscriberNotFound');
      const missing = [...expected].filter(([error]) => !declared.has(error) && !isImplied(error));
      const needless = [...declared].filter((error) => !expected.has(error) && !BEFORE_THE_HANDLER.has(nameOf(error)));
      return [
        ...missing.map(([error, path]) => `${name} does not declare ${nameOf(error)}: ${path()}`),
        ...needless.map((error) => `${name} declares ${nameOf(error)}, which nothing that it calls throws`),
      ];
    }),
  );
}

function controllersOf(program, isOwn) {
  return program
    .getSourceFiles()
    .filter(isOwn)
    .flatMap(({ statements }) => [...statements])
    .filter((node) => ts.isClassDeclaration(node) && decoratorOf(node, /^Controller$/) !== undefined);
}

const isRoute = (member) => ts.isMethodDeclaration(member) && decoratorOf(member, ROUTE) !== undefined;

function decoratorOf(node, name) {
  return (ts.getDecorators(node) ?? [])
    .map(({ expression }) => expression)
    .find((call) => ts.isCallExpression(call) && name.test(call.expression.getText()));
}

/** The declarations of the errors that `@ApiErrors(FeedInUse, FeedNotFound)` names. */
function declaredBy(node, checker) {
  const names = decoratorOf(node, /^ApiErrors$/)?.arguments ?? [];
  return names.map((name) => {
    const symbol = checker.getSymbolAtLocation(name);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (target?.valueDeclaration === undefined) throw new Error(`@ApiErrors() takes errors, not ${name.getText()}.`);
    return target.valueDeclaration;
  });
}

export function isServerFile({ fileName, isDeclarationFile }) {
  const path = relative(ROOT, fileName).split(sep).join('/');
  return !isDeclarationFile && /^(src|libs)\//.test(path);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(join(ROOT, 'tsconfig.app.json'), {}, ts.sys);
  const faults = routeErrorFaults(ts.createProgram(fileNames, options), { isOwn: isServerFile });
  for (const fault of faults) console.error(fault);
  console.log(
    faults.length === 0 ? 'Routes declare the errors that they throw.' : 'Correct @ApiErrors() of these routes.',
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
