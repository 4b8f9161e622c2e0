import { Injectable } from '@nestjs/common';
import { shown } from '#libs/http-kit';
import type { KeyRights } from '#libs/common';
import { SecretVisibility } from '../../platform/auth/index.js';
import { IntegrationResponse } from './integration.response.js';
import { maskCredentials } from './masked-credentials.js';

/** Every route that shows an integration must use this masking. */
@Injectable()
export class IntegrationAnswers {
  constructor(private readonly visibility: SecretVisibility) {}

  async one(caller: KeyRights, integration: Promise<IntegrationResponse>): Promise<IntegrationResponse> {
    return this.asVisible(caller, await integration);
  }

  async many(caller: KeyRights, integrations: Promise<IntegrationResponse[]>): Promise<IntegrationResponse[]> {
    return (await integrations).map((integration) => this.asVisible(caller, integration));
  }

  private asVisible(caller: KeyRights, integration: IntegrationResponse): IntegrationResponse {
    if (this.visibility.isFullFor(caller)) return integration;
    const credentials = maskCredentials(integration.credentials);
    return shown(IntegrationResponse, { ...integration, credentials });
  }
}
