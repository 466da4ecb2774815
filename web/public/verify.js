// Runs before the first paint of the page that checks proofs. It knows of no session: early.js is the app's.
try {
  // The stored choice wins; without one CSS follows the OS preference.
  var theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the OS preference applies.
}
