import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Caller, CallingPerson } from '#libs/common';
import { networkOf } from '#libs/http-kit';
import { Passwords } from './passwords.js';
import { SignInLimits } from './sign-in-limits.js';
import { User } from './user.schema.js';
import { PasswordWrong, PersonNeeded } from './users.errors.js';

/** The password, or a code, before somebody changes how they sign in. */
@Injectable()
export class AccountPasswords {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
  ) {}

  /** @throws {PersonNeeded} */
  async userOf(caller: Caller): Promise<User> {
    return this.users.findById(personOf(caller).userId).orFail().lean().exec();
  }

  /** @throws {PersonNeeded} @throws {PasswordWrong} @throws {TooManySignIns} */
  async prove(caller: Caller, password: string, ip: string): Promise<User> {
    const user = await this.userOf(caller);
    await this.count(user, ip, async () => {
      if (!(await this.passwords.matches(password, user.passwordHash))) throw new PasswordWrong();
    });
    return user;
  }

  /**
   * Whoever finds an open browser must not guess without limits either.
   * @param check throws at what was a wrong guess
   * @throws {TooManySignIns}
   */
  async count({ email }: User, ip: string, check: () => Promise<void>): Promise<void> {
    const attempt = { email, network: networkOf(ip), isKnownNetwork: true };
    await this.limits.admit(attempt);
    await check();
    await this.limits.forgive(attempt);
  }
}

/** @throws {PersonNeeded} for an API key */
export function personOf({ person }: Caller): CallingPerson {
  if (person === undefined) throw new PersonNeeded();
  return person;
}
