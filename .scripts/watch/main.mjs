// ./start --watch: what is saved shows by itself. Vite serves the pages at the address that people open and passes everything else on to the
// server, which has that address as PUBLIC_URL. So origins, cookies and redirects are those of one site, and sign-in works. The server and the
// wasm package are built again when their sources change.
//
//   LISTEN          host:port of the pages
//   DATABASE_URL    of the server
//   SERVER_PROGRAM  the server that cargo builds

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer as createSocket } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { watch } from './files.mjs';
import { Program } from './program.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const within = (folder, names) => names.map((name) => join(ROOT, folder, name));
// The server has both as well.
const PACKAGE = [...within('psbt-wasm', ['src', 'js', 'csecp', 'build.rs', 'Cargo.toml']), ...within('server/board-log', ['src', 'Cargo.toml'])];
const SERVER = [
  ...['outbound', 'chain', 'verify', 'development', 'store'].flatMap((crate) => within(`server/${crate}`, ['src', 'Cargo.toml'])),
  ...within('server/api', ['src', 'templates', 'assets', 'build.rs', 'Cargo.toml']),
  ...within('.', ['migrations', 'Cargo.toml', 'Cargo.lock']),
];

const { LISTEN, DATABASE_URL, SERVER_PROGRAM } = process.env;
const address = new URL(`http://${LISTEN}`);
const backend = `127.0.0.1:${await freePort()}`;
process.env.API_ORIGIN = `http://${backend}`;

const server = new Program(
  [SERVER_PROGRAM],
  {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, APP_ENV: 'development', LISTEN: backend, PUBLIC_URL: address.origin, DATABASE_URL },
  },
  `http://${backend}/api`,
);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());

const saved = await watch([...PACKAGE, ...SERVER], stopping.signal);

if (!(await server.restart())) fail('the server did not start; see above.');
const pages = await servePages();
say(`Open ${address.origin}; what you save shows by itself. Stop with Ctrl-C.`);

stopping.signal.addEventListener('abort', async () => {
  await Promise.all([pages.close(), server.stop()]);
  process.exit();
});
for await (const files of saved) {
  say(`${files.slice(0, 3).map((file) => relative(ROOT, file)).join(', ')}${files.length > 3 ? ' …' : ''}`);
  if (await rebuild(files)) pages.ws.send({ type: 'full-reload' });
}

/** Builds what these files are part of; whether there is something new to see. What does not compile leaves everything as it is. */
async function rebuild(files) {
  const ofPackage = files.some((file) => PACKAGE.some((path) => file.startsWith(path)));
  if (ofPackage && !(await cargo('xtask', 'package'))) return false;
  const before = await built();
  if (!(await cargo('build', '--quiet', '--package', 'api', '--bin', 'server'))) return false;
  if ((await built()) === before) return ofPackage;
  const started = await server.restart();
  if (!stopping.signal.aborted) say(started ? 'the new server is running' : 'the server did not start; see above');
  return started;
}

async function built() {
  return (await stat(SERVER_PROGRAM).catch(() => null))?.mtimeMs;
}

async function cargo(...args) {
  const [status] = await once(spawn('cargo', args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }), 'exit');
  return status === 0;
}

/** The web app's own Vite with its own settings; a request that comes while the server is between two lives waits for the next. */
async function servePages() {
  const web = join(ROOT, 'web');
  const vite = await import(pathToFileURL(createRequire(join(web, 'package.json')).resolve('vite')));
  const waiting = {
    name: 'wait-for-server',
    configureServer({ middlewares }) {
      middlewares.use((_request, _response, next) => void server.ready.then(() => next()));
    },
  };
  const pages = await vite.createServer({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    clearScreen: false,
    plugins: [waiting],
    server: { host: address.hostname, port: Number(address.port), strictPort: true },
  });
  return pages.listen();
}

async function freePort() {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

function say(text) {
  console.log(`· ${text}`);
}

function fail(text) {
  console.error(`Stopped: ${text}`);
  process.exit(1);
}
