import Type from 'typebox';
import { defineRoute, type Route } from '../http/route.ts';
import {
  Job,
  JobParams,
  JobQuery,
  JobSummary,
  PageParams,
  ReimportRequest,
  RunRequest,
  ScanRequest,
} from './model.ts';
import type { Imports } from './service.ts';

export function importRoutes(imports: Imports): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/import/scan',
      access: 'write',
      summary: 'Look at a website, in the background',
      body: ScanRequest,
      response: Job,
      status: 202,
      errors: ['import.tooMany'],
      handle: async ({ body }) => imports.scan(body),
    }),
    defineRoute({
      method: 'POST',
      path: '/import/run',
      access: 'write',
      summary: 'Import pages of a website, in the background',
      body: RunRequest,
      response: Job,
      status: 202,
      errors: ['common.notFound', 'site.domainTaken', 'import.running', 'import.tooMany'],
      handle: ({ body }) => imports.run(body),
    }),
    defineRoute({
      method: 'POST',
      path: '/pages/{id}/reimport',
      access: 'write',
      summary: 'Import an imported page again, in the background',
      params: PageParams,
      body: ReimportRequest,
      bodyOptional: true,
      response: Job,
      status: 202,
      errors: ['import.notImported', 'import.running', 'import.tooMany'],
      handle: ({ params: { id }, body }) => imports.reimport(id, body ?? {}),
    }),
    defineRoute({
      method: 'GET',
      path: '/import/jobs',
      access: 'write',
      summary: 'The last scans and imports, newest first',
      response: Type.Array(JobSummary),
      handle: async () => imports.jobs.list(),
    }),
    defineRoute({
      method: 'GET',
      path: '/import/jobs/{id}',
      access: 'write',
      summary: 'Get a scan or import',
      params: JobParams,
      query: JobQuery,
      response: Job,
      handle: async ({ params: { id }, query: { log_since } }) => imports.jobs.show(id, log_since),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/import/jobs/{id}',
      access: 'write',
      summary: 'Cancel a scan or import that is running',
      params: JobParams,
      handle: async ({ params: { id } }) => imports.jobs.cancel(id),
    }),
  ];
}
