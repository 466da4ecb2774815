// Runs before the first paint, and long before the app is there.
(function () {
  var page = document.documentElement;
  try {
    // The stored choice wins; without one the OS preference stands, by CSS alone.
    var theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;
    if (localStorage.getItem('proof-session') !== null) page.dataset.session = '';
  } catch {
    // Storage is closed to this page: the OS preference stands.
  }
  // Who presses a button before the app listens is heard when it does.
  window.pressedEarly = null;
  document.addEventListener('click', function (event) {
    if ('pressedEarly' in window) window.pressedEarly = event.target.closest('button');
  });
})();
