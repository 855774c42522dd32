import { loadScreenTexts } from '../../base/i18n/index.ts';
import { loadFloating } from '../floating/load.ts';
import { addIcons } from '../icons/icons.ts';

/** Loads a screen or dialog together with the styles, icons, texts and floating parts that the first one does without. */
export async function styled<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded, { screenIcons }] = await Promise.all([
    load(),
    import('../icons/screen-icons.ts'),
    import('./screen-styles.ts'),
    loadScreenTexts(),
    loadFloating(),
  ]).catch((cause: unknown) => {
    // Under its own name the router would load the window again, which leads nowhere without a network.
    throw new Error('a part of the admin could not be read', { cause });
  });
  addIcons(screenIcons);
  return loaded;
}
