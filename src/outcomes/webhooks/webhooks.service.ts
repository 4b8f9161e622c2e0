import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { type Caller, Clock, type TenantContext } from '#libs/common';
import { Concealed, Page, type PageQuery, MASKED } from '#libs/http-kit';
import {
  ownedBy,
  partialUpdate,
  NEWEST_FIRST,
  softDeleted,
  type TenantFilter,
  type TenantModel,
  toObjectId,
} from '#libs/persistence';
import { newSigningSecret, SecretBox } from '#libs/secrets';
import { SecretVisibility } from '../../platform/auth/index.js';
import { assertMayHear, hearsOnlyWhatIsOpenTo } from './audit-listening.js';
import { EndpointDirectory } from './endpoint-directory.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { SEALED_SECRET, WebhookEndpoint } from './webhook-endpoint.schema.js';
import type { CreateWebhookDto, UpdateWebhookDto } from './webhooks.dto.js';
import { TooManyWebhooks, WebhookNotFound } from './webhooks.errors.js';
import {
  type CreatedWebhookResponse,
  showCreatedWebhook,
  showWebhook,
  type WebhookResponse,
  WebhookSecretResponse,
} from './webhooks.response.js';

const MAX_WEBHOOKS = 50;
/** A replaced secret also signs for this time, so that receivers lose no events. */
const FORMER_SECRET_MS = 86_400_000;

@Injectable()
export class WebhooksService {
  constructor(
    @InjectModel(WebhookEndpoint.name) private readonly endpoints: TenantModel<WebhookEndpoint>,
    private readonly directory: EndpointDirectory,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly visibility: SecretVisibility,
  ) {}

  /** @throws {ScopeMissing} */
  async create(
    tenant: Caller,
    { url, events, description, active }: CreateWebhookDto,
  ): Promise<CreatedWebhookResponse> {
    assertMayHear(tenant, events);
    const count = await this.endpoints.countDocuments({ _environmentId: tenant.environmentId }).exec();
    if (count >= MAX_WEBHOOKS) throw new TooManyWebhooks(MAX_WEBHOOKS);
    const secret = newSigningSecret();
    const _id = new Types.ObjectId();
    const row = await this.endpoints.create({
      _id,
      ...ownedBy(tenant),
      url,
      events,
      ...(typeof description === 'string' && { description }),
      active: active ?? true,
      activeSince: new Date(),
      sealedSecret: this.secrets.seal(secret, SEALED_SECRET.of(_id, tenant.environmentId)),
    });
    this.directory.forget(tenant.environmentId);
    return showCreatedWebhook(row.toObject(), secret);
  }

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<WebhookResponse>> {
    const { rows, hasMore } = await this.endpoints.page(tenant, {}, { ...query, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => showWebhook(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  async get(tenant: TenantContext, id: string): Promise<WebhookResponse> {
    return showWebhook(await this.directory.get(tenant, id));
  }

  /** For the audit log. */
  async getConcealed(tenant: TenantContext, id: string): Promise<object> {
    const row = await this.directory.get(tenant, id);
    return { ...showWebhook(row), secret: new Concealed(row.sealedSecret) };
  }

  /** Absent fields are unchanged. An endpoint that becomes active receives only later events. @throws {ScopeMissing} */
  async update(tenant: Caller, id: string, dto: UpdateWebhookDto): Promise<WebhookResponse> {
    const { url, events, description } = dto;
    assertMayHear(tenant, events);
    const own = await this.changeable(tenant, id);
    const active = dto.active === null ? true : dto.active;
    if (active === true) {
      await this.endpoints.updateOne(
        { ...own, active: false },
        { $set: { active: true, activeSince: new Date() }, $unset: { disabledAt: 1, disabledReason: 1 } },
      );
    }
    const row = await this.endpoints
      .findOneAndUpdate(own, partialUpdate({ url, events, description, active }, ['url', 'events']), {
        returnDocument: 'after',
      })
      .lean()
      .exec();
    this.directory.forget(tenant.environmentId);
    if (row === null) throw new WebhookNotFound(id);
    if (!row.active) await this.deliveries.giveUp(tenant, id, 'The webhook was made inactive.');
    return showWebhook(row);
  }

  /** @throws {ScopeMissing} */
  async remove(tenant: Caller, id: string): Promise<void> {
    const { matchedCount } = await this.endpoints.updateOne(
      await this.changeable(tenant, id),
      softDeleted(tenant.apiKeyId, this.clock.now()),
    );
    this.directory.forget(tenant.environmentId);
    if (matchedCount === 0) throw new WebhookNotFound(id);
    await this.deliveries.giveUp(tenant, id, 'The webhook was deleted.');
  }

  /** Masked if stored secrets are never shown. */
  async revealSecret(caller: Caller, id: string): Promise<WebhookSecretResponse> {
    const shown = this.secretOf(await this.directory.get(caller, id));
    return this.visibility.isFullFor(caller) ? shown : { ...shown, secret: MASKED };
  }

  /** The former secret also signs for a day. */
  async rotateSecret(tenant: TenantContext, id: string): Promise<WebhookSecretResponse> {
    const now = this.clock.now();
    const sealedSecret = this.secrets.seal(newSigningSecret(), SEALED_SECRET.of(toObjectId(id), tenant.environmentId));
    const until = new Date(now.getTime() + FORMER_SECRET_MS);
    // the former secret is taken from the record itself
    const update = [
      {
        $set: {
          formerSecret: { sealed: '$sealedSecret', until },
          sealedSecret: { $literal: sealedSecret },
          updatedAt: now,
        },
      },
    ];
    const row = await this.endpoints
      .findOneAndUpdate(own(tenant, id), update, { returnDocument: 'after', updatePipeline: true, timestamps: false })
      .lean()
      .exec();
    this.directory.forget(tenant.environmentId);
    if (row === null) throw new WebhookNotFound(id);
    return this.secretOf(row);
  }

  /** Also holds if the webhook begins to hear more in between. @throws {ScopeMissing} @throws {WebhookNotFound} */
  private async changeable(caller: Caller, id: string): Promise<TenantFilter<WebhookEndpoint>> {
    const { events } = await this.directory.get(caller, id);
    assertMayHear(caller, events);
    return { ...own(caller, id), ...hearsOnlyWhatIsOpenTo(caller) };
  }

  private secretOf({ _id, _environmentId, sealedSecret, formerSecret }: WebhookEndpoint): WebhookSecretResponse {
    const isValid = formerSecret !== undefined && formerSecret.until > this.clock.now();
    return {
      secret: this.secrets.open(sealedSecret, SEALED_SECRET.of(_id, _environmentId)),
      ...(isValid && { formerSecretUntil: formerSecret.until }),
    };
  }
}

function own(tenant: TenantContext, id: string): TenantFilter<WebhookEndpoint> {
  return { _id: id, _environmentId: tenant.environmentId };
}
