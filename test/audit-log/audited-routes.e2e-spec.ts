import { RequestMethod, type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { RouteAccess } from '#libs/http-kit';
import { useTestApi } from '../support/test-api.js';

/** Operations that change something, or seem to, and are not in the audit log. */
const NOT_AUDITED: Record<string, string[]> = {
  'changes nothing': [
    'checkIntegration',
    'dryRunEvent',
    'dryRunSchedule',
    'lookAtInvitation',
    'previewDraftStep',
    'previewLayout',
    'previewPromotion',
    'previewSchedule',
    'previewStep',
  ],
  'what a person did with messages': ['actOnMessage', 'markAllMessages', 'markMessages', 'markMessagesLegacy'],
  'the presence of a person, which changes all the time': ['setSubscriberOnlineStatus'],
  'only in a Herald for tests': ['moveTestClock'],
};
/** Public, and no change by somebody who manages Herald: sessions of subscribers, callbacks of providers, links in mails. */
const PUBLIC = [
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
    expect(open.sort()).toEqual(PUBLIC);
    for (const names of Object.values(skipped)) names.sort();
    expect(skipped).toEqual(NOT_AUDITED);
    expect(audited).toBeGreaterThan(100);
  });
});
