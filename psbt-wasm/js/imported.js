/** The functions of an instance that a bundler has imported. It cannot be replaced, so it is not used again after a trap. */
export function imported(instance, module, create) {
  module.__wbg_set_wasm(instance);
  instance.__wbindgen_start();
  let trapped = false;
  const unlessTrapped = (call) => (...parameters) => {
    if (trapped) throw new Error('The module has failed before: reload the page, or restart the worker.');
    return call(...parameters);
  };
  const functions = Object.entries(module).map(([name, run]) => [name, unlessTrapped(run)]);
  return create(Object.fromEntries(functions), () => (trapped = true));
}
