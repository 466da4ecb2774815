/**
 * The wallets and devices that people sign with: which form of proof each is offered (proofs, section 3), how a file over
 * one's coins comes out of it, and what it shows. Read from their own sources in November 2026; `tried` says what was run as well.
 */

import type { CodeForm } from './qr/codes';

/** The carrier of a statement: a BIP-0322 proof of funds, or a still transaction (proofs, section 2). */
export type Form = 'message' | 'transaction';

/** What a command is written with. */
export interface CommandValues {
  /** The arguments of Bitcoin Core's program for the network of this site: nothing on mainnet. */
  network: string;
  /** The name of the file to sign. */
  file: string;
}

/** One action. The wallet's own labels are between asterisks. */
export type Step =
  | string
  | {
      text: string;
      /** Why, or what appears. */
      note?: string;
      /** A line to copy. */
      command?: (values: CommandValues) => string;
      /** It replaces the steps before it. */
      instead?: true;
    };

export interface Signer {
  id: string;
  name: string;
  kind: 'program' | 'device';
  /** The form that it is offered; null when it can sign neither at present. */
  form: Form | null;
  /** How a file over the coins comes out of it, not signed yet. */
  coins: Step[];
  /** How the made file is signed. */
  sign: Step[];
  /** The form of animated QR codes that it reads, and what reads them; nothing for those without a camera. */
  codes?: { form: CodeForm; by: string };
  /** What it shows the person who signs, or what is special about it. */
  shows: string;
  /** Why it may fail, or does. */
  trouble?: string;
  /** What was run on the real program. */
  tried?: string;
}

/** What holds bitcoin and cannot make a proof, and what to do instead. */
export interface Unable {
  id: string;
  name: string;
  answer: string;
  /** The signer to use instead. */
  use?: string;
}

const CORE_COINS: Step[] = [
  { text: 'Open *Settings*, *Options*, *Wallet* and turn on *Enable PSBT controls* and *Enable coin control features*.' },
  { text: 'On the *Send* tab press *Inputs…* and select your coins.' },
  { text: 'Pay to an address of your own, press *Use available balance*, then *Create Unsigned*.', note: 'The PSBT is now in the clipboard. Press *Paste as Text* above, or save it as a file.' },
  {
    text: 'Or all coins at once, in a terminal (macOS, Linux). Paste the answer above.',
    note: 'More than one wallet loaded? Add -rpcwallet="its name" after bitcoin-cli.',
    command: ({ network }) =>
      `cli() { bitcoin-cli${network} "$@"; }; cli walletprocesspsbt "$(cli createpsbt "$(cli listunspent)" '[{"data":"00"}]')" false`,
    instead: true,
  },
  {
    text: 'Or in PowerShell (Windows). Paste the answer above. Not tried.',
    note: 'More than one wallet loaded? Add -rpcwallet="its name" after each bitcoin-cli.',
    command: ({ network }) =>
      `$psbt = ((bitcoin-cli${network} listunspent) -join ''), '[{"data":"00"}]' | bitcoin-cli${network} -stdin createpsbt; bitcoin-cli${network} walletprocesspsbt $psbt false`,
    instead: true,
  },
];

const SPARROW_COINS: Step[] = [
  'Open *UTXOs*, select your coins, press *Send Selected*.',
  { text: 'Pay to an address of your own and press *Max*. Type any *Label*.', note: 'Sparrow needs a label before it continues.' },
  'Press *Create Transaction*, then *Finalize Transaction for Signing*.',
  { text: 'Choose *File*, *Save PSBT*, *As Binary*. Drop that file above.', note: 'Don’t sign yet. We turn it into a proof that moves nothing, and you sign that.' },
];
const IN_SPARROW: Step[] = ['Open your device’s wallet in Sparrow.', ...SPARROW_COINS];
const SPARROW_SIGN: Step[] = [
  'In Sparrow choose *File*, *Open Transaction*, *File* and open the file you downloaded.',
  'Press *Sign* and approve it with your keys or your device.',
  {
    text: 'Press *Save PSBT*, then *As Binary*. Drop the saved file below.',
    note: 'Do not press *Broadcast Transaction*, the big button next to it. No node would accept it, and you don’t need it.',
  },
];

const OWN_PROGRAM: Step[] = [
  { text: 'Prepare a payment of your coins to an address of your own.', note: 'Address and amount don’t matter: we make a new file, and every address keeps what it has.' },
  'Save it as a PSBT file. Do not sign or send it.',
];
const OWN_PROGRAM_SIGN: Step[] = ['Open the file you downloaded in your wallet and sign it.', 'Save the signed file, without sending it, and drop it below.'];

type Row = Omit<Signer, 'kind' | 'form' | 'coins' | 'sign'> & Partial<Pick<Signer, 'form' | 'coins' | 'sign'>>;

/** A device: Sparrow makes and carries its files, unless its row says otherwise. */
const device = (row: Row): Signer => ({ kind: 'device', form: 'transaction', coins: IN_SPARROW, sign: SPARROW_SIGN, ...row });

/** A program with its own files. */
const program = (row: Row): Signer => ({ kind: 'program', form: 'transaction', coins: OWN_PROGRAM, sign: OWN_PROGRAM_SIGN, ...row });

const SAME_ADDRESSES = 'Your own addresses with what they have now, a fee of 0, and your statement.';
const BY_DEVICE = 'What your device shows: your own addresses with what they have now, and a fee of 0.';

/** The comment above each row names the source of its behavior. */
export const SIGNERS: Signer[] = [
  // https://github.com/bitcoin/bitcoin/blob/HEAD/src/wallet/rpc/spend.cpp
  program({
    id: 'bitcoin-core',
    name: 'Bitcoin Core',
    form: 'message',
    coins: CORE_COINS,
    sign: [
      'Choose *File*, *Load PSBT from file…* and open the file you downloaded.',
      { text: 'Press *Sign Tx*, then *Save…* and drop the saved file below.', note: 'Do not press *Broadcast Tx*.' },
      {
        text: 'Or in a terminal (macOS, Linux). Paste the answer below.',
        note: 'More than one wallet loaded? Add -rpcwallet="its name" after bitcoin-cli.',
        command: ({ network, file }) => `bitcoin-cli${network} walletprocesspsbt "$(base64 < ${file} | tr -d '\\n')"`,
        instead: true,
      },
      {
        text: 'Or in PowerShell (Windows). Paste the answer below. Not tried.',
        command: ({ network, file }) =>
          `bitcoin-cli${network} walletprocesspsbt ([Convert]::ToBase64String([IO.File]::ReadAllBytes((Resolve-Path ${file}))))`,
        instead: true,
      },
    ],
    shows: 'It signs without asking. Bitcoin Knots works the same way.',
    tried: 'Terminal lines tried on Bitcoin Core',
  }),
  // https://github.com/sparrowwallet/sparrow/blob/HEAD/src/main/java/com/sparrowwallet/sparrow/transaction/HeadersController.java
  program({
    id: 'sparrow',
    name: 'Sparrow',
    codes: { form: 'ur', by: 'Sparrow (File, Open Transaction, From QR Code)' },
    coins: SPARROW_COINS,
    sign: SPARROW_SIGN,
    shows: 'The same addresses with the same amounts, a fee of 0, and an output with your statement.',
  }),
  // https://github.com/spesmilo/electrum/blob/HEAD/electrum/transaction.py
  program({
    id: 'electrum',
    name: 'Electrum',
    coins: [
      'On a computer open the *Coins* tab, select your coins and choose *Add to coin control*.',
      { text: 'On the *Send* tab enter an address of your own and *!* as the amount. Press *Pay…*, then *Preview*.', note: 'No *Coins* tab? Turn it on in the *View* menu.' },
      { text: 'Press *Share* (*Export* in older versions), *Export to file*. Drop that file above.', note: 'Don’t press *Sign* yet.' },
    ],
    sign: [
      'Choose *Tools*, *Load transaction*, *From file* and open the file you downloaded.',
      { text: 'Press *Sign*.', note: 'Ignore the warning “below relay fee”: the proof pays no fee because it is never sent.' },
      { text: 'Press *Share* (*Export* in older versions), *Export to file*. Drop that file below.', note: 'Do not press *Broadcast*.' },
    ],
    shows: 'The same addresses with the same amounts, a fee of 0, the lock time 452038930, and your statement. Only Electrum for computers can do this, not its phone app.',
    tried: 'Signing tried on Electrum, its menus from the source',
  }),
  // https://github.com/Coldcard/firmware/blob/HEAD/shared/psbt.py
  device({
    id: 'coldcard',
    name: 'Coldcard',
    codes: { form: 'bbqr', by: 'a Coldcard Q' },
    form: 'message',
    sign: ['Copy the file you downloaded to the Coldcard, by card or cable, and choose *Ready To Sign*.', 'Drop the signed file below.'],
    shows: 'It says "Proof of Reserves" and shows your statement. It needs firmware 5.5.1 (Mk) or 1.4.1Q (Q) or newer for that; an older one signs the still transaction.',
  }),
  // https://github.com/LedgerHQ/app-bitcoin-new/blob/HEAD/src/handler/sign_psbt.c
  device({
    id: 'ledger',
    name: 'Ledger',
    shows: 'Receive addresses are shown as payments, each with what it has now: compare and confirm each. Change addresses are not shown; Ledger takes at most ten of those in a file.',
  }),
  // https://github.com/trezor/trezor-firmware/blob/HEAD/core/src/apps/bitcoin/sign_tx/layout.py
  device({
    id: 'trezor',
    name: 'Trezor',
    shows: 'It says "Locktime set to blockheight 452038930", shows your statement, and warns when there are more than two addresses of your own.',
  }),
  // https://github.com/Blockstream/Jade/blob/HEAD/main/process/sign_psbt.c
  device({
    id: 'jade',
    name: 'Blockstream Jade',
    codes: { form: 'ur', by: 'your Jade' },
    shows: 'It shows the first 58 characters of your statement, and a fee of 0.',
  }),
  // https://github.com/KeystoneHQ/keystone3-firmware/blob/HEAD/rust/apps/bitcoin/src/transactions/psbt/wrapped_psbt.rs
  device({
    id: 'keystone',
    name: 'Keystone 3',
    codes: { form: 'ur', by: 'your Keystone' },
    shows: SAME_ADDRESSES,
  }),
  // https://github.com/cryptoadvance/specter-diy/blob/HEAD/src/apps/wallets/manager.py
  device({
    id: 'specter-diy',
    name: 'Specter-DIY',
    codes: { form: 'ur', by: 'your Specter-DIY' },
    shows: SAME_ADDRESSES,
  }),
  // https://github.com/SeedSigner/seedsigner/blob/HEAD/src/seedsigner/models/psbt_parser.py
  device({
    id: 'seedsigner',
    name: 'SeedSigner',
    codes: { form: 'ur', by: 'your SeedSigner' },
    shows: 'Version 0.8 leaves out the first letter and shows "roof of Reserves": a known fault of its display, the file is right.',
  }),
  // https://github.com/cryptoadvance/specter-desktop/blob/HEAD/src/cryptoadvance/specter/util/psbt.py
  program({
    id: 'specter-desktop',
    name: 'Specter Desktop',
    shows: 'Your own addresses with what they have now.',
  }),
  // https://github.com/nunchuk-io/nunchuk-android/issues/76
  program({
    id: 'nunchuk',
    name: 'Nunchuk',
    codes: { form: 'ur', by: 'Nunchuk' },
    shows: 'Your own addresses with what they have now.',
    trouble: 'It may refuse the file: an open report says that it cannot. If it does, sign with the same keys in Sparrow.',
  }),
  // https://github.com/Foundation-Devices/passport2/blob/HEAD/ports/stm32/boards/Passport/modules/psbt.py
  device({
    id: 'passport',
    name: 'Passport',
    codes: { form: 'ur', by: 'your Passport' },
    form: null,
    shows: '',
    trouble: 'Passport Core 2.3 refuses the length of the line that carries your statement, and does not sign messages over coins.',
  }),
  // https://github.com/bitcoin-core/HWI/blob/HEAD/hwilib/devices/bitbox02.py
  device({
    id: 'bitbox02',
    name: 'BitBox02',
    form: null,
    shows: '',
    trouble: 'The device could sign it from version 9.24 on, but the programs that carry files to it refuse an output with a statement.',
  }),
  // https://github.com/selfcustody/krux/blob/HEAD/src/krux/psbt.py
  device({
    id: 'krux',
    name: 'Krux',
    codes: { form: 'ur', by: 'your Krux' },
    form: null,
    shows: '',
    trouble: 'Krux 26.04 refuses every output with a statement. Another device or program with the same seed can sign the file.',
  }),
  // https://github.com/wizardsardine/liana/blob/HEAD/liana-gui/src/app/state/psbt.rs
  program({
    id: 'liana',
    name: 'Liana',
    sign: ['Don’t open the file in Liana, which fails on it. Sign it with your device in Sparrow.', 'Drop the signed file below.'],
    shows: BY_DEVICE,
  }),
  // https://github.com/caravan-bitcoin/caravan
  program({
    id: 'caravan',
    name: 'Caravan',
    sign: ['Caravan can’t send to the addresses it spends from. Sign the file with your devices in another program.', 'Drop the signed files below.'],
    shows: BY_DEVICE,
  }),
  // https://github.com/WalletWasabi/WalletWasabi
  program({
    id: 'wasabi',
    name: 'Wasabi',
    sign: ['Wasabi sends what it signs. Sign the file with your device in another program.', 'Drop the signed file below.'],
    shows: BY_DEVICE,
  }),
];

/** A wallet that is not in the table: what it is offered is what most can sign (BIP-174). */
export const ANOTHER = program({ id: 'another', name: 'Another wallet', shows: `${SAME_ADDRESSES} Approve nothing else.` });

/** What people ask for that cannot make a proof. A straight answer saves them an evening. */
export const UNABLE: Unable[] = [
  { id: 'ledger-live', name: 'Ledger Live', answer: 'Ledger Live can’t save a PSBT. Open the same Ledger in Sparrow: your coins stay where they are.', use: 'ledger' },
  { id: 'trezor-suite', name: 'Trezor Suite', answer: 'Trezor Suite can’t save a PSBT. Open the same Trezor in Sparrow: your coins stay where they are.', use: 'trezor' },
  // https://github.com/BlueWallet/BlueWallet/blob/HEAD/screen/send/SendDetails.tsx
  {
    id: 'bluewallet',
    name: 'BlueWallet',
    answer: 'An ordinary BlueWallet wallet can’t save a PSBT: its next button sends. Only its watch-only wallets and vaults can. Sign with the device or the program that holds their keys.',
    use: 'another',
  },
  {
    id: 'phone',
    name: 'Another phone wallet',
    answer: 'Most phone wallets can’t save a PSBT. If yours shows no “PSBT” when you export a transaction, it can’t make a proof, unless you move your coins to a wallet that can, such as Sparrow.',
    use: 'another',
  },
  {
    id: 'exchange',
    name: 'An exchange',
    answer: 'Only coins whose keys you hold can be proven. An exchange holds the keys for you. Withdraw to a wallet of your own, then prove those coins.',
  },
];

/** The first ones on offer. */
export const USUAL = ['sparrow', 'electrum', 'bitcoin-core', 'ledger', 'trezor', 'coldcard'].map((id) => signerOf(id));

/** The signer with this id; another wallet when there is none. */
export function signerOf(id: string | null): Signer {
  return SIGNERS.find((signer) => signer.id === id) ?? ANOTHER;
}

/** The form of QR codes that a signer is shown first; most read UR. */
export function codesOf({ codes }: Signer): CodeForm {
  return codes?.form ?? 'ur';
}

const FORM_NAMES: Record<CodeForm, string> = { bbqr: 'BBQr', ur: 'UR' };

/** How the made file is signed, and how that is done by QR codes. */
export function signingSteps({ sign, codes }: Signer): Step[] {
  if (!codes) return sign;
  const { form, by } = codes;
  return [
    ...sign,
    {
      text: `Or by QR codes: press *Show QR Codes*, let ${by} read them (${FORM_NAMES[form]}), sign, and press *Scan QR Codes* to read the answer.`,
      instead: true,
    },
  ];
}

const CORE_NETWORKS: Record<string, string> = { testnet: ' -testnet', signet: ' -signet', regtest: ' -regtest' };

/** The arguments that take Bitcoin Core's program to a network. */
export function coreArguments(network: string): string {
  return CORE_NETWORKS[network] ?? '';
}
