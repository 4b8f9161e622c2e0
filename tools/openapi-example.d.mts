import type { Document, Schema } from '../test/support/routes.js';

export function exampleOf(document: Document, of: Schema | undefined): unknown;
