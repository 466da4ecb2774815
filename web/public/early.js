// Runs before the first paint.
(function () {
  try {
    // The stored choice wins; without one the OS preference stands, by CSS alone.
    var theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is closed to this page: the OS preference stands.
  }
})();
