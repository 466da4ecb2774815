// How a module is loaded. Entries differ in where they find it.

/** A module that is loaded when it is first needed. `glue` is what wasm-bindgen writes beside it, and `create` makes the package's functions of it. */
export function loadable(glue, create) {
  let functions = null;
  let loading = null;
  let find = () => undefined; // the glue knows the file beside it
  let findNow = null;

  const ready = () => (functions = create(glue, glue.__wbg_reset_state));

  async function open(given) {
    try {
      const source = await (given ?? find());
      // What is there needs nothing of `fetch`, which Node would load for 20 ms.
      const bytes = source instanceof ArrayBuffer || ArrayBuffer.isView(source);
      if (bytes) glue.initSync({ module: await WebAssembly.compile(source) });
      else await glue.default({ module_or_path: source });
    } catch (cause) {
      throw new Error('psbt-wasm: a module could not be loaded. If your tool does not copy .wasm files, pass its address (README, "Set-ups").', { cause });
    }
    return ready();
  }

  return {
    /** Sets where the module is, if not beside the script. */
    findBy(source) {
      find = source;
    },
    /** Sets the source for calls that cannot wait, too. */
    findNowBy(source) {
      find = findNow = source;
    },
    /** The functions, once the module is there. A failure is forgotten, so that the next call tries again. */
    async load(given) {
      if (functions) return functions;
      loading ??= open(given).finally(() => (loading = null));
      return loading;
    },
    /** The functions now. */
    get() {
      if (functions) return functions;
      if (!findNow) throw new Error('psbt-wasm is not loaded yet: await init() first, or import psbt-wasm/sync.');
      glue.initSync({ module: findNow() });
      return ready();
    },
  };
}
