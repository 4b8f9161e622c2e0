import type { StepTypeDeclaration } from '#libs/plugins';
import { isObject } from '#libs/validation';
import { checkRequest, httpRequestMembers } from './http-request.schema.js';

export const httpRequest = {
  type: 'http_request',
  group: 'action',
  label: 'HTTP request',
  description: 'Asks or tells another system, and hands its answer to later steps.',
  summary: [
    { text: '{template.method} {template.url}' },
    { text: 'POST {template.url}' },
    { text: 'Calls another system.' },
  ],
  canHaveVariants: true,
  lane: 'http',
  template: httpRequestMembers,
  checkTemplate: checkRequest,
  compiles: ({ responseBodySchema }) =>
    isObject(responseBodySchema) ? [{ member: 'responseBodySchema', as: 'JSON Schema' }] : [],
  needs: ({ template: { url, headers, body } }) => ({ texts: [url, headers, body] }),
  trail: {
    answered: { text: 'HTTP request was answered', status: 'Success' },
    notJson: { text: 'The answer to the HTTP request is not JSON', status: 'Warning' },
    unfit: { text: 'The answer to the HTTP request does not fit its schema', status: 'Warning' },
    retried: { text: 'HTTP request failed and will be retried', status: 'Warning' },
    failed: { text: 'HTTP request failed', status: 'Failed' },
    notSent: { text: 'HTTP request was not sent', status: 'Warning' },
  },
  reasons: {
    http_request: {
      title: 'The request of the step failed',
      remedy: 'Fix what the server reported, or the step, then replay the notification.',
    },
  },
} satisfies StepTypeDeclaration;
