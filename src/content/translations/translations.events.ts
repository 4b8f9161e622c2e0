import type { TenantContext } from '#libs/common';

/** A message was made whose reader's locale lacks translations. */
export class TranslationsMissed {
  constructor(
    readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly locale: string,
    readonly keys: readonly string[],
  ) {}
}
