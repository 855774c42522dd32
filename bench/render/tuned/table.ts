import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const columnCount = 8;
const rowCount = 200;

/** Every fourth cell holds characters that are escaped. */
const context = {
  rows: Array.from({ length: rowCount }, (_, row) =>
    Array.from({ length: columnCount }, (_, column) =>
      column % 4 === 3 ? `<${row}> & "${column}"` : `cell ${row}/${column}`,
    ),
  ),
};

const django =
  '<table>{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>{% endfor %}</table>';

const javascript =
  '<table><% for (const row of it.rows) { %><tr><% for (const cell of row) { %><td><%= cell %></td><% } %></tr><% } %></table>';

export const table: Workload<typeof context> = {
  name: 'table',
  about: `${rowCount} rows of ${columnCount} escaped cells`,
  context,
  least: { rows: [['cell']] },
  sources: {
    incipit: { main: django },
    nunjucks: { main: django },
    liquidjs: { main: django },
    eta: { main: javascript },
    ejs: { main: javascript },
    handlebars: {
      main: '<table>{{#each rows}}<tr>{{#each this}}<td>{{this}}</td>{{/each}}</tr>{{/each}}</table>',
    },
    edge: {
      main: `<table>
@each(row in rows)~
<tr>
@each(cell in row)~
<td>{{ cell }}</td>
@end~
</tr>
@end~
</table>`,
    },
    pug: {
      main: `table
  each row in self.rows
    tr
      each cell in row
        td= cell`,
    },
  },
  handWritten({ rows }) {
    let out = '<table>';
    for (const row of rows) {
      out += '<tr>';
      for (const cell of row) out += `<td>${escapeHtml(cell)}</td>`;
      out += '</tr>';
    }
    return `${out}</table>`;
  },
};
