/** Recorded cases whose result differs here, by the end of their id, each with the reason. */
export const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['test_stringformat.FunctionTests.test_format#3', 'There are no tuples here: a list prints in brackets.'],
  ['test_stringformat.FunctionTests.test_format#4', 'There are no tuples here: a list prints in brackets.'],
]);
