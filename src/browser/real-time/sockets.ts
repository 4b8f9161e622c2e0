import { type IncomingMessage, createServer, type Server as HttpServer, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Socket as NetSocket, BlockList, isIP, isIPv6 } from 'node:net';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { AppException, AppLogger } from '#libs/http-kit';
import { SessionInvalid, type SubscriberSession, SubscriberSessionsService } from '../subscriber-sessions/index.js';
import { Audience, type Connection } from './audience.js';
import { isSocketPath, ProcessLink, type SocketServer, CONNECT_TIMEOUT_MS } from './process-link.js';
import { type ClientSocket, SocketConnection } from './socket-connection.js';

/** On the port of the API, by websocket only. */
@Injectable()
export class Sockets implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly addressOf: ClientAddress;
  private readonly isOn: boolean;
  private door: Promise<{ readonly door: HttpServer; readonly server: SocketServer }> | undefined;
  private isClosing = false;
  private readonly deadlines = new ConnectDeadlines();

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly link: ProcessLink,
    private readonly sessions: SubscriberSessionsService,
    private readonly audience: Audience,
    private readonly logger: AppLogger,
    config: AppConfig,
  ) {
    this.addressOf = clientAddress(config.get('TRUST_PROXY'));
    this.isOn = config.get('REAL_TIME') === 'on';
  }

  onApplicationBootstrap(): void {
    if (!this.isOn) return;
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    server.on('upgrade', (request, socket, head) => {
      if (isSocketPath(request.url)) void this.accept(request, socket, head);
      else answerWithoutUpgrade(server, request, socket as NetSocket);
    });
  }

  /** Closes transports instead of ending sessions, so that browsers reconnect to another process. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    const { server } = (await this.door) ?? {};
    server?.engine.close();
  }

  private async accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const ignore = (): void => undefined;
    socket.on('error', ignore);
    try {
      const { door } = await (this.door ??= this.open());
      socket.off('error', ignore);
      if (this.isClosing) {
        socket.destroy();
        return;
      }
      this.deadlines.begin(socket);
      door.emit('upgrade', request, socket, head);
    } catch (error) {
      this.logger.error(error, Sockets.name);
      socket.destroy();
    }
  }

  /** The socket server gets a portless HTTP server, because it would intercept every request of the API. */
  private async open(): Promise<{ door: HttpServer; server: SocketServer }> {
    const server = await this.link.open();
    const door = createServer();
    server.attach(door);
    server.use((socket, next) => {
      this.admit(socket).then(
        () => next(),
        (error: unknown) => next(this.refusal(error)),
      );
    });
    server.on('connection', (socket) => this.connect(socket));
    return { door, server };
  }

  private async admit(socket: ClientSocket): Promise<void> {
    const { auth, query } = socket.handshake;
    const token: unknown = auth['token'] ?? query['token'];
    if (typeof token !== 'string') throw new SessionInvalid();
    const session = await this.sessions.authenticate(token);
    socket.data.session = session;
    this.audience.assertRoom({ session, address: this.addressOf(socket.request) });
  }

  private connect(socket: ClientSocket): void {
    const session = socket.data.session as SubscriberSession;
    this.deadlines.end(socket.request.socket);
    const connection: Connection = new SocketConnection(socket, session, this.addressOf(socket.request));
    try {
      this.audience.add(connection);
    } catch {
      socket.disconnect(true);
      return;
    }
    socket.once('disconnect', () => this.audience.remove(connection));
  }

  /** Sent to the client as `connect_error`. */
  private refusal(error: unknown): Error {
    if (error instanceof AppException) return new Error(error.message);
    this.logger.error(error, Sockets.name);
    return new Error('The service is unavailable.');
  }
}

/** A server with an upgrade listener must answer other requests that offer an upgrade as ordinary ones. */
function answerWithoutUpgrade(server: HttpServer, request: IncomingMessage, socket: NetSocket): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  socket.once('error', () => socket.destroy());
  response.once('finish', () => socket.end());
  response.assignSocket(socket);
  server.emit('request', request, response);
}

/** The names that `proxy-addr` knows. */
const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

type ClientAddress = (request: IncomingMessage) => string;

/** The last address in X-Forwarded-For that is not a trusted proxy's. */
function clientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = new BlockList();
  for (const network of trusted.flatMap((name) => NAMED_NETWORKS[name] ?? [name])) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    proxies.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  const isProxy = (address: string): boolean =>
    isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return ({ socket, headers }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    const hops = [...forwarded, socket.remoteAddress ?? ''].map((hop) => hop.trim().replace(/^::ffff:/, ''));
    return hops.findLast((hop) => !isProxy(hop)) || (hops.at(-1) ?? '');
  };
}

/** For the closing handshake that the socket server begins at the limit. */
const CLOSING_MS = 1_000;

/**
 * At the limit the socket server waits half a minute for the client to close; a client that does not answer is cut off
 * here.
 */
class ConnectDeadlines {
  private readonly timers = new WeakMap<Duplex, NodeJS.Timeout>();

  begin(socket: Duplex): void {
    const timer = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS + CLOSING_MS);
    this.timers.set(socket, timer.unref());
    socket.once('close', () => clearTimeout(timer));
  }

  /** The connection has a session. */
  end(socket: Duplex): void {
    clearTimeout(this.timers.get(socket));
  }
}
