import { AppException } from '#libs/http-kit';

export class FeedAlreadyExists extends AppException {
  constructor(name: string) {
    super(
      409,
      'feed_already_exists',
      `This environment already has a feed named '${name}'. Choose another name or use that one.`,
    );
  }
}

export class FeedNotFound extends AppException {
  constructor(id: string) {
    super(404, 'feed_not_found', `This environment has no feed with the id '${id}'. List them with GET /v1/feeds.`);
  }
}

export class FeedInUse extends AppException {
  constructor(id: string) {
    super(409, 'feed_in_use', `The feed '${id}' is used by a workflow. Take it out of the workflow's steps first.`);
  }
}
