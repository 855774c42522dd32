import type { SecurityHeaders } from '../../server/http/security-headers.ts';

const none = { all: [], site: [] };

/** For a front that adds no headers. */
export const noSecurityHeaders: SecurityHeaders = { current: { http: none, https: none } };
