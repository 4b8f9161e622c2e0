import { RequestMethod, type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { RouteAccess } from '#libs/http-kit';
import { placeOfRoute } from '../support/route-place.js';
import { useTestApi } from '../support/test-api.js';

/** Operations that change something, or seem to, and are not in the audit log. */
const NOT_AUDITED: Record<string, string[]> = {
  'changes nothing': [
    'checkIntegration',
    'diffEnvironmentV2',
    'dryRunEvent',
    'dryRunSchedule',
    'lookAtInvitation',
    'previewDraftStep',
    'previewLayout',
    'previewPromotion',
    'previewSchedule',
    'previewSegment',
    'previewStep',
    'previewStepV2',
    'previewWorkflowImpact',
  ],
  'what a person did with messages': [
    'actOnMessage',
    'archiveNotificationsV2',
    'archiveReadNotificationsV2',
    'changeNotificationV2',
    'completeActionV2',
    'deleteNotificationV2',
    'deleteNotificationsV2',
    'markAllMessages',
    'markMessages',
    'markMessagesLegacy',
    'markNotificationsSeenV2',
    'readNotificationsV2',
    'revertActionV2',
    'snoozeNotificationV2',
  ],
  'the presence of a person, which changes all the time': ['setSubscriberOnlineStatus'],
  'each answer is an entry of its own, whichever way it comes': ['answerQuestion'],
  'only in a Herald for tests': ['moveTestClock'],
  'each call of a tool has an entry of its own': ['callMcp'],
};
/** Public, and no change by somebody who manages Herald: sessions of subscribers, callbacks of providers, links in mails. */
const PUBLIC = [
  'answerByLink',
  'createInboxSession',
  'initializeWidgetSession',
  'receiveProviderCallback',
  'savePreferencePage',
  'unsubscribe',
];

describe('routes that change something', () => {
  const api = useTestApi();

  it('should be audited, or say why not', () => {
    const reflector = api.app.get(Reflector);
    const access = api.app.get(RouteAccess, { strict: false });
    const scanner = new MetadataScanner();
    const controllers = [...api.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    const skipped: Record<string, string[]> = {};
    const open: string[] = [];
    let audited = 0;
    for (const { metatype } of controllers) {
      const controller = metatype as Type<object>;
      const methods = controller.prototype as Record<string, () => unknown>;
      for (const name of scanner.getAllMethodNames(methods)) {
        const handler = methods[name];
        if (handler === undefined) continue;
        const method = reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
        if (method === undefined || method === RequestMethod.GET) continue;
        const { audit, caller } = access.of(new ExecutionContextHost([], controller, handler));
        if (caller === 'subscriber') continue;
        if (audit === undefined) open.push(name);
        else if ('reason' in audit) (skipped[audit.reason] ??= []).push(name);
        else audited += 1;
      }
    }
    const silent = open
      .filter((name) => !PUBLIC.includes(name))
      .map((name) => `Write @Audited('note') or @NotAudited('reason') above ${name}, ${placeOfRoute(name)}`);
    expect(silent).toEqual([]);
    expect(open.sort()).toEqual(PUBLIC);
    for (const names of Object.values(skipped)) names.sort();
    expect(skipped).toEqual(NOT_AUDITED);
    expect(audited).toBeGreaterThan(100);
  });
});
