import { AppException } from '#libs/http-kit';

export class EnvironmentNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'environment_not_found',
      `Your organization has no environment '${id}'. List them with GET /v1/environments.`,
    );
  }
}
