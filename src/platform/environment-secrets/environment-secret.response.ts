import { shown } from '#libs/http-kit';
import type { EnvironmentSecret } from './environment-secret.schema.js';

/** A secret without its value. */
export class SecretResponse {
  /**
   * Name, as requests of workflows use it: `{{secrets.NAME}}`.
   * @example CRM_TOKEN
   */
  name: string;
  /**
   * Hosts that it may be sent to. Empty for a secret of an earlier version, which is sent to none until it is bound.
   * @example ["crm.example.com"]
   */
  hosts: string[];
  createdAt: Date;
  /** When the value or the hosts were set. */
  updatedAt: Date;
}

type ShownSecret = Pick<EnvironmentSecret, 'name' | 'hosts' | 'createdAt' | 'updatedAt'>;

export function showSecret({ name, hosts = [], createdAt, updatedAt }: ShownSecret): SecretResponse {
  return shown(SecretResponse, { name, hosts: [...hosts], createdAt, updatedAt });
}
