export const FROM = { from: 'news@herald.example', senderName: 'Herald' };
/** `{ email, name }`, as most libraries have it. */
export const people = ({ names }, list = []) =>
  list.map((email) => ({ email, ...(names?.[email] && { name: names[email] }) }));
export const sender = ({ from, senderName }) => ({ email: from, ...(senderName && { name: senderName }) });
export const answer = (message) => (message.replyTo === undefined ? undefined : people(message, [message.replyTo])[0]);
/** `"Name" <address>`, as the others have it. */
export const box = ({ email, name }) => (name ? `"${name.replaceAll('"', '\\"')}" <${email}>` : email);
export const boxes = (message, list) => (list === undefined ? undefined : people(message, list).map(box));
export const joined = (message, list) => boxes(message, list)?.join(', ');
export const answerBox = (message) => (message.replyTo === undefined ? undefined : box(answer(message)));
export const files = ({ attachments }, shape) =>
  attachments?.map((file) => shape({ ...file, base64: file.content.toString('base64') }));
export const pairs = (values, name, value) =>
  values === undefined ? undefined : Object.entries(values).map(([key, one]) => ({ [name]: key, [value]: one }));
/** What the library gives of a message without a text: not even the field. */
export const written = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
/** As SES wants it: what is not ASCII as encoded words. */
export const boxInAscii = ({ email, name }) =>
  name && /[^ -~]/.test(name) ? `=?UTF-8?B?${Buffer.from(name).toString('base64')}?= <${email}>` : box({ email, name });
