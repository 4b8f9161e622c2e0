export const DELIVERIES = 'deliveries';

export interface DeliveryJob {
  readonly to: string;
  readonly payload: Record<string, unknown>;
}
