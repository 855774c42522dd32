import type { Feature } from '../../feature.ts';
import { storageRoutes } from './routes.ts';
import type { StorageService } from './service.ts';

/** Settings of the media storage, its test and its migration. */
export function storageFeature(storage: StorageService): Feature {
  return {
    about: { storage: 'Where media are stored: local files or S3-compatible object storage.' },
    routes: storageRoutes(storage),
    followers: [
      { of: ['settings'], refresh: (commit) => storage.follow(commit) },
      { of: ['files', 'file_crops'], refresh: (commit) => storage.noteMedia(commit) },
    ],
    close: () => storage.close(),
  };
}
