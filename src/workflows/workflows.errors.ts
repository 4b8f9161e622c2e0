import { AppException } from '#libs/http-kit';

export class WorkflowNotFound extends AppException {
  constructor(idOrIdentifier: string) {
    super(
      404,
      'workflow_not_found',
      `This environment has no workflow '${idOrIdentifier}'. List them with GET /v1/workflows or create it with POST /v1/workflows.`,
    );
  }
}

export class WorkflowIdentifierTaken extends AppException {
  constructor(identifier: string) {
    super(
      409,
      'workflow_identifier_taken',
      `Another workflow of this environment has the trigger identifier '${identifier}'. Choose another one.`,
    );
  }
}

export class NothingToUpdate extends AppException {
  constructor() {
    super(400, 'nothing_to_update', 'The body names nothing that can be changed. Send at least one field.');
  }
}

export class WorkflowTooLarge extends AppException {
  constructor(bytes: number, limit: number) {
    super(
      413,
      'workflow_too_large',
      `The workflow would take ${bytes} bytes; ${limit} is the most. Shorten its templates or split it.`,
    );
  }
}

export class WorkflowChangedMeanwhile extends AppException {
  constructor(id: string) {
    super(
      409,
      'workflow_changed_meanwhile',
      `The workflow '${id}' was changed by others at the same time, again and again. Read it and try once more.`,
    );
  }
}
