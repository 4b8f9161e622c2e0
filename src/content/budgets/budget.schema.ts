import { Prop, Schema } from '@nestjs/mongoose';
import { type Channel, CHANNELS } from '#libs/channels';
import { defineSchema, TenantRecord, uniqueWhileAlive } from '#libs/persistence';

export const BUDGET_WINDOWS = ['day', 'rolling'] as const;
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];
export const BUDGET_UNITS = ['minutes', 'hours', 'days'] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];
export const OVER_BUDGET = ['drop', 'hold'] as const;
export type OverBudget = (typeof OVER_BUDGET)[number];

/** How many messages each subscriber of the environment gets, over all workflows. */
@Schema({ collection: 'budgets', timestamps: true })
export class Budget extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  /** Empty: all that leave Herald. */
  @Prop({ type: [String], enum: CHANNELS, default: [] })
  channels: Channel[];

  @Prop({ type: Number, required: true })
  max: number;

  @Prop({ type: String, enum: BUDGET_WINDOWS, required: true })
  window: BudgetWindow;

  /** Length of a rolling window. */
  @Prop({ type: Number })
  amount?: number;

  @Prop({ type: String, enum: BUDGET_UNITS })
  unit?: BudgetUnit;

  @Prop({ type: String, enum: OVER_BUDGET, required: true })
  over: OverBudget;

  /** Trigger identifier. */
  @Prop({ type: String })
  digestWorkflow?: string;

  @Prop({ type: Boolean, required: true })
  active: boolean;
}

export const BudgetSchema = defineSchema(Budget);
// clash check of create and rename
BudgetSchema.index({ _environmentId: 1, name: 1 }, uniqueWhileAlive);
// list, in both orders; those of an environment for its deliveries
BudgetSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
