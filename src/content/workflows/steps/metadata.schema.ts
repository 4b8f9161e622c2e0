import { z } from 'zod';
import { ofAllTypes, type StepTypeDeclaration } from '#libs/plugins';
import { sharedMetadata } from '#libs/schedule';
import { described, named, object, oneOf, shownAs } from '#libs/validation';

type Members = Record<string, z.ZodType>;

/** What the metadata of any step can hold: the members of all types together. */
const metadataOfAll = ofAllTypes((declarations): z.ZodObject => object(membersOfAll(declarations)));

function membersOfAll(declarations: readonly StepTypeDeclaration[]): Members {
  const all: Members = {};
  for (const { metadata } of declarations) {
    const own = { ...metadata?.members, ...metadata?.accepted };
    for (const [name, member] of Object.entries(own) as [string, z.ZodType][]) {
      const known = all[name];
      if (name in sharedMetadata) continue;
      all[name] = known === undefined ? optional(member) : both(known, member);
    }
  }
  return { ...all, ...sharedMetadata };
}

/** One of the types needs it, and others do not. */
function optional(member: z.ZodType): z.ZodType {
  return described(member.nullish(), { description: member.description ?? '', ...member.meta() });
}

/** A member that two types have: the values and the words of both. */
function both(one: z.ZodType, other: z.ZodType): z.ZodType {
  const values = [...new Set([...valuesOf(one), ...valuesOf(other)])];
  const description = [...new Set([one.description, other.description])].join(' ');
  const schema = values.length > 0 ? oneOf(values as [string, ...string[]]).nullish() : one;
  return described(schema, { ...one.meta(), description });
}

function valuesOf(member: z.ZodType): string[] {
  if (member instanceof z.ZodOptional || member instanceof z.ZodNullable) return valuesOf(member.unwrap() as z.ZodType);
  return member instanceof z.ZodEnum ? member.options.map(String) : [];
}

export function metadataKeys(): readonly string[] {
  return Object.keys(metadataOfAll().shape);
}

/** Members are checked by the type of the step. Steps of types without metadata may have some; it is not used. */
export const stepMetadata = named(
  'StepMetadataDto',
  shownAs(z.looseObject({}), metadataOfAll),
  'End of a digest or delay, limit of a throttle, or event of a wait, of which `type` determines the fields; of channel steps, when messages may be sent.',
);

/** As steps without a type of their own for it are checked. */
export const generalMetadata = ofAllTypes((): z.ZodType => metadataOfAll().nullish());
