import Type from 'typebox';
import { parseInputPath } from '../message/input-path.ts';
import { defineNode, httpMethods, sendOne } from './node-type.ts';
import { shortText } from './settings.ts';

/** Starts when an address is requested. */
export const httpInNode = defineNode({
  config: Type.Object({
    method: Type.Optional(Type.Enum([...httpMethods, 'ANY'])),
    path: shortText(1000),
    public: Type.Optional(Type.Boolean()),
  }),
  isStart: () => true,
  outputs: () => 1,
  faults({ path }) {
    try {
      parseInputPath(path);
      return [];
    } catch (error) {
      return [{ field: 'path', reason: error instanceof Error ? error.message : String(error) }];
    }
  },
  trigger: ({ method = 'GET', path, public: isPublic = false }) => ({
    kind: 'http',
    method,
    path,
    isPublic,
  }),
  /** A run without a request gets a made-up one. */
  build({ method = 'GET', path }) {
    return (message) => {
      if ('req' in message.fields) return sendOne(message);
      const payload = message.payload ?? {};
      const req = {
        method: method === 'ANY' ? 'GET' : method,
        path: `/${path.replace(/^\//, '')}`,
        params: {},
        query: {},
        headers: {},
        body: payload,
      };
      return sendOne(message.with({ payload, req }));
    };
  },
});
