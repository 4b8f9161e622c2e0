import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema } from 'mongoose';
import { Clock } from '#libs/common';
import { rawCollection, shardBy, shared } from '#libs/persistence';
import type { VerifiedClaims } from './session-tokens.js';
import { SessionInvalid } from './sessions.errors.js';
import { type SubscriberSession, SubscriberSessionsService } from './subscriber-sessions.service.js';

/** The page needs one round trip. */
const TICKET_MS = 60_000;

/** Allows one request. The ticket itself is not stored. */
interface TicketRecord {
  /** Hash of the ticket. */
  _id: string;
  claims: Omit<VerifiedClaims, 'expiresAt'>;
  sessionEndsAt: Date;
  expireAt: Date;
}

export interface StreamTicket {
  readonly ticket: string;
  readonly expiresAt: Date;
}

export const STREAM_TICKET_MODEL = 'StreamTicket';
export const StreamTicketSchema = shared(
  new Schema({}, { collection: 'streamTickets', strict: false, versionKey: false, timestamps: false }),
);
shardBy(StreamTicketSchema, '_id');
StreamTicketSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/**
 * For requests that cannot carry a header. URLs end up in logs of proxies, so they carry a single-use ticket, not the
 * session token.
 */
@Injectable()
export class StreamTickets {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly sessions: SubscriberSessionsService,
    private readonly clock: Clock,
  ) {}

  async issue({ subscriber, organizationId, environmentId }: SubscriberSession): Promise<StreamTicket> {
    const ticket = randomBytes(24).toString('base64url');
    const expiresAt = new Date(this.clock.now().getTime() + TICKET_MS);
    const { id: _id, subscriberId, epochs, expiresAt: sessionEndsAt } = subscriber;
    const claims = { _id, subscriberId, organizationId, environmentId, ...(epochs && { epochs }) };
    await this.tickets.insertOne({ _id: hashOf(ticket), claims, sessionEndsAt, expireAt: expiresAt });
    return { ticket, expiresAt };
  }

  /** @throws {SessionInvalid} unless the ticket is valid and this is its first use, in any process */
  async redeem(ticket: string): Promise<SubscriberSession> {
    const row = await this.tickets.findOneAndDelete({ _id: hashOf(ticket) });
    if (row === null || row.expireAt <= this.clock.now()) throw new SessionInvalid();
    return this.sessions.resume({ ...row.claims, expiresAt: row.sessionEndsAt });
  }

  private get tickets(): mongo.Collection<TicketRecord> {
    return rawCollection<TicketRecord>(this.connection, 'streamTickets');
  }
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url');
}
