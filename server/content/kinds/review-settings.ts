import Type from 'typebox';
import { defineSettings } from '../../db/settings.ts';

/** How changes become live. */
export const reviewSettings = defineSettings({
  name: 'reviews',
  schema: Type.Object({
    /** Whether the editors of the admin save live instead of into working copies. */
    live_saves: Type.Boolean(),
    /** Whether only approved change sets can be published. */
    required: Type.Boolean(),
  }),
  defaults: { live_saves: false, required: false },
});
