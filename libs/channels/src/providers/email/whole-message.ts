import { Readable } from 'node:stream';
import * as base64 from 'nodemailer/lib/base64';
import type MimeNode from 'nodemailer/lib/mime-node';
import * as quotedPrintable from 'nodemailer/lib/qp';

/** Longer texts are encoded as a stream. */
const MAX_TEXT = 64 * 1024;

/**
 * The bytes of nodemailer's own stream in one piece. That stream passes each part through several streams, which costs
 * more than the rest of a mail.
 * @returns undefined for a message with attachments or long texts, which is streamed
 */
export function wholeMessage(message: MimeNode): Readable | undefined {
  if (!isShortText(message)) return undefined;
  const whole = piecesOf(message).join('');
  return Readable.from([Buffer.from(whole.endsWith('\n') ? whole : `${whole}\r\n`)], { objectMode: false });
}

function isShortText({ content, childNodes }: MimeNode): boolean {
  if (content === undefined) return childNodes.every(isShortText);
  // The stream breaks the last line differently if a text ends with a space.
  return typeof content === 'string' && content.length <= MAX_TEXT && !/[ \t]$/.test(content);
}

function piecesOf(node: MimeNode): string[] {
  const pieces = [node.buildHeaders(), '\r\n\r\n', bodyOf(node)];
  if (typeof node.multipart !== 'string') return pieces;
  const boundary = `--${String(node.boundary)}`;
  node.childNodes.forEach((child, place) => {
    pieces.push(`${place > 0 ? '\r\n' : ''}${boundary}\r\n`, ...piecesOf(child));
  });
  return [...pieces, `\r\n${boundary}--\r\n`];
}

function bodyOf(node: MimeNode): string {
  if (typeof node.content !== 'string') return '';
  const encoding = node.getTransferEncoding();
  if (encoding === 'quoted-printable') return quotedPrintable.wrap(quotedPrintable.encode(node.content));
  return encoding === 'base64' ? base64.wrap(base64.encode(node.content)) : node.content;
}
