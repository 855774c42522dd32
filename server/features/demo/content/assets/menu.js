/* The menu button of narrow screens. Without this script the menu is simply always open. */
(function () {
  document.documentElement.classList.add('has-script');

  var button = document.querySelector('.menu-button');
  var menu = document.getElementById('site-navigation');
  if (!button || !menu) return;

  var narrow = window.matchMedia('(max-width: 59.99rem)');

  function show(open) {
    button.setAttribute('aria-expanded', String(open));
    menu.classList.toggle('is-open', open);
  }

  function adapt() {
    button.hidden = !narrow.matches;
    show(false);
  }

  button.addEventListener('click', function () {
    show(button.getAttribute('aria-expanded') !== 'true');
  });

  document.addEventListener('keydown', function (event) {
    if (event.key !== 'Escape' || button.getAttribute('aria-expanded') !== 'true') return;
    show(false);
    button.focus();
  });

  narrow.addEventListener('change', adapt);
  adapt();
})();
