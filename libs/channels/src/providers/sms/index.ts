import type { ChannelProvider } from '../../core/provider.js';
import { genericSms } from './generic-sms.js';
import { infobipSms } from './infobip-sms.js';
import { messagebird } from './messagebird.js';
import { nexmo } from './nexmo.js';
import { plivo } from './plivo.js';
import { sns } from './sns.js';
import { telnyx } from './telnyx.js';
import { twilio } from './twilio.js';

export const SMS_PROVIDERS: readonly ChannelProvider[] = [
  genericSms,
  infobipSms,
  messagebird,
  nexmo,
  plivo,
  sns,
  telnyx,
  twilio,
];
