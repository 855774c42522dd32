import { addIcons } from './icons.ts';

/** Loads a screen or dialog together with the styles and icons that only those need. */
export async function styled<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded, { screenIcons }] = await Promise.all([
    load(),
    import('./screen-icons.ts'),
    import('./screen-styles.ts'),
  ]);
  addIcons(screenIcons);
  return loaded;
}
