import { AppException } from '#libs/http-kit';

export class __Name__AlreadyExists extends AppException {
  constructor(name: string) {
    super(
      409,
      '__code___already_exists',
      `This environment already has __aText__ named '${name}'. Choose another name or use that one.`,
    );
  }
}

export class __Name__NotFound extends AppException {
  constructor(id: string) {
    super(404, '__code___not_found', `This environment has no __text__ with the id '${id}'. List them with GET /v1/__files__.`);
  }
}
