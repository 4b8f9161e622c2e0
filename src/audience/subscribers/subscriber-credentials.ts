import type { PipelineStage } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { toObjectId, withoutNullish } from '#libs/persistence';
import { isGiven } from '#libs/validation';
import type { IntegrationsService } from '../../channels/integrations/index.js';
import { type ChannelCredentialsDto, MAX_DEVICE_TOKENS, type SubscriberCredentialsDto } from './subscriber.dto.js';
import { CREDENTIAL_TEXT_KEYS, type CredentialTextKey } from './subscriber.schema.js';
import type { MissingIntegration } from './subscribers.errors.js';

export type TokenMode = 'replace' | 'append';

export interface LinkedCredentials {
  readonly providerId: string;
  readonly integrationId: string;
  readonly integrationIdentifier: string;
  readonly credentials: SubscriberCredentialsDto;
}

export interface LinkResult {
  readonly entries: readonly LinkedCredentials[];
  readonly missing: readonly MissingIntegration[];
}

export async function linkCredentials(
  integrations: IntegrationsService,
  tenant: Pick<TenantContext, 'environmentId'>,
  dtos: readonly ChannelCredentialsDto[],
): Promise<LinkResult> {
  const choices = dtos.map(({ providerId, integrationIdentifier }) => ({
    providerId,
    identifier: integrationIdentifier || undefined,
  }));
  const known = await integrations.findActiveByProvider(tenant, choices);
  const entries: LinkedCredentials[] = [];
  const missing: MissingIntegration[] = [];
  for (const [place, dto] of dtos.entries()) {
    const { providerId, credentials } = dto;
    const found = known[place];
    if (found === undefined) missing.push(dto);
    else {
      const [integrationId, integrationIdentifier] = [found.id, found.identifier];
      entries.push({ providerId, credentials: withoutEmptyTexts(credentials), integrationId, integrationIdentifier });
    }
  }
  return { entries, missing };
}

/** An empty text removes a key, as null does. */
function withoutEmptyTexts(credentials: SubscriberCredentialsDto): SubscriberCredentialsDto {
  return Object.fromEntries(Object.entries(credentials).map(([key, value]) => [key, value === '' ? null : value]));
}

export function mergePipeline(entries: readonly LinkedCredentials[], mode: TokenMode): PipelineStage.Set[] {
  return entries.map((entry) => mergeStage(entry, mode));
}

/**
 * Update stage that merges credentials into the entry of their integration, or adds one, without losing concurrent
 * writes. Null removes a key. Beyond the token limit, the oldest ones are dropped: they are least likely to be in use.
 */
function mergeStage(entry: LinkedCredentials, mode: TokenMode): PipelineStage.Set {
  const id = toObjectId(entry.integrationId);
  const { providerId, integrationIdentifier } = entry;
  const tokens = givenTokens(entry.credentials);
  const texts = givenTexts(entry.credentials);
  const isWithoutTokens = entry.credentials.deviceTokens === null;
  const head = { $literal: { providerId, _integrationId: id, integrationIdentifier } };
  const fresh = {
    $literal: {
      providerId,
      _integrationId: id,
      integrationIdentifier,
      credentials: { ...withoutNullish(texts), ...(tokens && { deviceTokens: tokens }) },
    },
  };
  const merged = {
    $mergeObjects: [
      '$$entry',
      head,
      {
        credentials: withoutNullMembers({
          $mergeObjects: [
            '$$entry.credentials',
            { $literal: { ...texts, ...(isWithoutTokens && { deviceTokens: null }) } },
            ...(tokens ? [{ deviceTokens: tokensExpression(tokens, mode) }] : []),
          ],
        }),
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

function withoutNullMembers(of: object): object {
  const given = { $filter: { input: { $objectToArray: of }, as: 'member', cond: { $ne: ['$$member.v', null] } } };
  return { $arrayToObject: given };
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

/**
 * {@link mergeStage} for subscribers that are not stored: those of dry runs, and of triggers whose key may not write. A test compares
 * the two.
 * @returns undefined if there are none and none are given
 */
export function appendTokens(
  stored: readonly string[] | undefined,
  credentials: SubscriberCredentialsDto,
): string[] | undefined {
  if (credentials.deviceTokens === null) return undefined;
  const tokens = givenTokens(credentials);
  if (tokens === undefined || tokens.length === 0) return tokens ?? (stored && [...stored]);
  const union = [...new Set([...(stored ?? []), ...tokens])];
  if (union.length <= MAX_DEVICE_TOKENS) return union;
  const room = MAX_DEVICE_TOKENS - tokens.length;
  const kept = (stored ?? []).filter((token) => !tokens.includes(token));
  return [...(room === 0 ? [] : kept.slice(-room)), ...tokens];
}

function givenTokens({ deviceTokens }: SubscriberCredentialsDto): string[] | undefined {
  return isGiven(deviceTokens) ? [...new Set(deviceTokens)] : undefined;
}

function givenTexts(credentials: SubscriberCredentialsDto): Record<string, string | null> {
  const given = CREDENTIAL_TEXT_KEYS.map((key) => [key, credentials[key]] as const);
  return Object.fromEntries(given.filter((pair): pair is [CredentialTextKey, string | null] => pair[1] !== undefined));
}
