import type { TemplateFunction } from '../engine.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import { pageEnv } from './page-env.ts';

/**
 * `block_field(name)`: in the template of a block type, marks an element as the one that shows a parameter. Previews
 * for editors get an attribute, live pages nothing.
 *
 *     <h2 {{ block_field("title") }}>{{ title|upper }}</h2>
 *     <h2 data-ic-field="page.blocks/0/title">HOURS</h2>
 */
export const blockField: TemplateFunction = {
  call: (env, [name]) =>
    new SafeString(pageEnv(env, 'block_field').blocks.marks?.attribute(toText(name)) ?? ''),
};
