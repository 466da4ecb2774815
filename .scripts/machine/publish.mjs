// publish.mjs ADDRESS PORT TO PORT: passes connections on, as a container engine does for a published port.
import { connect, createServer } from 'node:net';

const [address, port, to, inside] = process.argv.slice(2);
createServer((client) => {
  const server = connect(Number(inside), to);
  client.pipe(server).pipe(client);
  client.on('error', () => server.destroy());
  server.on('error', () => client.destroy());
}).listen(Number(port), address);
