import type { TenantContext } from '#libs/common';

/** A subscriber's weekly schedule was set. */
export class ScheduleChanged {
  constructor(
    readonly tenant: Pick<TenantContext, 'environmentId'>,
    /** Of the subscriber's record. */
    readonly subscriberId: string,
  ) {}
}
