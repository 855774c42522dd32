import Type from 'typebox';
import { defineSettings } from '../../db/settings.ts';

/** Settings of signing in; PUT /system stores them. */
export const signInSettings = defineSettings({
  name: 'sign_in',
  schema: Type.Object({
    /** Where people reach this instance, such as `https://cms.example.org`; empty if nobody has told. */
    public_url: Type.String(),
    /** A session ends when it was not used for so long; 0 = only at its end. */
    idle_minutes: Type.Integer(),
  }),
  defaults: { public_url: '', idle_minutes: 0 },
});
