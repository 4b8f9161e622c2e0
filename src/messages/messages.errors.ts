import { AppException } from '#libs/http-kit';

export class MessageNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'message_not_found',
      `This environment has no message with the id '${id}'. List them with GET /v1/messages.`,
    );
  }
}

export class MessageNotOfSubscriber extends AppException {
  constructor(id: string, subscriberId: string) {
    super(
      404,
      'message_not_found',
      `The subscriber '${subscriberId}' has no message with the id '${id}'. List theirs with GET /v1/messages?subscriberId=…`,
    );
  }
}

export class NoMessageOfTransaction extends AppException {
  constructor(transactionId: string) {
    super(
      404,
      'message_not_found',
      `There is no such message of the transaction '${transactionId}'. Check the id and the channel.`,
    );
  }
}
