import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between one process and a server on this machine that others use as well. */
export class CuttableLink {
  /** Connections since it was cut. */
  refused = 0;
  private isCut = false;
  private readonly server = createServer((client) => this.pass(client));
  private readonly open = new Set<Socket>();

  private constructor(private readonly target: URL) {}

  static async to(url: string): Promise<CuttableLink> {
    const link = new CuttableLink(new URL(url));
    await new Promise<void>((resolve) => link.server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get url(): string {
    return `${this.target.protocol}//127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    this.refused = 0;
    for (const socket of this.open) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private pass(client: Socket): void {
    if (this.isCut) {
      this.refused += 1;
      client.destroy();
      return;
    }
    const target = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, target]) {
      this.open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.open.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.pipe(target).pipe(client);
  }
}
