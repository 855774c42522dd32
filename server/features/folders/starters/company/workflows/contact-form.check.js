// Outputs: a message to keep, a robot, a page that says what is missing.
const next = '/contact/sent';

// People do not see this field. A robot is answered as if all were well, so that it does not try again.
if (field('website') !== '') return [null, { next }];

const message = { name: field('name'), email: field('email'), message: field('message') };
// What browsers take for an address, too.
const address = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/;
const faults = [
  [message.name === '', 'Your name is missing.'],
  [message.name.length > 100, 'Your name is longer than 100 characters.'],
  [message.email === '', 'Your email address is missing, so we could not answer.'],
  [message.email !== '' && !address.test(message.email), 'What you gave as your email address is none.'],
  [message.email.length > 200, 'Your email address is longer than 200 characters.'],
  [message.message === '', 'The message itself is missing.'],
  [message.message.length > 5000, 'Your message is longer than 5,000 characters.'],
]
  .filter(([isWrong]) => isWrong)
  .map(([, text]) => text);
if (faults.length === 0) return [{ next, payload: message }];
return [null, null, { payload: page() }];

/** A field of the form as text; forms of robots may have it twice, or not at all. */
function field(name) {
  const form = Object(msg.payload);
  const value = Object.hasOwn(form, name) ? form[name] : '';
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : '';
}

function page() {
  const kept = message.message === '' ? '' : `
<p><label for="message">Your message, so that it is not lost</label></p>
<textarea id="message" rows="8" readonly>
${escape(message.message)}</textarea>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Not sent yet · Larch &amp; Lowe</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 38rem; margin: 0 auto; padding: 2rem 1.1rem; font: 1.05rem/1.6 system-ui, sans-serif; color: light-dark(#16262b, #e9ebe6); background: light-dark(#f6f4ef, #11181b); }
a { color: light-dark(#8c4a0b, #f0b25e); }
h1 { font-size: 2rem; line-height: 1.15; }
textarea { box-sizing: border-box; width: 100%; padding: 0.55rem 0.8rem; border: 1px solid; font: inherit; color: inherit; background: light-dark(#ffffff, #1a2327); }
</style>
</head>
<body>
<main>
<h1>Not sent yet</h1>
<ul>
${faults.map((fault) => `<li>${fault}</li>`).join('\n')}
</ul>${kept}
<p><a href="/contact">Back to the form</a></p>
</main>
</body>
</html>
`;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
