/** Under which the compiler keeps the type of a decorated property. */
const TYPE = 'design:type';

/**
 * Fields that are declared once, as decorated properties of the class of a request. Stored records and responses with the same
 * fields get them by `shared`.
 */
export class FieldList<D extends object, Name extends string = string> {
  readonly fields: (D & { readonly name: Name })[] = [];
  private readonly types = new Map<Name, unknown>();

  /** @param decorate makes what checks and documents the field in requests */
  constructor(private readonly decorate: (declaration: D) => PropertyDecorator) {}

  /** Of a property of the class that declares the fields. */
  declared(declaration: D): PropertyDecorator {
    return (target, name) => {
      this.fields.push({ name: name as Name, ...declaration });
      this.types.set(name as Name, Reflect.getMetadata(TYPE, target, name));
      this.decorate(declaration)(target, name);
    };
  }

  /** Of a class with the same fields. Write it below `@Schema()`, which takes the properties that are declared by then. */
  shared(decorate: (field: D & { readonly name: Name }) => PropertyDecorator): ClassDecorator {
    return ({ prototype }) => {
      for (const field of this.fields) {
        Reflect.defineMetadata(TYPE, this.types.get(field.name), prototype as object, field.name);
        decorate(field)(prototype as object, field.name);
      }
    };
  }
}

/** The base of a class that `shared` of a {@link FieldList} gives the fields. */
export type WithFields<Base extends abstract new () => object, Fields> = Omit<Base, 'prototype'> &
  (abstract new () => InstanceType<Base> & Fields);
