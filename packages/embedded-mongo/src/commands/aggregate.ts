import { isDoc, toInteger } from '../bson/codec.js';
import { failedToParse, StoreError } from '../errors.js';
import { checkPipeline, runPipeline } from '../aggregate/pipeline.js';
import { type Context, namespaceOf, type Request } from './context.js';
import { variablesOf } from './find.js';
import { assertOptions } from './options.js';

const OPTIONS = ['pipeline', 'cursor', 'allowDiskUse', 'let', 'hint', 'bypassDocumentValidation'];

export async function aggregate(context: Context, request: Request): Promise<Buffer> {
  const { command } = request;
  assertOptions('aggregate', command, OPTIONS);
  if (typeof command.aggregate !== 'string') {
    throw new StoreError(
      'NotImplemented',
      'aggregations on a database ({aggregate: 1}) are not supported by the embedded store',
    );
  }
  const ns = namespaceOf(request, command.aggregate);
  if (!isDoc(command.cursor))
    throw failedToParse("The 'cursor' option is required, except for aggregate with the explain argument");
  const { batchSize } = command.cursor;
  const variables = variablesOf(command.let);
  checkPipeline(context, ns, command.pipeline, variables, request);
  const size = batchSize === undefined ? undefined : toInteger(batchSize, 'batchSize');
  return context.cursors.start(ns, request, size, false, (reader) =>
    runPipeline(context, ns, command.pipeline, variables, reader, command.hint),
  );
}
