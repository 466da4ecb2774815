// An instance that a tool has made by importing the module. It cannot be replaced, so it is not used again after a trap.

export function imported() {
  let trapped = false;
  return {
    recover() {
      trapped = true;
    },
    /** A function of the instance, as long as that is sound. */
    sound: (call) => (...parameters) => {
      if (trapped) throw new Error('The module has failed before: the page or the worker must start anew.');
      return call(...parameters);
    },
  };
}
