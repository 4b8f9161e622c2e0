import { RecordResponse, shower } from '#libs/http-kit';
import type { __Name__ } from './__file__.schema.js';

/** What callers see of __aText__. */
export class __Name__Response extends RecordResponse {
  /** Name, unique in the environment. @example First */
  name: string;
  /** What it is for. @example "To begin with" */
  description?: string;
}

export const show__Name__ = shower(__Name__Response, (row: __Name__) => ({
  name: row.name,
  ...(row.description !== undefined && { description: row.description }),
}));
