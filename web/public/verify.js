// Runs before the first paint of the page that checks proofs. It knows of no session: early.js is the app's.
try {
  // The stored choice wins; without one the OS preference stands, by CSS alone.
  var theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to this page: the OS preference stands.
}
