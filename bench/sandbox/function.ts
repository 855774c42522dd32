/** The three lines, as code of a function node. */
export const functionCode = `const total = msg.payload.prices.reduce((sum, price) => sum + price, 0);
msg.payload = { ...msg.payload, total, when: msg.payload.name.toUpperCase() };
return msg;`;

interface Message {
  payload: { prices: number[]; name: string; text: string };
}

/** The same as a function of the server itself. */
export function directly(msg: Message): Message {
  const total = msg.payload.prices.reduce((sum, price) => sum + price, 0);
  const payload = { ...msg.payload, total, when: msg.payload.name.toUpperCase() };
  return { ...msg, payload };
}

/** A message of 1 KB. */
export const message = JSON.stringify({
  payload: { prices: [12.5, 3, 99.95], name: 'order', text: 'x'.repeat(940) },
});
