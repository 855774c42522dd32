/** Makes every test server of a file a node of a database of its own; runs before the file is loaded. */
import { inject } from 'vitest';

process.env['IC_TEST_POSTGRES'] = inject('postgres');
