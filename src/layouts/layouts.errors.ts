import { AppException } from '#libs/http-kit';

export class LayoutAlreadyExists extends AppException {
  constructor(identifier: string) {
    super(
      409,
      'layout_already_exists',
      `This environment already has a layout with the identifier '${identifier}'. Choose another one or change that layout with PATCH.`,
    );
  }
}

export class LayoutNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'layout_not_found',
      `This environment has no layout with the id '${id}'. List them with GET /v1/layouts.`,
    );
  }
}

export class LayoutInUse extends AppException {
  constructor(id: string) {
    super(409, 'layout_in_use', `The layout '${id}' is used by a workflow. Take it out of the workflow's steps first.`);
  }
}

export class DefaultLayoutRequired extends AppException {
  constructor(id: string) {
    super(
      409,
      'default_layout_required',
      `The layout '${id}' is the default one. Make another layout the default first.`,
    );
  }
}

export class NothingToUpdate extends AppException {
  constructor() {
    super(400, 'nothing_to_update', 'The body names nothing that can be changed. Send at least one field.');
  }
}
