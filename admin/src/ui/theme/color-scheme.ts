/** Sets the chosen theme before anything is drawn, so that no light screen flashes in the dark. */
export function showChosenScheme(): void {
  const stored = localStorage.getItem('mantine-color-scheme-value');
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
}
