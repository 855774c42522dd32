import { Reply } from '../../api/reply.ts';
import { defineRoute, type Route } from '../../api/route.ts';
import {
  MigrationStart,
  MigrationStatus,
  StorageCheck,
  StorageCheckResult,
  StorageSettings,
  StorageUpdate,
} from '../../storage/model.ts';
import type { StorageService } from './service.ts';

/** Refusals of a configuration, without and with sending something. */
const configErrors = ['storage.endpointInvalid', 'storage.secretUndecryptable'] as const;
const probeErrors = [
  'storage.unreachable',
  'storage.authFailed',
  'storage.noBucket',
  'storage.accessDenied',
  'storage.checkFailed',
] as const;

export function storageRoutes(storage: StorageService): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/storage',
      access: 'write',
      needs: 'settings',
      summary: 'Where media are stored',
      response: StorageSettings,
      handle: () => storage.get(),
    }),
    defineRoute({
      method: 'PUT',
      path: '/storage',
      access: 'write',
      needs: 'settings',
      summary: 'Change the settings of object storage and of its copies',
      body: StorageUpdate,
      errors: [
        ...configErrors,
        ...probeErrors,
        'auth.confirm',
        'storage.migrationRequired',
        'storage.migrationRunning',
      ],
      response: StorageSettings,
      async handle({ actor, body }) {
        await storage.update(actor, body);
        return storage.get();
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/storage/check',
      access: 'write',
      needs: 'settings',
      summary: 'Test object storage: write, read and delete an object',
      body: StorageCheck,
      bodyOptional: true,
      errors: [...configErrors, ...probeErrors],
      response: StorageCheckResult,
      async handle({ body }) {
        await storage.check(body);
        return { ok: true };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/storage/migrate',
      access: 'write',
      needs: 'settings',
      summary: 'State of the migration of the media storage',
      response: MigrationStatus,
      handle: () => storage.migration,
    }),
    defineRoute({
      method: 'POST',
      path: '/storage/migrate',
      access: 'write',
      needs: 'settings',
      summary: 'Move all media to another storage',
      body: MigrationStart,
      errors: [...configErrors, 'storage.sameTarget', 'storage.migrationRunning', 'storage.otherNodes'],
      response: MigrationStatus,
      status: 202,
      handle: ({ actor, body }) => storage.migrate(actor, body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/storage/migrate',
      access: 'write',
      needs: 'settings',
      summary: 'Cancel the migration of the media storage',
      errors: ['storage.migrationNotRunning', 'storage.migrationTooLate'],
      handle() {
        storage.cancelMigration();
        return Reply.empty();
      },
    }),
  ];
}
