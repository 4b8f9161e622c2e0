type Recipient = string | { type: 'Topic'; topicKey: string };

/**
 * The recipients of a trigger.
 * @param subscribers ids, one per line
 * @param topics keys, one per line
 */
export function recipientsOf(subscribers: string, topics: string): Recipient[] {
  return [...linesOf(subscribers), ...linesOf(topics).map((topicKey) => ({ type: 'Topic' as const, topicKey }))];
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}
