/** Watches an instance that a bundler has imported. It cannot be replaced, so it is not used again after a trap. */
export function watchInstance() {
  let trapped = false;
  return {
    recover() {
      trapped = true;
    },
    unlessTrapped: (call) => (...parameters) => {
      if (trapped) throw new Error('The module has failed before: reload the page, or restart the worker.');
      return call(...parameters);
    },
  };
}
