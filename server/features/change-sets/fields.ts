/** The fields of objects, for this feature. */
export {
  type FieldValues,
  findChanges,
  readBodyFields,
  readField,
  readFields,
  toBody,
} from '../../content/kinds/object-fields.ts';
