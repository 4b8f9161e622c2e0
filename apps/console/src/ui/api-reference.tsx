import type { VNode } from 'preact';
import { addressOf } from '../public-path.js';

export function ApiReference(): VNode {
  return <a href={addressOf('/api')}>API reference</a>;
}
