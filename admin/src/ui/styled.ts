/** Loads a screen or dialog together with the styles that only those need. */
export async function styled<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const [loaded] = await Promise.all([load(), import('./screen-styles.ts')]);
  return loaded;
}
