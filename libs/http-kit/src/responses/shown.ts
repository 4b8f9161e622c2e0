import type { PlainRecordResponse, RecordRow } from './record.response.js';

type KeysOf<T> = T extends unknown ? keyof T : never;

/**
 * Forbids fields that the shape lacks. TypeScript does not check excess properties of a spread, such as `...(x !==
 * undefined && { descripton: x })`.
 */
type NothingBeyond<Shape, Given> = { [Key in Exclude<KeysOf<Given>, keyof Shape>]?: never };

type Own<Response, Base> = Omit<Response, keyof Base>;

/** A response class whose base fills its own fields. */
type RecordType<Response extends Base, Base, Row> = (new () => Response) & { fieldsOf(row: Row): Base };

/** A field that is missing, misspelt or of the wrong type does not compile. */
export function shown<Response extends object, Given extends Response>(
  type: new () => Response,
  fields: Given & NothingBeyond<Response, Given>,
): Response {
  return Object.assign(new type(), fields);
}

/**
 * Makes the function that shows a stored record: the base class of the response fills its fields, `own` gives all others.
 * A field that is missing, misspelt or of the wrong type does not compile.
 *
 * @param own of the row, and of whatever else the response needs
 * @example
 * export const showFeed = shower(FeedResponse, (row: Feed) => ({ name: row.name, identifier: row.identifier }));
 */
export function shower<
  Response extends Base,
  Base extends PlainRecordResponse,
  BaseRow extends RecordRow,
  Row extends BaseRow,
  Context extends unknown[],
  Given extends Own<Response, Base>,
>(
  type: RecordType<Response, Base, BaseRow>,
  own: (row: Row, ...context: Context) => Given & NothingBeyond<Own<Response, Base>, Given>,
): (row: Row, ...context: Context) => Response {
  return (row, ...context) => {
    const { _id, id, ...rest } = type.fieldsOf(row);
    return Object.assign(new type(), { _id, id }, own(row, ...context), rest);
  };
}
