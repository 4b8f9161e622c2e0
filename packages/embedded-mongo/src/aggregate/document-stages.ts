import { isDoc, type Doc } from '../bson/codec.js';
import { failedToParse, StoreError } from '../errors.js';
import { addAt, compileProjection } from '../query/projection.js';
import { compileExpression, type Expression } from '../expressions/expressions.js';

export type DocumentStage = (doc: Doc) => Doc;

export const DOCUMENT_STAGES = new Set(['$project', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith']);

/** Stages that turn each document into another one on its own. */
export function compileDocumentStage(name: string, argument: unknown, variables: Doc): DocumentStage {
  switch (name) {
    case '$project': {
      if (!isDoc(argument))
        throw new StoreError('Location15969', '$project specification must be an object', {}, 15969);
      return compileProjection(argument, variables, false) as DocumentStage;
    }
    case '$addFields':
    case '$set':
      return addFields(name, argument, variables);
    case '$unset':
      return unset(argument, variables);
    case '$replaceRoot':
      if (!isDoc(argument) || !('newRoot' in argument)) throw failedToParse('$replaceRoot needs a newRoot');
      return replaceRoot(compileExpression(argument.newRoot), variables);
    default:
      return replaceRoot(compileExpression(argument), variables);
  }
}

function addFields(name: string, argument: unknown, variables: Doc): DocumentStage {
  if (!isDoc(argument) || Object.keys(argument).length === 0)
    throw new StoreError(
      'Location40272',
      `${name} specification stage must be an object with at least one field`,
      {},
      40272,
    );
  const fields = flattened(argument, []).map(({ path, value }) => ({ path, value: compileExpression(value) }));
  return (doc) => {
    const out = { ...doc };
    const values = fields.map(({ value }) => value({ root: doc, variables }));
    fields.forEach(({ path }, index) => addAt(out, path, values[index]));
    return out;
  };
}

/** `{a: {b: 1}}` sets `a.b` and leaves the rest of `a` alone. */
function flattened(spec: Doc, prefix: string[]): { path: string[]; value: unknown }[] {
  return Object.entries(spec).flatMap(([name, value]) => {
    const path = [...prefix, ...name.split('.')];
    if (name.startsWith('$') || path.some((part) => part === '' || part.startsWith('$'))) {
      throw new StoreError(
        'Location16410',
        `FieldPath field names may not start with '$' or be empty: ${name}. Consider using $getField or $setField`,
        {},
        16410,
      );
    }
    const names = isDoc(value) ? Object.keys(value) : [];
    return isDoc(value) && names.length > 0 && !(names[0] as string).startsWith('$')
      ? flattened(value, path)
      : [{ path, value }];
  });
}

function unset(argument: unknown, variables: Doc): DocumentStage {
  const names = Array.isArray(argument) ? (argument as unknown[]) : [argument];
  if (names.length === 0 || !names.every((name) => typeof name === 'string' && name !== '')) {
    throw new StoreError('Location31002', '$unset specification must be a string or an array of strings', {}, 31002);
  }
  return compileProjection(
    Object.fromEntries(names.map((name) => [name as string, false])),
    variables,
    false,
  ) as DocumentStage;
}

function replaceRoot(root: Expression, variables: Doc): DocumentStage {
  return (doc) => {
    const next = root({ root: doc, variables });
    if (!isDoc(next))
      throw new StoreError('Location40228', "'newRoot' expression must evaluate to an object", {}, 40228);
    return next;
  };
}

/** The pipeline form of an update: stages that make one document of one document. */
export function compileDocumentPipeline(stages: unknown[], variables: Doc): DocumentStage {
  const compiled = stages.map((stage) => {
    if (!isDoc(stage) || Object.keys(stage).length !== 1)
      throw failedToParse('A pipeline stage specification object must contain exactly one field.');
    const [name = '', argument] = Object.entries(stage)[0] as [string, unknown];
    if (!DOCUMENT_STAGES.has(name))
      throw new StoreError('InvalidOptions', `${name} is not allowed to be used within an update`);
    return compileDocumentStage(name, argument, variables);
  });
  return (doc) => compiled.reduce((current, stage) => stage(current), doc);
}
