import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** The browser of this machine; nothing happens where there is none. */
export function openInBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.unref();
}
