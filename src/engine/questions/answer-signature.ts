import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { SecretBox } from '#libs/secrets';
import type { QuestionAnswer } from './question.schema.js';

const PURPOSE = 'question-answers';

type Signed = Omit<QuestionAnswer, 'signature' | 'subscriberId' | 'account'>;

/** Shows that an answer is as it was given: whoever writes into the store without the key of the store cannot make one. */
@Injectable()
export class AnswerSignatures {
  constructor(private readonly box: SecretBox) {}

  /** With the external id of the subscriber and the account left out, which an erasure removes. */
  sign(questionId: Types.ObjectId, answer: Signed): string {
    return this.signatureOf(questionId, answer, this.box.currentKeyId) ?? '';
  }

  isValid(questionId: Types.ObjectId, answer: QuestionAnswer): boolean {
    const expected = Buffer.from(this.signatureOf(questionId, answer, answer.signature.split('.')[0] ?? '') ?? '');
    const given = Buffer.from(answer.signature);
    return expected.length > 0 && expected.length === given.length && timingSafeEqual(expected, given);
  }

  private signatureOf(questionId: Types.ObjectId, answer: Signed, keyId: string): string | undefined {
    const { _subscriberId, value, via, apiKeyId = null, at } = answer;
    const said = JSON.stringify([questionId.toHexString(), _subscriberId.toHexString(), value, via, apiKeyId, at]);
    const mac = this.box.mac(PURPOSE, Buffer.from(said), keyId);
    return mac && `${keyId}.${mac.toString('base64url')}`;
  }
}
