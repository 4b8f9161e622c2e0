import { AppException } from '#libs/http-kit';

export class Unauthorized extends AppException {
  constructor(reason: string) {
    super(401, 'unauthorized', `${reason} Send the header 'Authorization: ApiKey <your key>'.`);
  }
}

export class ApiKeyNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'api_key_not_found',
      `This environment has no API key with the id '${id}'. List them with GET /v1/environments/api-keys/all.`,
    );
  }
}

export class LastApiKey extends AppException {
  constructor() {
    super(
      409,
      'last_api_key',
      'This is the only live key of the environment. Issue another one first, then revoke this one.',
    );
  }
}
