/** Begins an element that connects to another host although no policy allows to load anything from there. */
const CONNECTING = /<(?:link|iframe)\b/gi;
/** No element for the reader; attributes of the others mean nothing on it. */
const NOTHING = '<meta';

/**
 * The page of the innermost frame of a mail. Policies do not stop `<link rel="preconnect">`, which opens a connection, and
 * `dns-prefetch`, which asks for a name: both tell the sender that the mail is read. A frame within the mail could have them in an
 * attribute. It is the text that is changed, because browsers look for links in it before they parse it.
 */
export function mailPage(html: string): string {
  // Links open in a new tab, which the sandbox refuses, instead of taking the place of the mail.
  const head = '<!doctype html><meta http-equiv="x-dns-prefetch-control" content="off"><base target="_blank">';
  return head + html.replaceAll(CONNECTING, NOTHING);
}
