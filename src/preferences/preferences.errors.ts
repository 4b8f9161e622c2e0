import { AppException } from '#libs/http-kit';

export class NoPreferenceGiven extends AppException {
  constructor(channelField: 'channel' | 'preferences') {
    super(400, 'no_preference_given', `Say what is to change: send '${channelField}', 'enabled' or both.`);
  }
}
