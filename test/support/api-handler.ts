import type { ApiHandler, ApiRequest, ApiResponse } from '../../server/http/api-exchange.ts';

/** A handler that is an asynchronous function. */
export function asyncApi(answer: (request: ApiRequest) => Promise<ApiResponse>): ApiHandler {
  return (request, done) => {
    answer(request).then(done);
  };
}
