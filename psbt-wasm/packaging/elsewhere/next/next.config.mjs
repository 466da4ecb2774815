// webpack, unlike Turbopack, gives what it bundles for the server other addresses than those of files.
export default { serverExternalPackages: ['psbt-wasm'] };
