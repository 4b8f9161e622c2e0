/** Channels have names wherever messages are, also where no type of step is known. */
const CHANNELS: Readonly<Record<string, string>> = {
  in_app: 'In-app',
  email: 'Email',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
};

const learned = new Map<string, string>();

export function learnLabels(types: readonly { readonly type: string; readonly label: string }[]): void {
  for (const { type, label } of types) learned.set(type, label);
}

/** Herald's word for a type of step or a channel; of one that it does not tell, the type in words. */
export function typeLabel(type: string): string {
  return learned.get(type) ?? CHANNELS[type] ?? inWords(type);
}

function inWords(type: string): string {
  const words = type.replaceAll(/[-_]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
