import mongoose from 'mongoose';
import { WorkflowTooLarge } from './workflows.errors.js';

/** The store takes records of 16 MiB; the rest is for what is added to the steps. */
const MAX_BYTES = 15_000_000;

/** @throws {WorkflowTooLarge} when a workflow with these fields could not be stored */
export function assertSize(fields: object): void {
  const bytes = mongoose.mongo.BSON.calculateObjectSize(fields);
  if (bytes > MAX_BYTES) throw new WorkflowTooLarge(bytes, MAX_BYTES);
}
