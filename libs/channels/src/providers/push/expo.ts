import type { Verdict } from '../../declarative/answer.js';
import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { byCode, LIMITED, PASSING, REJECTED, UNAUTHORIZED } from '../../declarative/verdicts.js';
import type { Receipt } from '../../core/provider.js';
import { without } from './push-fields.js';

/** One ticket per token, in the order of the request. */
function tickets(json: unknown): readonly unknown[] {
  const data = at(json, 'data');
  return Array.isArray(data) ? data : [];
}

function deadTokens(json: unknown, targets: readonly string[]): string[] {
  return targets.filter((_target, index) => textAt(tickets(json)[index], 'details.error') === 'DeviceNotRegistered');
}

/** Errors instead of tickets mean that no part of the request was accepted. */
function refusedRequest(json: unknown): Verdict | undefined {
  const message = textAt(json, 'errors.0.message');
  if (message === undefined) return undefined;
  return { message, ...(textAt(json, 'errors.0.code') === 'TOO_MANY_REQUESTS' && LIMITED) };
}

const judged = byCode([UNAUTHORIZED, 'InvalidCredentials MismatchSenderId'], [PASSING, 'ProviderError']);

function verdict(json: unknown, _answer: unknown, targets: readonly string[]): Verdict | undefined {
  const all = tickets(json);
  if (all.length === 0) return refusedRequest(json);
  if (all.some((ticket) => textAt(ticket, 'status') === 'ok')) return undefined;
  const kinds = all.map((ticket) => textAt(ticket, 'details.error'));
  const message = textAt(all[0], 'message') ?? 'every ticket is an error';
  if (kinds.includes('MessageRateExceeded')) return { message, ...LIMITED };
  const invalidTokens = deadTokens(json, targets);
  if (invalidTokens.length > 0) return { message, code: 'invalid_target', retryable: false, invalidTokens };
  return { message, ...(judged(kinds[0]) ?? REJECTED) };
}

export const expo = defineHttpProvider({
  id: 'expo',
  channel: 'push',
  base: 'https://exp.host',
  targetsPerRequest: 100,
  request: ({ message, c }) => ({
    path: '/--/api/v2/push/send',
    headers: { authorization: bearer(c('apiKey')) },
    json: message.target.map((to) => ({
      to,
      title: message.title,
      body: message.content,
      data: message.payload,
      ...without(message.overrides, 'deviceTokens'),
    })),
  }),
  answer: {
    id: (json) =>
      tickets(json)
        .map((ticket) => textAt(ticket, 'id'))
        .find((id) => id !== undefined),
    error: ['errors.0.message'],
    refusesInBody: true,
    verdict,
    invalidTokens: deadTokens,
    tickets: (json, targets) =>
      targets.flatMap((target, index) => {
        const id = textAt(tickets(json)[index], 'id');
        return id === undefined ? [] : [{ id, target }];
      }),
  },
  receipts: {
    request: (ids, c) => ({
      path: '/--/api/v2/push/getReceipts',
      headers: { authorization: bearer(c('apiKey')) },
      json: { ids },
    }),
    read: (json) =>
      new Map(Object.entries(Object(at(json, 'data')) as object).map(([id, one]) => [id, receiptOf(one)])),
  },
});

function receiptOf(receipt: unknown): Receipt {
  if (textAt(receipt, 'status') !== 'error') return {};
  const kind = textAt(receipt, 'details.error');
  const error = [kind, textAt(receipt, 'message')].filter((text) => text !== undefined).join(': ');
  return { error: error || 'error without a text', ...(kind === 'DeviceNotRegistered' && { isInvalid: true }) };
}
