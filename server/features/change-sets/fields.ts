/** The fields of objects, for this feature. */
export {
  type FieldValues,
  findChanges,
  readBodyFields,
  readFields,
  toBody,
} from '../../content/kinds/object-fields.ts';
