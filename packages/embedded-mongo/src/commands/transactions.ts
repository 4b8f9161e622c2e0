import { Double } from 'bson';
import { decode, encode } from '../bson/codec.js';
import { noSuchTransaction, StoreError, transient } from '../errors.js';
import { sealed, unsealedDocument } from '../store/checksum.js';
import type { Engine } from '../store/engine.js';
import { committedKey, COMMITTED_RANGE } from '../store/keyspace.js';
import { Transaction } from '../store/transaction.js';

export const SESSION_MINUTES = 30;
const SESSION_MS = SESSION_MINUTES * 60_000;
/** As MongoDB's `transactionLifetimeLimitSeconds`: the state that a transaction reads takes room in the data file. */
const LIFETIME_MS = 60_000;
/** Each holds one of the readers that LMDB has. */
const MOST_OPEN = 64;
/** Sessions whose last transaction has ended. */
const MOST_ENDED = 10_000;

/** The last transaction of a session. */
interface Session {
  readonly number: bigint;
  /** Undefined once it has ended. */
  transaction: Transaction | undefined;
  /** While it is being stored, and from then on. */
  commit: Promise<void> | undefined;
  /** Connections that it was used on. */
  readonly connections: Set<number>;
  readonly timer: NodeJS.Timeout;
}

/** Which transaction a command belongs to. */
export interface TransactionId {
  /** The bytes of the session's id. */
  session: Buffer;
  number: bigint;
}

/** The transactions of all sessions. One ends when it is stored or given up, and when its session, its client or its time ends. */
export class Transactions {
  private readonly sessions = new Map<string, Session>();

  constructor(
    private readonly engine: Engine,
    private readonly lifetimeMs = LIFETIME_MS,
  ) {}

  start(id: TransactionId, connection: number): Transaction {
    const key = keyOf(id);
    const last = this.sessions.get(key);
    this.assertNotOld(id, last);
    if (last?.number === id.number)
      throw new StoreError('ConflictingOperationInProgress', `transaction ${id.number} was started before`, {}, 117);
    if (last) this.give(last);
    if (this.engine.changes.openTransactions >= MOST_OPEN)
      throw transient('TemporarilyUnavailable', `${MOST_OPEN} transactions are open; try again`, 365);
    const transaction = new Transaction(this.engine);
    const timer = setTimeout(() => this.give(session), this.lifetimeMs);
    timer.unref();
    const session: Session = {
      number: id.number,
      transaction,
      commit: undefined,
      connections: new Set([connection]),
      timer,
    };
    this.sessions.delete(key);
    this.sessions.set(key, session);
    return transaction;
  }

  /** The open transaction of a command that does not start one. */
  continue(id: TransactionId, connection: number): Transaction {
    const session = this.sessions.get(keyOf(id));
    this.assertNotOld(id, session);
    if (session?.number !== id.number || !session.transaction)
      throw session?.number === id.number && session.commit
        ? new StoreError('TransactionCommitted', `transaction ${id.number} has been committed`)
        : noSuchTransaction(`transaction ${id.number} has been aborted or was never started`);
    session.connections.add(connection);
    return session.transaction;
  }

  /** Stores a transaction; asked again, also after a crash, it says what became of it. */
  async commit(id: TransactionId): Promise<void> {
    const session = this.sessions.get(keyOf(id));
    this.assertNotOld(id, session);
    if (session?.number === id.number) {
      const { transaction } = session;
      if (transaction) session.commit = this.store(id, session, transaction);
      if (session.commit) return session.commit;
    } else if (this.wasStored(id)) return;
    throw noSuchTransaction(`transaction ${id.number} has been aborted or was never started`);
  }

  private async store(id: TransactionId, session: Session, transaction: Transaction): Promise<void> {
    session.transaction = undefined;
    clearTimeout(session.timer);
    try {
      if (transaction.hasWrites) await transaction.commit(() => this.remember(id));
    } catch (error) {
      session.commit = undefined;
      throw error;
    } finally {
      transaction.end();
      this.forgetSome();
    }
  }

  abort(id: TransactionId): void {
    this.continue(id, 0);
    this.giveUp(id);
  }

  /** Ends a transaction if it is open. */
  giveUp(id: TransactionId): void {
    const session = this.sessions.get(keyOf(id));
    if (session?.number === id.number) this.give(session);
  }

  /** A client is gone when all connections are closed on which it has used the transaction. */
  disconnected(connection: number): void {
    for (const session of this.sessions.values()) {
      if (session.transaction && session.connections.delete(connection) && session.connections.size === 0)
        this.give(session);
    }
  }

  /** @param session the bytes of its id; all sessions if undefined */
  end(session?: Buffer): void {
    for (const key of session ? [session.toString('latin1')] : [...this.sessions.keys()]) {
      const present = this.sessions.get(key);
      if (present) this.give(present);
    }
  }

  close(): void {
    this.end();
  }

  /** Removes what is known of transactions whose sessions have expired; called from time to time. */
  async sweep(): Promise<void> {
    const old = [...this.engine.range(COMMITTED_RANGE)].filter(({ key, value }) => {
      const raw = unsealedDocument(key, value);
      return !raw || Date.now() - Number(decode(raw).at) > SESSION_MS;
    });
    if (old.length > 0) await this.engine.write(() => old.forEach(({ key }) => this.engine.remove(key)));
  }

  private give(session: Session): void {
    clearTimeout(session.timer);
    session.transaction?.end();
    session.transaction = undefined;
  }

  private forgetSome(): void {
    for (const [key, { transaction }] of this.sessions) {
      if (this.sessions.size <= MOST_ENDED) return;
      if (!transaction) this.sessions.delete(key);
    }
  }

  private assertNotOld({ number }: TransactionId, last: Session | undefined): void {
    if (last && number < last.number)
      throw new StoreError('TransactionTooOld', `transaction ${number} is older than ${last.number}`, {}, 225);
  }

  /** Stored with the transaction itself. */
  private remember({ session, number }: TransactionId): void {
    const key = committedKey(session);
    this.engine.put(key, sealed(key, encode({ number: String(number), at: new Double(Date.now()) })));
  }

  private wasStored({ session, number }: TransactionId): boolean {
    const key = committedKey(session);
    const stored = this.engine.get(key);
    const raw = stored && unsealedDocument(key, stored);
    return raw !== undefined && decode(raw).number === String(number);
  }
}

const keyOf = ({ session }: TransactionId): string => session.toString('latin1');
