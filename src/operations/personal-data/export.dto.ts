import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, OptionalString, shown } from '#libs/http-kit';
import { KINDS } from './held-records.js';

const MAX_CURSOR = 255;
const MAX_RECORDS = 500;

export class ExportQuery {
  /** The `next` of the page before. */
  @OptionalString(MAX_CURSOR)
  cursor?: string;

  /** Number of records. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_RECORDS)
  limit: number = 100;
}

export class ExportedRecordResponse {
  /** What the record is. */
  @ApiProperty({ enum: KINDS, example: 'message' })
  kind: string;
  /** The record as it is stored. A notification has the `event` that triggered it and its `details`. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data: object;
}

export class ExportResponse {
  /** The subscriber first, then preferences, topics, notifications, messages, schedules and questions, each oldest first. */
  @ApiProperty({ type: [ExportedRecordResponse] })
  records: ExportedRecordResponse[];
  /**
   * The `cursor` of the next page. Absent on the last one.
   * @example NA
   */
  next?: string;
}

export function showExport(rows: readonly { kind: string; data: object }[], next: string | undefined): ExportResponse {
  const records = rows.map(({ kind, data }) => shown(ExportedRecordResponse, { kind, data }));
  return shown(ExportResponse, { records, ...(next !== undefined && { next }) });
}
