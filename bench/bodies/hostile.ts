/** JSON bodies that cost much, each up to the largest size that the API accepts. */
export function hostileBodies(): ReadonlyMap<string, string | Uint8Array> {
  const megabyte = 2 ** 20;
  return new Map<string, string | Uint8Array>([
    ['one text', JSON.stringify({ content: 'x'.repeat(15 * megabyte) })],
    ['one text, two bytes a character', JSON.stringify({ content: 'ä'.repeat(7 * megabyte) })],
    ['one text, three bytes a character', JSON.stringify({ content: '€'.repeat(5 * megabyte) })],
    ['one text of escapes', `{"content":"${'\\u00e4'.repeat(2.5 * megabyte)}"}`],
    ['long numbers', `[${`${'1234567890'.repeat(16)},`.repeat(99_000)}1]`],
    ['a number of 12 million digits', `[${'1'.repeat(12_000_000)}]`],
    ['objects', `[${'{"a":1},'.repeat(49_000)}1]`],
    ['arrays', `[${'[],'.repeat(49_000)}1]`],
    ['a member twice', `{${members(98_000, 'k')},"k0":1}`],
    ['a long member twice', `{${members(98_000, 'k'.repeat(140))},"${'k'.repeat(140)}0":1}`],
    [
      'a wrong byte at the end',
      Buffer.concat([Buffer.from(`"${'ä'.repeat(7 * megabyte)}`), Buffer.of(0xff)]),
    ],
    ['white space', ' '.repeat(15 * megabyte)],
    ['as large as is read at once', `{${members(6_000, 'k')}}`],
  ]);
}

function members(count: number, name: string): string {
  return Array.from({ length: count }, (_, index) => `"${name}${index}":1`).join();
}
