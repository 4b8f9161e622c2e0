import { shown } from '#libs/http-kit';
import type { EnvironmentSecret } from './environment-secret.schema.js';

/** A secret without its value. */
export class SecretResponse {
  /**
   * Name, as requests of workflows use it: `{{secrets.NAME}}`.
   * @example CRM_TOKEN
   */
  name: string;
  createdAt: Date;
  /** When the value was set. */
  updatedAt: Date;
}

type ShownSecret = Pick<EnvironmentSecret, 'name' | 'createdAt' | 'updatedAt'>;

export function showSecret({ name, createdAt, updatedAt }: ShownSecret): SecretResponse {
  return shown(SecretResponse, { name, createdAt, updatedAt });
}
