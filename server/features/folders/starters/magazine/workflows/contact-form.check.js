// Outputs: a letter to keep, a robot, a page that says what is missing.
const german = field('language') === 'de';
const home = german ? '/de/kontakt' : '/contact';
const next = german ? '/de/kontakt/gesendet' : '/contact/sent';

// People do not see this field. A robot is answered as if all were well, so that it does not try again.
if (field('website') !== '') return [null, { next }];

const letter = {
  name: field('name'),
  email: field('email'),
  message: field('message'),
  language: german ? 'de' : 'en',
};
// What browsers take for an address, too.
const address = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/;
const faults = [
  [letter.name === '', 'Your name is missing.', 'Ihr Name fehlt.'],
  [letter.name.length > 100, 'Your name is longer than 100 characters.', 'Ihr Name ist länger als 100 Zeichen.'],
  [letter.email === '', 'Your e-mail address is missing, so we could not answer.', 'Ihre E-Mail-Adresse fehlt, wir könnten also nicht antworten.'],
  [letter.email !== '' && !address.test(letter.email), 'What you gave as your e-mail address is none.', 'Was Sie als E-Mail-Adresse angegeben haben, ist keine.'],
  [letter.email.length > 200, 'Your e-mail address is longer than 200 characters.', 'Ihre E-Mail-Adresse ist länger als 200 Zeichen.'],
  [letter.message === '', 'The letter itself is missing.', 'Der Brief selbst fehlt.'],
  [letter.message.length > 5000, 'Your letter is longer than 5,000 characters.', 'Ihr Brief ist länger als 5000 Zeichen.'],
]
  .filter(([isWrong]) => isWrong)
  .map(([, english, inGerman]) => (german ? inGerman : english));
if (faults.length === 0) return [{ next, payload: letter }];
return [null, null, { payload: page() }];

/** A field of the form as text; forms of robots may have it twice, or not at all. */
function field(name) {
  const form = Object(msg.payload);
  const value = Object.hasOwn(form, name) ? form[name] : '';
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : '';
}

function page() {
  const say = german
    ? { title: 'Noch nicht abgeschickt', again: 'Ihr Brief, damit er nicht verloren geht', back: 'Zurück zum Formular', site: 'Umbel' }
    : { title: 'Not sent yet', again: 'Your letter, so that it is not lost', back: 'Back to the form', site: 'Umbel' };
  const kept = letter.message === '' ? '' : `
<p><label for="message">${say.again}</label></p>
<textarea id="message" rows="8" readonly>
${escape(letter.message)}</textarea>`;
  return `<!DOCTYPE html>
<html lang="${german ? 'de' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${say.title} · ${say.site}</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 38rem; margin: 0 auto; padding: 2rem 1.1rem; font: 1.05rem/1.6 system-ui, sans-serif; color: light-dark(#1f2a22, #ece8dc); background: light-dark(#fbf8f1, #141915); }
a { color: light-dark(#a5401c, #f0996f); }
h1 { font: 600 2rem/1.15 Georgia, serif; }
textarea { box-sizing: border-box; width: 100%; padding: 0.55rem 0.8rem; border: 1px solid; border-radius: 0.5rem; font: inherit; color: inherit; background: light-dark(#fffdf8, #1c231d); }
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
