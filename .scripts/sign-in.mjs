// sign-in.mjs ORIGIN: signs a mock user in at a server in development mode, and prints the access token.
import { createHash, randomBytes } from 'node:crypto';

const origin = process.argv[2];
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const begin = `${origin}/api/auth/v1/authorize?provider=mock&code_challenge=${challenge}&code_challenge_method=s256`;
const redirect = await fetch(begin, { redirect: 'manual' });
const code = new URL(redirect.headers.get('location')).searchParams.get('code');
const session = await fetch(`${origin}/api/auth/v1/token?grant_type=pkce`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ auth_code: code, code_verifier: verifier }),
});
console.log((await session.json()).access_token);
