import { mongo } from 'mongoose';
import type { AuditEntry } from '../../../../src/outcomes/audit-log/index.js';

const ENTRIES = 'auditEntries';
const DAY_MS = 86_400_000;

/** Whose log has an entry. */
export interface EntryOwner {
  readonly organizationId: string;
  readonly environmentId: string;
}

export type CommandResult = Partial<Pick<AuditEntry, 'resource' | 'changes'>>;
/** What a command does. `program`: in place of a browser. */
export type CommandDraft = Pick<AuditEntry, 'action' | 'resource' | 'changes'> & { readonly program: string };
export type EntryRow = Omit<AuditEntry, 'deletedAt' | 'deletedBy'>;

/** Entries of a command that opens the store itself, where no Herald writes them. */
export class CommandEntries {
  /** @param keptDays 0: for good */
  constructor(
    private readonly db: mongo.Db,
    private readonly keptDays: number,
  ) {}

  /** For what concerns the whole store. */
  async ownersOfAll(): Promise<EntryOwner[]> {
    const rows = await this.db
      .collection<{ _organizationId: mongo.ObjectId }>('environments')
      .find({}, { projection: { _organizationId: 1 } })
      .toArray();
    return rows.map(({ _id, _organizationId }) => ({
      organizationId: _organizationId.toHexString(),
      environmentId: _id.toHexString(),
    }));
  }

  rowsOf(owners: readonly EntryOwner[], { program, ...draft }: CommandDraft): EntryRow[] {
    const now = new Date();
    return owners.map(({ organizationId, environmentId }) => ({
      _id: new mongo.ObjectId(),
      _organizationId: new mongo.ObjectId(organizationId),
      _environmentId: new mongo.ObjectId(environmentId),
      ...draft,
      actor: { type: 'command_line', id: 'command line', name: 'command line' },
      via: 'command',
      ip: '',
      userAgent: program,
      requestId: '',
      ...(this.keptDays > 0 && { expireAt: new Date(now.getTime() + this.keptDays * DAY_MS) }),
      deleted: false,
      createdAt: now,
      updatedAt: now,
      __v: 0,
    }));
  }

  /** Before the command: without an outcome until it is finished. */
  async begin(owners: readonly EntryOwner[], draft: CommandDraft): Promise<EntryRow[]> {
    const rows = this.rowsOf(owners, draft);
    if (rows.length > 0) await this.entries.insertMany(rows);
    return rows;
  }

  /** For what is seen only when it is complete. */
  async done(rows: readonly EntryRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.entries.insertMany(rows.map((row) => ({ ...row, outcome: 'done', untoldSince: row.createdAt })));
  }

  /** The Herald of the store tells webhooks, within minutes. */
  async finish(rows: readonly EntryRow[], result: CommandResult): Promise<void> {
    const now = new Date();
    const $set = { ...result, outcome: 'done' as const, untoldSince: now, updatedAt: now };
    for (const { _id } of rows) await this.entries.updateOne({ _id }, { $set });
  }

  /** Of what has changed nothing. */
  async withdraw(rows: readonly Pick<EntryRow, '_id'>[]): Promise<void> {
    for (const { _id } of rows) await this.entries.deleteOne({ _id });
  }

  private get entries(): mongo.Collection<EntryRow> {
    return this.db.collection<EntryRow>(ENTRIES);
  }
}
