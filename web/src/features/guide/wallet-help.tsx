import type { ReactNode } from 'react';

/** How to make the file in common wallets, without broadcasting anything. */
export function WalletHelp() {
  return (
    <div className="mt-4 divide-y divide-line rounded-xl border border-line text-sm">
      <Wallet name="Sparrow">
        <li>Select the coins on the UTXOs tab and choose Send Selected, or open the Send tab.</li>
        <li>
          Pay the challenge amount to an address that holds these coins; add a second recipient with the same address and
          choose Max for the rest.
        </li>
        <li>Choose Create Transaction and Finalize Transaction for Signing.</li>
        <li>Sign it with your wallet or hardware device.</li>
        <li>Save the signed transaction as a .psbt file. Do not press Broadcast Transaction.</li>
      </Wallet>
      <Wallet name="Electrum">
        <li>Choose the coins on the Coins tab.</li>
        <li>
          On the Send tab choose Pay to many, and write two lines with an address that holds these coins: one with the
          challenge amount, one with an exclamation mark (!) for the rest.
        </li>
        <li>Open the transaction preview and press Sign.</li>
        <li>Export it to a file. A completed transaction is saved as .txn, which is accepted too.</li>
        <li>Close the window without pressing Broadcast.</li>
      </Wallet>
      <Wallet name="Bitcoin Core">
        <li>Turn on the PSBT controls in the wallet settings, or use the console.</li>
        <li>
          Create it with <Code>walletcreatefundedpsbt</Code>: name the coins as inputs, pay the challenge amount to an
          address that holds them, and set <Code>changeAddress</Code> to such an address too.
        </li>
        <li>
          Sign it with <Code>walletprocesspsbt</Code> and save the base64 text as a file that ends in .psbt.
        </li>
        <li>
          Leave <Code>sendrawtransaction</Code> alone: nothing has to be broadcast.
        </li>
      </Wallet>
      <Wallet name="Hardware wallets">
        <li>Create the same two payments in the wallet program that you use with the device.</li>
        <li>Check on the device that both pay your own address, then approve it.</li>
        <li>Save the signed .psbt (or the .txn that a Coldcard writes) instead of broadcasting it.</li>
      </Wallet>
    </div>
  );
}

function Wallet({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details className="group px-4">
      <summary className="py-3 font-semibold text-ink marker:text-accent-ink">{name}</summary>
      <ol className="list-decimal space-y-1.5 pb-4 pl-5">{children}</ol>
    </details>
  );
}

function Code({ children }: { children: string }) {
  return <code className="rounded bg-raised px-1.5 py-0.5 font-mono text-[0.85em] text-ink">{children}</code>;
}
