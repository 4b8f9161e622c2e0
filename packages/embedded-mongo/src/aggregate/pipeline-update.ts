import { isDoc, type Doc } from '../bson/codec.js';
import { failedToParse, StoreError } from '../errors.js';
import { compileDocumentStage } from './document-stages.js';

const ALLOWED = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

/** The pipeline form of an update: stages that make one document of one document. */
export function compileDocumentPipeline(stages: unknown[], variables: Doc): (doc: Doc) => Doc {
  const compiled = stages.map((stage) => {
    if (!isDoc(stage) || Object.keys(stage).length !== 1)
      throw failedToParse('A pipeline stage specification object must contain exactly one field.');
    const [name = '', argument] = Object.entries(stage)[0] as [string, unknown];
    if (!ALLOWED.has(name))
      throw new StoreError('InvalidOptions', `${name} is not allowed to be used within an update`);
    return compileDocumentStage(name, argument, variables);
  });
  return (doc) => compiled.reduce((current, stage) => stage(current), doc);
}
