import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { type NotificationRecord, TriggerEventStore } from '../../engine/delivery/index.js';
import type { Question } from '../../engine/questions/index.js';
import { ExecutionDetailsService } from '../../engine/execution-details/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { type ExportQuery, ExportResponse, showExport } from './export.dto.js';
import { type HeldPage, HeldRecords, type NamedPerson, type Position } from './held-records.js';

@Injectable()
export class ExportService {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly held: HeldRecords,
    private readonly events: TriggerEventStore,
    private readonly details: ExecutionDetailsService,
  ) {}

  /** @throws {SubscriberNotFound} @throws {ValidationFailed} for an invalid cursor */
  async page(tenant: TenantContext, subscriberId: string, { cursor, limit }: ExportQuery): Promise<ExportResponse> {
    const { _id } = await this.subscribers.get(tenant, subscriberId);
    const { organizationId, environmentId } = tenant;
    const person: NamedPerson = { organizationId, environmentId, id: new Types.ObjectId(_id), subscriberId };
    const page = await this.held.page(person, cursor ? positionOf(cursor) : { series: 0 }, limit);
    const next = page.next && cursorOf(page.next);
    return showExport(await this.withOrigins(tenant, subscriberId, page), next);
  }

  /** Adds the triggering events for this person and the details. */
  private async withOrigins(
    tenant: TenantContext,
    subscriberId: string,
    { rows }: HeldPage,
  ): Promise<{ kind: string; data: object }[]> {
    const runs = rows
      .filter(({ kind }) => kind === 'notification')
      .map(({ row }) => row as unknown as NotificationRecord);
    const events = new Map((await this.events.findOf(runs)).map((event) => [event._id.toHexString(), event]));
    const details = await this.details.listFor(
      tenant,
      runs.map(({ _id }) => _id.toHexString()),
      runs,
    );
    return rows.map(({ kind, row }) => {
      // Others who are in it are nobody's business.
      if (kind === 'schedule') return { kind, data: { ...row, subscribers: [subscriberId] } };
      if (kind === 'question') return { kind, data: ownPartOf(row as unknown as Question, subscriberId) };
      if (kind !== 'notification') return { kind, data: row };
      const { trail: _trail, ...run } = row as unknown as NotificationRecord;
      const event = events.get(run._eventId.toHexString());
      const origin = event && {
        name: event.name,
        payload: event.payload,
        overrides: event.overrides,
        to: event.recipients.list.find((entry) => entry.subscriberId === subscriberId),
      };
      return { kind, data: { ...run, event: origin, details: details.get(run._id.toHexString()) ?? [] } };
    });
  }
}

/** Others who are asked are nobody's business. */
function ownPartOf({ people, answers, ...question }: Question, subscriberId: string): object {
  return {
    ...question,
    people: people.filter((person) => person.subscriberId === subscriberId),
    answers: answers.filter((answer) => answer.subscriberId === subscriberId),
  };
}

function cursorOf({ series, last }: Position): string {
  const text = last ? [series, last.createdAt.getTime(), last._id.toHexString()].join('.') : String(series);
  return Buffer.from(text).toString('base64url');
}

const CURSOR = /^(\d{1,2})(?:\.(\d{1,15})\.([0-9a-f]{24}))?$/;

function positionOf(cursor: string): Position {
  const parts = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (parts === null) throw new ValidationFailed(['cursor must be the next of an earlier page']);
  const [, series, createdAt, id] = parts;
  if (createdAt === undefined || id === undefined) return { series: Number(series) };
  return { series: Number(series), last: { createdAt: new Date(Number(createdAt)), _id: new Types.ObjectId(id) } };
}
