import { type Channel, findProvider, malformedCredentials, missingCredentials } from '#libs/channels';
import type { Condition, ConditionGroup } from '#libs/conditions';
import { isGiven } from '#libs/validation';
import { shortId, slugOf } from '#libs/persistence';
import { readTracking, type Tracking } from '../../platform/recipient-links/index.js';
import { type IntegrationCredentials, readCredentials } from './credentials.js';
import { templateFaults } from './credential-templates.js';
import type { CreateIntegrationDto, UpdateIntegrationDto } from './integration.dto.js';

export interface IntegrationDraft {
  readonly providerId: string;
  readonly channel: Channel;
  readonly name: string;
  readonly identifier: string | undefined;
  readonly credentials: IntegrationCredentials;
  readonly active: boolean;
  readonly retryUncertain?: boolean;
  readonly tracking?: Tracking | undefined;
  readonly messagesPerSecond?: number | undefined;
  readonly conditions: ConditionGroup[];
}

const SHORT_ID_LENGTH = 10;
const SLUG_LENGTH = 200;
/** Gateways of the compatible system's cloud */
export const HOSTED_DEMOS: ReadonlySet<string> = new Set(['novu-email', 'novu-sms']);

/** Uses the provider's id if the name has no slug. */
export function newIdentifier({ name, providerId }: Pick<IntegrationDraft, 'name' | 'providerId'>): string {
  const [slug = 'integration'] = [name, providerId]
    .map((text) => slugOf(text, SLUG_LENGTH))
    .filter((text) => text !== '');
  return `${slug}-${shortId(SHORT_ID_LENGTH, 'mixed')}`;
}

export function draftOf(dto: CreateIntegrationDto): IntegrationDraft {
  const { providerId, channel } = dto;
  return {
    providerId,
    channel,
    name: dto.name || defaultName(providerId, channel),
    identifier: dto.identifier || undefined,
    credentials: readCredentials(dto.credentials ?? {}),
    active: dto.active ?? false,
    ...(dto.retryUncertain === true && { retryUncertain: true }),
    ...(dto.tracking && { tracking: readTracking(dto.tracking) }),
    ...(isGiven(dto.messagesPerSecond) && { messagesPerSecond: dto.messagesPerSecond }),
    conditions: readConditions(dto.conditions),
  };
}

/** Absent fields are kept; credentials and conditions are replaced as a whole. */
export function updatedDraft(
  before: IntegrationDraft & { identifier: string },
  dto: UpdateIntegrationDto,
): IntegrationDraft & { identifier: string } {
  return {
    ...before,
    name: dto.name || before.name,
    identifier: dto.identifier || before.identifier,
    active: dto.active === undefined ? before.active : (dto.active ?? false),
    retryUncertain: (dto.retryUncertain === undefined ? before.retryUncertain : dto.retryUncertain) ?? false,
    ...(dto.tracking !== undefined && { tracking: dto.tracking === null ? undefined : readTracking(dto.tracking) }),
    ...(dto.messagesPerSecond !== undefined && { messagesPerSecond: dto.messagesPerSecond ?? undefined }),
    ...(dto.credentials !== undefined && { credentials: readCredentials(dto.credentials ?? {}) }),
    ...(dto.conditions !== undefined && { conditions: readConditions(dto.conditions) }),
  };
}

/** `check` alone does not count. */
export function isEmptyUpdate(dto: UpdateIntegrationDto): boolean {
  const { name, identifier, _environmentId } = dto;
  const { active, retryUncertain, messagesPerSecond, credentials, conditions, tracking } = dto;
  const unset = [active, retryUncertain, messagesPerSecond, credentials, conditions, tracking];
  return ![name, identifier, _environmentId].some(isGiven) && unset.every((value) => value === undefined);
}

/** Opens and clicks are those of mails. */
export function trackingFaults({ channel, tracking }: Pick<IntegrationDraft, 'channel' | 'tracking'>): string[] {
  if (tracking === undefined || channel === 'email') return [];
  return [
    `tracking is for email integrations; leave it out, or send null, for an integration of the channel ${channel}`,
  ];
}

export function usabilityFaults({ providerId, channel, credentials }: IntegrationDraft): string[] {
  if (HOSTED_DEMOS.has(providerId)) {
    return [
      `providerId '${providerId}' is a hosted demo with nothing behind it here: it cannot be active. Choose another`,
    ];
  }
  const provider = findProvider(providerId, channel);
  if (provider !== undefined) {
    return [
      ...missingCredentials(provider, credentials),
      ...malformedCredentials(provider, credentials),
      ...templateFaults(provider, credentials),
    ];
  }
  const other = findProvider(providerId);
  return [
    other === undefined
      ? `providerId '${providerId}' is not a known provider: an integration of it cannot be active or checked`
      : `providerId '${providerId}' is a provider of the channel ${other.channel}, not of ${channel}`,
  ];
}

function defaultName(providerId: string, channel: Channel): string {
  const provider = findProvider(providerId, channel) ?? findProvider(providerId);
  return provider?.displayName ?? providerId.charAt(0).toUpperCase() + providerId.slice(1);
}

function readConditions(groups: readonly ConditionGroup[] | null | undefined): ConditionGroup[] {
  return (groups ?? []).map((group) => ({
    ...pick(group, ['isNegated', 'type', 'value']),
    children: group.children.map((child): Condition => ({
      on: child.on,
      ...pick(child, ['field', 'operator', 'value']),
    })),
  }));
}

function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  return Object.fromEntries(
    keys.filter((key) => from[key] !== undefined && from[key] !== null).map((key) => [key, from[key]]),
  ) as Partial<Pick<T, K>>;
}
