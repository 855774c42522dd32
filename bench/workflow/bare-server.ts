import { createServer } from 'node:http';

/**
 * A server on node:http that parses the JSON of a POST, adds the sum of its prices at `/sum`, and answers with it,
 * run as a process of its own.
 */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const payload = JSON.parse(Buffer.concat(chunks).toString());
    const total = () => payload.prices.reduce((sum: number, price: number) => sum + price, 0);
    const body = JSON.stringify(request.url === '/sum' ? { ...payload, total: total() } : payload);
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port to listen on');
  console.log(`listening on http://127.0.0.1:${address.port}`);
});
