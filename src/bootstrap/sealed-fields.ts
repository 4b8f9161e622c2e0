import { SEALED_KEY } from '../platform/auth/index.js';
import { SEALED_CONDITION_SECRET, SEALED_FORMER_CONDITION_SECRET } from '../platform/condition-secrets/index.js';
import { SEALED_ENVIRONMENT_SECRET } from '../platform/environment-secrets/index.js';
import { SEALED_RESULT } from '../http/idempotency/index.js';
import { SEALED_CREDENTIALS } from '../channels/integrations/index.js';
import { SEALED_TOTP } from '../people/users/index.js';
import { SEALED_FORMER_SECRET, SEALED_SECRET } from '../outcomes/webhooks/index.js';

/** A change of the encryption key must reach all of them. */
export const SEALED_FIELDS = [
  SEALED_KEY,
  SEALED_RESULT,
  SEALED_CONDITION_SECRET,
  SEALED_FORMER_CONDITION_SECRET,
  SEALED_ENVIRONMENT_SECRET,
  SEALED_CREDENTIALS,
  SEALED_TOTP,
  SEALED_SECRET,
  SEALED_FORMER_SECRET,
];
