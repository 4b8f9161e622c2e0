import {
  DynamicModule,
  Global,
  Inject,
  Injectable,
  Module,
  OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import mongoose, { type Connection } from 'mongoose';
import { AppConfig } from '#libs/config';
import { durabilityOf } from './durability.js';
import { endWritesOfClosedConnections } from './driver-connections.js';
import { connectToStore, type ConnectedStore } from './connect-to-store.js';
import { type PluginMigrations, prepareStore, type StoreSchema } from './migrations/prepare-store.js';
import { databaseOf } from './raw-collection.js';
import { callerScope } from './plugins/caller-scope.plugin.js';
import { ReferenceGuard } from './reference-guard.js';
import { openStore, type Store } from './store.js';
import { UnusableStoreError } from './unusable-store-error.js';
import { Walls } from './walls.js';

const CONNECT_TIMEOUT_MS = 10_000;
const SELECTION_TIMEOUT_MS = 3_000;
const STORE = Symbol('store');

/** The store did not answer in time at start, or rejected the credentials. */
export class StoreUnreachableError extends Error {
  constructor(description: string, cause: unknown) {
    const { message } = cause as Error;
    const reason = message.endsWith('.') ? message.slice(0, -1) : message;
    const text = isLoginFault(cause)
      ? `does not accept the credentials in MONGODB_URI: ${reason}. ` +
        'Check user, password (special characters are percent-encoded) and authSource, and that the user may read and write there.'
      : `could not be reached within ${CONNECT_TIMEOUT_MS / 1000} s: ${reason}. ` +
        'Check MONGODB_URI and that the server is running.';
    super(`The store (${description}) ${text}`, { cause });
    this.name = 'StoreUnreachableError';
  }
}

/** Unauthorized, AuthenticationFailed, and Atlas's own code. */
const LOGIN_FAULTS = new Set<unknown>([13, 18, 8000]);

function isLoginFault(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError && LOGIN_FAULTS.has(error.code);
}

/** Closes the connection, then the store, after all modules that use them. */
@Injectable()
class StoreShutdown implements OnApplicationShutdown {
  constructor(
    @Inject(getConnectionToken()) private readonly connection: Connection,
    @Inject(STORE) private readonly store: Store,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    // A connection that is only closed stays in Mongoose's list, with its models.
    await this.connection.destroy();
    await this.store.close();
  }
}

@Global()
@Module({})
export class MongoModule {
  /**
   * @param schema whose migrations run before anything else uses the store
   * @param ofPlugins likewise, after those of Herald
   */
  static forRoot(store: Store, schema: StoreSchema, ofPlugins: readonly PluginMigrations[] = []): DynamicModule {
    return MongoModule.of({ provide: STORE, useValue: store }, schema, ofPlugins);
  }

  /** With the store that the settings name, which the module opens itself. */
  static forSettings(schema: StoreSchema, ofPlugins: readonly PluginMigrations[] = []): DynamicModule {
    const open = (config: AppConfig): Promise<Store> =>
      openStore(config, (error) => {
        throw error;
      });
    return MongoModule.of({ provide: STORE, useFactory: open, inject: [AppConfig] }, schema, ofPlugins);
  }

  private static of(store: Provider, schema: StoreSchema, ofPlugins: readonly PluginMigrations[]): DynamicModule {
    const connect = (opened: Store): Promise<Connection> => openConnection(opened, schema, ofPlugins);
    return {
      module: MongoModule,
      providers: [
        store,
        { provide: getConnectionToken(), useFactory: connect, inject: [STORE] },
        StoreShutdown,
        Walls,
        ReferenceGuard,
      ],
      exports: [getConnectionToken(), STORE, ReferenceGuard],
    };
  }

  /** For tools that inspect the module graph: opens no connection. */
  static forPreview(): DynamicModule {
    const connection = mongoose.createConnection();
    return {
      module: MongoModule,
      providers: [{ provide: getConnectionToken(), useValue: connection }, ReferenceGuard],
      exports: [getConnectionToken(), ReferenceGuard],
    };
  }
}

async function openConnection(
  store: Store,
  schema: StoreSchema,
  ofPlugins: readonly PluginMigrations[],
): Promise<Connection> {
  const { connection, contents } = await connect(store);
  try {
    endWritesOfClosedConnections(connection);
    connection.plugin(callerScope);
    await prepareStore(databaseOf(connection), contents, schema, ofPlugins);
    return connection;
  } catch (error) {
    await connection.destroy();
    throw error;
  }
}

async function connect(store: Store): Promise<ConnectedStore> {
  const deadline = Date.now() + CONNECT_TIMEOUT_MS;
  const options = {
    // Short, so that requests get a 503 soon if the store becomes unavailable.
    serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS,
    // A hanging attempt would keep the driver from noticing that the store is available again.
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    ...durabilityOf(store.uri),
    bufferCommands: false,
    maxPoolSize: 20,
    monitorCommands: store.monitorCommands === true,
  };
  for (;;) {
    try {
      return await connectToStore(store, options, store.mayShare);
    } catch (error) {
      if (error instanceof UnusableStoreError) throw error;
      if (isLoginFault(error)) throw new StoreUnreachableError(store.description, error);
      if (Date.now() + SELECTION_TIMEOUT_MS > deadline) throw new StoreUnreachableError(store.description, error);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
