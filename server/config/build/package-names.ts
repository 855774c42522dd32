/** Packages that are not bundled: they contain native code or look for their own files. */
export const unbundledPackages = [
  'argon2',
  'better-sqlite3',
  'isolated-vm',
  'piscina',
  'uWebSockets.js',
  'esbuild',
  'pino-pretty',
  'sharp',
] as const;
