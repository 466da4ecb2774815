import type { Plugin } from 'vite';

/** Sign-in methods that the server does not offer: passkeys and Ethereum wallets. The library has no entry point without them. */
const UNUSED = ['webauthn', 'web3/ethereum'];
const PART = new RegExp(`/@supabase/auth-js/dist/module/lib/(${UNUSED.join('|')})\\.js$`);

/** Replaces those parts of the sign-in library with empty classes: they can be constructed, but have no methods. */
export function unusedSignIn(): Plugin {
  const met = new Set<string>();
  return {
    name: 'unused-sign-in',
    apply: 'build',
    buildStart: () => met.clear(),
    transform: {
      filter: { id: PART },
      handler(code, id) {
        met.add(PART.exec(id)?.[1] ?? '');
        const names = [...code.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)].map(([, name]) => name);
        return { code: `class Unused {}\nexport { ${names.map((name) => `Unused as ${name}`).join(', ')} };`, map: null, moduleSideEffects: false };
      },
    },
    buildEnd(error) {
      const missing = UNUSED.filter((part) => !met.has(part));
      if (!error && missing.length > 0) this.error(`@supabase/auth-js has its parts elsewhere: ${missing.join(', ')}`);
    },
  };
}
