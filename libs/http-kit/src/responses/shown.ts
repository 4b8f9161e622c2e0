import type { PlainRecordResponse, RecordRow } from './record.response.js';

type KeysOf<T> = T extends unknown ? keyof T : never;

/** TypeScript does not check excess properties of a spread, such as `...(x !== undefined && { descripton: x })`. */
type NothingBeyond<Shape, Given> = { [Key in Exclude<KeysOf<Given>, keyof Shape>]?: never };

type Own<Response, Base> = Omit<Response, keyof Base>;

/** For a literal that must not forget an optional field. */
export type EveryField<Response, Base> = { [Field in keyof Required<Own<Response, Base>>]: Own<Response, Base>[Field] };

type RecordType<Response extends Base, Base, Row> = (new () => Response) & { fieldsOf(row: Row): Base };

/** Omits optional fields that are undefined. Missing, misspelt or wrongly typed fields do not compile. */
export function shown<Response extends object, Given extends Response>(
  type: new () => Response,
  fields: Given & NothingBeyond<Response, Given>,
): Response {
  return fill(new type(), fields);
}

/**
 * Makes the function that shows a stored record: the base class of the response fills its fields, `own` gives all others.
 * An optional field that is undefined is left out. A field that is missing, misspelt or of the wrong type does not compile.
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
    const base = type.fieldsOf(row);
    const response = new type();
    response._id = base._id;
    response.id = base.id;
    // Setting the ids again keeps them in front.
    return fill(fill(response, own(row, ...context)), base);
  };
}

function fill<Response extends object>(response: Response, fields: object): Response {
  const given = fields as Partial<Response>;
  for (const key of Object.keys(fields) as (keyof Response)[]) {
    const value = given[key];
    if (value !== undefined) response[key] = value;
  }
  return response;
}
