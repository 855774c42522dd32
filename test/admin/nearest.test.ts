import { expect, it } from 'vitest';
import { nearestPath } from '../../admin/src/screens/redirects/nearest.ts';

const pages = ['/', '/visit', '/visit/hours-and-tickets', '/exhibitions', '/about/people'].map((path) => ({
  path,
  published: true,
}));

it.each([
  ['/exhibition', '/exhibitions'],
  ['/old/hours-tickets.html', '/visit/hours-and-tickets'],
  ['/People', '/about/people'],
  ['/wp-login.php', ''],
  ['/x', ''],
])('%s was meant to be %s', (dead, expected) => {
  expect(nearestPath(dead, pages)).toBe(expected);
});

it('proposes no draft', () => {
  expect(nearestPath('/secret', [{ path: '/secret', published: false }])).toBe('');
});
