import type { PipelineStage } from 'mongoose';
import { toObjectId } from '#libs/persistence';
import { type ChannelCredentialsDto, MAX_DEVICE_TOKENS, type SubscriberCredentialsDto } from './subscriber.dto.js';

/** Whether given device tokens replace the stored ones or are added to them. */
export type TokenMode = 'replace' | 'append';

/** Credentials with the integration that they belong to. */
export interface LinkedCredentials {
  readonly providerId: string;
  readonly integrationId: string;
  readonly integrationIdentifier: string;
  readonly credentials: SubscriberCredentialsDto;
}

const TEXT_KEYS = ['webhookUrl', 'channel', 'alertUid', 'title', 'imageUrl', 'state', 'externalUrl'] as const;

export function linked(
  { providerId, credentials }: ChannelCredentialsDto,
  integration: { id: string; identifier: string },
): LinkedCredentials {
  return { providerId, credentials, integrationId: integration.id, integrationIdentifier: integration.identifier };
}

/**
 * One stage of an update pipeline that merges credentials into the entry of their integration, or adds the entry: the
 * store does it in one step, so that no parallel write is lost. Given keys win, others stay, null takes a key away.
 * Where appending goes beyond the limit of tokens, the oldest ones give way: they are
 * the ones that no device uses any more.
 */
export function mergeStage(entry: LinkedCredentials, mode: TokenMode): PipelineStage.Set {
  const id = toObjectId(entry.integrationId);
  const { providerId, integrationIdentifier } = entry;
  const tokens = givenTokens(entry.credentials);
  const texts = givenTexts(entry.credentials);
  const head = { $literal: { providerId, _integrationId: id, integrationIdentifier } };
  const fresh = {
    $literal: {
      providerId,
      _integrationId: id,
      integrationIdentifier,
      credentials: { ...withoutNulls(texts), ...(tokens && { deviceTokens: tokens }) },
    },
  };
  const merged = {
    $mergeObjects: [
      '$$entry',
      head,
      {
        credentials: {
          $mergeObjects: [
            '$$entry.credentials',
            { $literal: texts },
            ...(tokens ? [{ deviceTokens: tokensExpression(tokens, mode) }] : []),
          ],
        },
      },
    ],
  };
  return {
    $set: {
      channels: {
        $cond: [
          { $in: [id, '$channels._integrationId'] },
          {
            $map: {
              input: '$channels',
              as: 'entry',
              in: { $cond: [{ $eq: ['$$entry._integrationId', id] }, merged, '$$entry'] },
            },
          },
          { $concatArrays: ['$channels', [fresh]] },
        ],
      },
    },
  };
}

function tokensExpression(tokens: readonly string[], mode: TokenMode): object {
  if (mode === 'replace' || tokens.length === 0) return { $literal: tokens };
  const stored = { $ifNull: ['$$entry.credentials.deviceTokens', []] };
  const kept = {
    $filter: { input: stored, as: 'token', cond: { $not: [{ $in: ['$$token', { $literal: tokens }] }] } },
  };
  const added = {
    $filter: { input: { $literal: tokens }, as: 'token', cond: { $not: [{ $in: ['$$token', stored] }] } },
  };
  const room = MAX_DEVICE_TOKENS - tokens.length;
  const union = { $concatArrays: [stored, added] };
  const overfull = { $gt: [{ $size: union }, MAX_DEVICE_TOKENS] };
  const newest =
    room === 0 ? { $literal: tokens } : { $concatArrays: [{ $slice: [kept, -room] }, { $literal: tokens }] };
  return { $cond: [overfull, newest, union] };
}

/** Undefined: not given. Null counts as an empty list, which takes all away. */
function givenTokens({ deviceTokens }: SubscriberCredentialsDto): string[] | undefined {
  return deviceTokens === undefined ? undefined : [...new Set(deviceTokens ?? [])];
}

function givenTexts(credentials: SubscriberCredentialsDto): Record<string, string | null> {
  const given = TEXT_KEYS.map((key) => [key, credentials[key]] as const);
  return Object.fromEntries(
    given.filter((pair): pair is [(typeof TEXT_KEYS)[number], string | null] => pair[1] !== undefined),
  );
}

function withoutNulls(texts: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter((pair): pair is [string, string] => pair[1] !== null));
}
