import { ValidationFailed } from '#libs/http-kit';
import type { TemplateLanguage } from '#libs/templates';
import { isGiven } from '#libs/validation';
import { saysLanguage, validateStepsInTurns } from './steps/validate-steps.js';
import type { UpdateNotificationTemplateDto } from './workflow.dto.js';
import type { Workflow } from './workflow.schema.js';

/**
 * The language of the templates after a change, in which its steps are.
 * @throws {ValidationFailed} for steps in another one, and for another language without steps
 */
export async function languageAfter(
  before: Pick<Workflow, 'templateLanguage'>,
  change: UpdateNotificationTemplateDto,
): Promise<TemplateLanguage> {
  const { templateLanguage = 'handlebars' } = before;
  const { steps } = change;
  if (!saysLanguage(change)) {
    const faults = isGiven(steps) ? await validateStepsInTurns(steps, 'steps', before) : [];
    if (faults.length > 0) throw new ValidationFailed(faults);
    return templateLanguage;
  }
  const language = change.templateLanguage ?? 'handlebars';
  if (language === templateLanguage || isGiven(steps)) return language;
  throw new ValidationFailed([
    `templateLanguage can become ${language} only together with the templates: send the steps as well, written in it`,
  ]);
}
