import type { Workload } from '../workload.ts';
import { calendar } from './calendar.ts';
import { comments } from './comments.ts';
import { components } from './components.ts';
import { feed } from './feed.ts';
import { form } from './form.ts';
import { friends } from './friends.ts';
import { glossary } from './glossary.ts';
import { menu } from './menu.ts';
import { products } from './products.ts';
import { search } from './search.ts';

/** The workloads that nobody looks at while the engine is tuned. */
export const unseen: readonly Workload[] = [
  products,
  feed,
  comments,
  form,
  glossary,
  components,
  search,
  friends,
  calendar,
  menu,
];
