import { loadScreenTexts } from '../i18n/index.ts';
import { addIcons } from './icons.ts';

/** Loads a screen or dialog together with the styles, icons and texts that only those need. */
export async function styled<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded, { screenIcons }] = await Promise.all([
    load(),
    import('./screen-icons.ts'),
    import('./screen-styles.ts'),
    loadScreenTexts(),
  ]);
  addIcons(screenIcons);
  return loaded;
}
