// The package loads its module while it is imported, and a message that comes meanwhile finds no handler: so the handler is
// there first.
self.onmessage = async ({ data }) => {
  const { answers } = await import('./answers.js');
  self.postMessage(await answers(data));
};
