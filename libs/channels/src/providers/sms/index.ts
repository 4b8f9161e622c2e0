import type { ChannelProvider } from '../../core/provider.js';
import { genericSms } from './generic-sms.js';
import { azureSms } from './azure-sms.js';
import { bandwidth, bulkSms, burstSms, clickatell, clicksend, kannel, simpletexting } from './global.js';
import { firetext, gupshup } from './gateways.js';
import { infobipSms } from './infobip-sms.js';
import { messagebird } from './messagebird.js';
import { nexmo } from './nexmo.js';
import { plivo } from './plivo.js';
import { africasTalking, brevoSms, fortySixElks, sms77, termii } from './regional.js';
import { createRingCentral } from './ring-central.js';
import { sns } from './sns.js';
import { telnyx } from './telnyx.js';
import { twilio } from './twilio.js';

/** Providers with caches of tokens are created per registry. */
export function createSmsProviders(): readonly ChannelProvider[] {
  return [
    africasTalking,
    azureSms,
    bandwidth,
    brevoSms,
    bulkSms,
    burstSms,
    clickatell,
    clicksend,
    firetext,
    fortySixElks,
    genericSms,
    gupshup,
    infobipSms,
    kannel,
    messagebird,
    nexmo,
    plivo,
    createRingCentral(),
    simpletexting,
    sms77,
    sns,
    telnyx,
    termii,
    twilio,
  ];
}
