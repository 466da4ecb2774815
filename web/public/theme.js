// Runs before the first paint. The stored choice wins; without one the OS preference stands, by CSS alone.
(function () {
  try {
    var theme = localStorage.getItem('theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is closed to this page: the OS preference stands.
  }
})();
