/** What `build/wallet-names.ts` makes of the table of wallets. Those without a kind cannot make a proof. */
declare module 'wallet-names' {
  const names: { id: string; name: string; kind?: 'program' | 'device' }[];
  export default names;
}
