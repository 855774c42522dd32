// Outputs: a question to keep, a robot, a page that says what is missing.
const german = field('language') === 'de';
const home = german ? '/de/haus/kontakt' : '/about/contact';
const next = german ? '/de/haus/kontakt/gesendet' : '/about/contact/sent';

// People do not see this field. A robot is answered as if all were well, so that it does not try again.
if (field('website') !== '') return [null, { next }];

const topics = ['tickets', 'tours', 'archive', 'workshop', 'other'];
const question = {
  name: field('name'),
  email: field('email'),
  topic: topics.includes(field('topic')) ? field('topic') : 'other',
  message: field('message'),
  language: german ? 'de' : 'en',
  may_print: field('may_print') !== '',
};
// What browsers take for an address, too.
const address = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/;
const faults = [
  [question.name === '', 'Your name is missing.', 'Ihr Name fehlt.'],
  [question.name.length > 100, 'Your name is longer than 100 characters.', 'Ihr Name ist länger als 100 Zeichen.'],
  [question.email === '', 'Your e-mail address is missing, so we could not answer.', 'Ihre E-Mail-Adresse fehlt, wir könnten also nicht antworten.'],
  [question.email !== '' && !address.test(question.email), 'What you gave as your e-mail address is none.', 'Was Sie als E-Mail-Adresse angegeben haben, ist keine.'],
  [question.email.length > 200, 'Your e-mail address is longer than 200 characters.', 'Ihre E-Mail-Adresse ist länger als 200 Zeichen.'],
  [question.message === '', 'The question itself is missing.', 'Die Frage selbst fehlt.'],
  [question.message.length > 5000, 'Your question is longer than 5,000 characters.', 'Ihre Frage ist länger als 5000 Zeichen.'],
]
  .filter(([isWrong]) => isWrong)
  .map(([, english, inGerman]) => (german ? inGerman : english));
if (faults.length === 0) return [{ next, payload: question }];
return [null, null, { payload: page() }];

/** A field of the form as text; forms of robots may have it twice, or not at all. */
function field(name) {
  const form = Object(msg.payload);
  const value = Object.hasOwn(form, name) ? form[name] : '';
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : '';
}

function page() {
  const say = german
    ? { title: 'Noch nicht abgeschickt', again: 'Ihre Frage, damit sie nicht verloren geht', back: 'Zurück zum Formular', site: 'Die Alte Waage' }
    : { title: 'Not sent yet', again: 'Your question, so that it is not lost', back: 'Back to the form', site: 'The Weigh House' };
  const kept = question.message === '' ? '' : `
<p><label for="message">${say.again}</label></p>
<textarea id="message" rows="8" readonly>
${escape(question.message)}</textarea>`;
  return `<!DOCTYPE html>
<html lang="${german ? 'de' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${say.title} · ${say.site}</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 38rem; margin: 0 auto; padding: 2rem 1.1rem; font: 1.05rem/1.6 system-ui, sans-serif; color: light-dark(#17212b, #ece6d9); background: light-dark(#f5f1e8, #0f151d); }
a { color: light-dark(#b63d1e, #ff8d66); }
h1 { font: 600 2rem/1.15 Georgia, serif; }
textarea { box-sizing: border-box; width: 100%; padding: 0.55rem 0.8rem; border: 1px solid; border-radius: 0.5rem; font: inherit; color: inherit; background: light-dark(#fffdf7, #18212c); }
</style>
</head>
<body>
<main>
<h1>${say.title}</h1>
<ul>
${faults.map((fault) => `<li>${fault}</li>`).join('\n')}
</ul>${kept}
<p><a href="${home}">${say.back}</a></p>
</main>
</body>
</html>
`;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
