import { DeletableRecordResponse, PlainRecordResponse, RecordResponse } from './record.response.js';
import { type EveryField, shower, shown } from './shown.js';

class Row {
  _id = { toHexString: () => '1a' };
  _environmentId = { toHexString: () => '2b' };
  _organizationId = { toHexString: () => '3c' };
  createdAt = new Date('2026-01-01');
  updatedAt = new Date('2026-01-02');
  __v = 4;
  deleted = false;
  name = 'Orders';
  label: string | null = null;
  description?: string;
}

class ThingResponse extends RecordResponse {
  name: string;
  kind: 'thing';
  description?: string;
}

class OddResponse extends RecordResponse {
  deleted: boolean;
}

const shownFields = {
  _id: '1a',
  id: '1a',
  _environmentId: '2b',
  _organizationId: '3c',
  createdAt: new Date('2026-01-01'),
  updatedAt: new Date('2026-01-02'),
};

describe('shower', () => {
  it('should show the fields of the base and its own, ids first and times last', () => {
    const show = shower(ThingResponse, (row: Row) => ({ name: row.name, kind: 'thing' as const }));
    const response = show(new Row());
    expect(response).toBeInstanceOf(ThingResponse);
    expect(response).toEqual({ ...shownFields, __v: 4, name: 'Orders', kind: 'thing' });
    expect(Object.keys(response)).toEqual([
      '_id',
      'id',
      'name',
      'kind',
      '_environmentId',
      '_organizationId',
      'createdAt',
      'updatedAt',
      '__v',
    ]);
  });

  it('should show of the base what the response extends and no more', () => {
    class PlainResponse extends PlainRecordResponse {}
    class DeletableResponse extends DeletableRecordResponse {}
    expect(shower(PlainResponse, (_row: Row) => ({}))(new Row())).toEqual(shownFields);
    expect(shower(DeletableResponse, (_row: Row) => ({}))(new Row())).toEqual({
      ...shownFields,
      __v: 4,
      deleted: false,
    });
  });

  it('should hand on what the response needs beside the row', () => {
    const show = shower(ThingResponse, (_row: Row, name: string, description?: string) => ({
      name,
      kind: 'thing' as const,
      ...(description !== undefined && { description }),
    }));
    expect(show(new Row(), 'A')).toMatchObject({ name: 'A' });
    expect(show(new Row(), 'A', 'B')).toMatchObject({ name: 'A', description: 'B' });
  });

  it('should leave out optional fields that are undefined', () => {
    const show = shower(ThingResponse, (row: Row) => ({
      name: row.name,
      kind: 'thing' as const,
      description: row.description,
    }));
    expect(Object.keys(show(new Row()))).not.toContain('description');
  });

  it('should not compile where a literal of every field lacks an optional one', () => {
    const fields = { name: 'Orders', kind: 'thing' } as const;
    // @ts-expect-error the description is missing
    expect(fields satisfies EveryField<ThingResponse, RecordResponse>).toEqual(fields);
  });

  // Each of these has to fail to compile: `npm run check:static -- types` reports a directive that no error follows.
  it('should not compile where a field is wrong', () => {
    const { name } = new Row();
    const kind = 'thing' as const;
    const wrong = [
      // @ts-expect-error a required field is missing
      shower(ThingResponse, (_row: Row) => ({ name })),
      // @ts-expect-error a required field is optional
      shower(ThingResponse, (row: Row) => ({ kind, ...(row.deleted && { name }) })),
      // @ts-expect-error a required field is misspelt
      shower(ThingResponse, (_row: Row) => ({ nmae: name, kind })),
      // @ts-expect-error a field has the wrong type
      shower(ThingResponse, (_row: Row) => ({ name: 5, kind })),
      // @ts-expect-error a field has a value that its type does not list
      shower(ThingResponse, (_row: Row) => ({ name, kind: 'thong' as const })),
      // @ts-expect-error a field may be null
      shower(ThingResponse, (row: Row) => ({ name: row.label, kind })),
      // @ts-expect-error an optional field may be null
      shower(ThingResponse, (row: Row) => ({ name, kind, description: row.label })),
      // @ts-expect-error a required field may be undefined
      shower(ThingResponse, (row: Row) => ({ name: row.description, kind })),
      // @ts-expect-error an optional field has the wrong type in a spread
      shower(ThingResponse, (row: Row) => ({ name, kind, ...(row.deleted && { description: 5 }) })),
      // @ts-expect-error an optional field is misspelt
      shower(ThingResponse, (_row: Row) => ({ name, kind, descripton: 'x' })),
      // @ts-expect-error an optional field is misspelt in a spread
      shower(ThingResponse, (row: Row) => ({ name, kind, ...(row.deleted && { descripton: 'x' }) })),
      // @ts-expect-error one of two results has a field too many
      shower(ThingResponse, (row: Row) => (row.deleted ? { name, kind, extra: 1 } : { name, kind })),
      // @ts-expect-error the whole row is shown
      shower(ThingResponse, (row: Row) => ({ ...row, kind })),
      // @ts-expect-error a field of the base is shown by hand
      shower(ThingResponse, (row: Row) => ({ name, kind, __v: row.__v })),
      // @ts-expect-error the response shows whether it is deleted and its base does not
      shower(OddResponse, (_row: Row) => ({})),
      // @ts-expect-error the row lacks what the base shows
      shower(ThingResponse, (_row: Omit<Row, '__v'>) => ({ name, kind })),
    ];
    expect(wrong).toHaveLength(16);
  });
});

class PartResponse {
  size: number;
  note?: string;
}

describe('shown', () => {
  it('should be an instance of the class with the fields given', () => {
    const response = shown(PartResponse, { size: 1, note: 'x' });
    expect(response).toBeInstanceOf(PartResponse);
    expect(response).toEqual({ size: 1, note: 'x' });
  });

  it('should leave out optional fields that are undefined', () => {
    expect(Object.keys(shown(PartResponse, { size: 1, note: undefined }))).toEqual(['size']);
  });

  it('should not compile where a field is wrong', () => {
    const isNoted = Math.abs(-1) === 1;
    const wrong = [
      // @ts-expect-error a required field is missing
      shown(PartResponse, {}),
      // @ts-expect-error a required field is misspelt
      shown(PartResponse, { siez: 1 }),
      // @ts-expect-error a field has the wrong type
      shown(PartResponse, { size: '1' }),
      // @ts-expect-error a field is null
      shown(PartResponse, { size: null }),
      // @ts-expect-error an optional field is null
      shown(PartResponse, { size: 1, note: null }),
      // @ts-expect-error an optional field is misspelt
      shown(PartResponse, { size: 1, noet: 'x' }),
      // @ts-expect-error an optional field is misspelt in a spread
      shown(PartResponse, { size: 1, ...(isNoted && { noet: 'x' }) }),
    ];
    expect(wrong).toHaveLength(7);
  });
});
