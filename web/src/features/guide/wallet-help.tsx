import type { ReactNode } from 'react';

/** How to make the file in the wallets that can, and what to do with the others. */
export function WalletHelp() {
  return (
    <div className="mt-4 divide-y divide-line rounded-xl border border-line text-sm">
      <Wallet name="Bitcoin Core">
        <li>
          <Code>listunspent</Code> in the console (Window, Console) shows your coins: txid, vout, address and amount of each.
        </li>
        <li>
          Write the file down with the command that your Verify page shows: the coins, for each of their addresses exactly the
          sum of what these coins hold, and your statement. Nothing is left for a fee.
        </li>
        <li>
          Sign it with <Code>walletprocesspsbt "the text of the answer"</Code>.
        </li>
        <li>Save the psbt of its answer in a file whose name ends in .psbt. Base64 text is read as well as binary.</li>
      </Wallet>
      <Wallet name="Wallets that make a BIP-322 proof of funds">
        <li>Copy your statement from the Verify page. It is one line, and not a letter may differ.</li>
        <li>Let the wallet sign it as a proof of funds over the coins that you want to prove, and save the file that it writes.</li>
        <li>An ordinary signed message does not do: it proves one address, and no coin.</li>
      </Wallet>
      <Wallet name="Other wallets, and shared ones">
        <li>
          Most wallets cannot write down a transaction that pays no fee. Look at the same coins in Bitcoin Core, without
          keys, make the file there, and take it to your wallet or your device to sign.
        </li>
        <li>In a wallet of several signers pass the file on until enough of them have signed, and upload it then.</li>
        <li>Your device shows this site and your name, your own addresses as receivers, and no fee. Approve nothing else.</li>
      </Wallet>
      <Wallet name="If somebody gets hold of the file, or broadcasts it">
        <li>No node takes it: it is locked until a block that is thousands of years away. Your coins stay where they are.</li>
        <li>Nobody else can prove anything with it, because it names you. It does tell that these coins are yours.</li>
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

function Code({ children }: { children: ReactNode }) {
  return (
    <code className="rounded bg-raised px-1.5 py-0.5 font-mono text-[0.85em] [overflow-wrap:anywhere] text-ink">{children}</code>
  );
}
