import { Novu as current } from '@novu/node';
import { Novu as older } from 'novu-node-0.24';
import { runWithClient } from '../support/legacy-client.js';

// The same suites once more, with the last client of the 0.24 line. What that one lacks is added to it here: it has all
// other methods of the 2.x line, with the same routes.
const olderMessages = new older('any').messages;
const currentMessages = new current('any').messages;
const lacking = 'deleteByTransactionId';
expect(lacking in olderMessages).toBe(false);
Object.defineProperty(Object.getPrototypeOf(olderMessages), lacking, { value: currentMessages[lacking] });

// The two versions have types of their own that differ in names only.
runWithClient(older as unknown as typeof current, { includeInactiveChannels: false });
