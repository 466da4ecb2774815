import type { ReactNode } from 'react';

/** How to make the file in common wallets, without broadcasting anything. */
export function WalletHelp() {
  return (
    <div className="mt-4 divide-y divide-line rounded-xl border border-line text-sm">
      <Wallet name="Sparrow">
        <li>On the UTXOs tab select the coins that you want to prove and press Send Selected.</li>
        <li>
          Pay to: an address that holds one of these coins (its row shows it). Amount: your challenge amount, exactly.
        </li>
        <li>Press Add for a second payment to the same address, and press Max for its amount: that is the rest.</li>
        <li>Press Create Transaction, check that every output is an address of yours, then Finalize Transaction for Signing.</li>
        <li>Press Sign, or save the file for your hardware device, sign there and load it again.</li>
        <li>
          Choose File, Save PSBT, As Binary in the menu. Leave Broadcast Transaction alone and close the tab.
        </li>
      </Wallet>
      <Wallet name="Electrum">
        <li>On the Coins tab mark the coins that you want to prove and choose Add to coin control.</li>
        <li>
          On the Send tab choose Pay to many from the tools, and write two lines with an address that holds these coins:
          <Lines>{'your address, your challenge amount\nyour address, !'}</Lines>
          The exclamation mark stands for the rest.
        </li>
        <li>Press Pay and then Preview. Check that every output is an address of yours, and press Sign.</li>
        <li>Press Export, Export to file. A completed transaction is saved as .txn, which is accepted too.</li>
        <li>Close the window without pressing Broadcast.</li>
      </Wallet>
      <Wallet name="Bitcoin Core">
        <li>
          Find the coins with <Code>listunspent</Code> in the console (Window, Console): txid, vout and address of each.
        </li>
        <li>
          Create the transfer. Only the coins that you name are spent, and the rest goes back to the address that you name:
          <Lines>
            {
              'walletcreatefundedpsbt \'[{"txid":"…","vout":0}]\' \'[{"your address":0.00054321}]\' 0 \'{"add_inputs":false,"changeAddress":"your address"}\''
            }
          </Lines>
        </li>
        <li>
          Sign it with <Code>walletprocesspsbt "the psbt of the answer"</Code>.
        </li>
        <li>Save the text of its psbt in a file whose name ends in .psbt. Base64 text is read as well as binary.</li>
        <li>
          Leave <Code>sendrawtransaction</Code> alone: nothing has to be broadcast.
        </li>
      </Wallet>
      <Wallet name="Hardware wallets">
        <li>
          Make the same two payments in the program that you use with the device: Sparrow or Electrum know most of them. The
          vendors' own programs broadcast what they sign, so do not use those.
        </li>
        <li>Connect the device or carry the file to it, on a card or by QR code.</li>
        <li>
          The device shows two payments and a fee. Check that both addresses are your own and approve: nothing leaves the
          device but signatures.
        </li>
        <li>Save the signed .psbt, or the .txn that a Coldcard writes, instead of broadcasting it.</li>
      </Wallet>
      <Wallet name="Several addresses, or a shared wallet">
        <li>
          If the coins that you prove lie on several addresses, every output has to pay one of these addresses: no fresh
          change address.
        </li>
        <li>In a wallet of several signers pass the file on until enough of them have signed, and upload it then.</li>
        <li>
          If your wallet makes a BIP-322 proof of funds, you can sign the message that the Verify page shows instead of
          sending the amount.
        </li>
      </Wallet>
      <Wallet name="If it is broadcast by mistake">
        <li>You paid yourself: only the fee is lost, and the coins are now the ones that the transfer made.</li>
        <li>Make a new file that spends those, with the amount that the Verify page shows.</li>
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

/** What is typed as it stands. */
function Lines({ children }: { children: string }) {
  return (
    <code className="my-2 block rounded-lg bg-raised p-3 font-mono text-[0.85em] whitespace-pre-wrap [overflow-wrap:anywhere] text-ink">
      {children}
    </code>
  );
}
