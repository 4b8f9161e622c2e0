import type { ChannelProvider } from '../../core/provider.js';
import { genericSms } from './generic-sms.js';
import { bandwidth, bulkSms, burstSms, clickatell, clicksend, kannel } from './global.js';
import { infobipSms } from './infobip-sms.js';
import { messagebird } from './messagebird.js';
import { nexmo } from './nexmo.js';
import { plivo } from './plivo.js';
import { africasTalking, brevoSms, fortySixElks, sms77, termii } from './regional.js';
import { sns } from './sns.js';
import { telnyx } from './telnyx.js';
import { twilio } from './twilio.js';

export const SMS_PROVIDERS: readonly ChannelProvider[] = [
  africasTalking,
  bandwidth,
  brevoSms,
  bulkSms,
  burstSms,
  clickatell,
  clicksend,
  fortySixElks,
  genericSms,
  infobipSms,
  kannel,
  messagebird,
  nexmo,
  plivo,
  sms77,
  sns,
  telnyx,
  termii,
  twilio,
];
